// SPDX-License-Identifier: BSD-3-Clause
// After quiet what was put is visible to every PE, not only to its target: a third PE that is told so fetches it from the
// target. In rings, over many rounds, with all completing forms: quiet, ctx_quiet, pe_quiet, barrier_all.
// ways: 4:2:remote
#include "test.h"

#define WORDS 200

static long box[2][WORDS];
static long told, done;

static void complete(int form, shmem_ctx_t ctx, int target) {
    int targets[3] = {target, me, target};
    switch (form) {
    case 0: shmem_quiet(); break;
    case 1: shmem_ctx_quiet(ctx); break;
    case 2: shmem_pe_quiet(targets, 3); break;
    default: shmem_ctx_pe_quiet(ctx, targets, 1);
    }
}

static void write_all(int form, shmem_ctx_t ctx, long *dest, const long *source, int target) {
    if (form % 2) shmem_ctx_long_put_nbi(ctx, dest, source, WORDS, target);
    else shmem_long_put_nbi(dest, source, WORDS, target);
}

// PE i writes to PE i + 1 and tells PE i + 2, which looks at PE i + 1.
static void play(int form, shmem_ctx_t ctx, long round) {
    int target = right_of(me), third = right_of(target), from = left_of(me), origin = left_of(from);
    long source[WORDS], seen[WORDS];
    for (long i = 0; i < WORDS; i++) source[i] = round * 1000000 + me * 1000 + i;
    write_all(form, ctx, box[round & 1], source, target);
    complete(form, ctx, target);
    shmem_long_p(&told, round, third);
    shmem_long_wait_until(&told, SHMEM_CMP_GE, round);
    shmem_long_get(seen, box[round & 1], WORDS, from);
    for (long i = 0; i < WORDS; i++)
        REQUIRE(seen[i] == round * 1000000 + origin * 1000 + i,
                "form %d, round %ld: PE %d's word %ld at PE %d was announced after quiet and is not there", form, round,
                origin, i, from);
    shmem_long_p(&done, round, from);
    shmem_long_wait_until(&done, SHMEM_CMP_GE, round); // the box of this round has been read; the other one is next
}

int main(void) {
    test_begin();
    shmem_ctx_t ctx;
    REQUIRE(shmem_ctx_create(0, &ctx) == 0, "no context");
    int rounds = test_rounds(8000);
    for (long round = 1; round <= rounds; round++) play((int)(round % 4), ctx, round);
    shmem_pe_quiet(NULL, 0);
    shmem_ctx_pe_quiet(ctx, NULL, 0);
    shmem_ctx_quiet(SHMEM_CTX_INVALID);
    shmem_ctx_fence(SHMEM_CTX_INVALID);
    shmem_ctx_fence(ctx);
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
    return test_end();
}
