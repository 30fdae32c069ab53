// SPDX-License-Identifier: BSD-3-Clause
// Far data, a fence, a near flag: whoever sees the flag sees the data, for every kind of write before the fence and every
// kind of flag, in sizes up to those that pass the caches by, without any quiet on the writer's side.
// pes: 2 3 4 8 16
// ways: 4:2:remote 4:2:emulated
#include "contexts.h"

#define WORDS_MAX ((size_t)TEST_SIZE(1 << 21, 700)) // 16 MB, or three blocks in a core
#define KINDS 6
#define FLAGS 4

static const size_t sizes[] = {1, 3, 8, 60, 500, 4000, 40000, 200000, WORDS_MAX};
static const char *const kind_names[KINDS] = {"put", "put_nbi", "p", "iput", "atomic_set", "put_signal"};
static const char *const flag_names[FLAGS] = {"p", "atomic_set", "signal_set", "atomic_add"};

static uint64_t *inbox[2], *outbox;
static uint64_t flag, answer, other_signal;

static void write_data(shmem_ctx_t ctx, int kind, uint64_t *dest, size_t words, int to) {
    switch (kind) {
    case 0: shmem_ctx_uint64_put(ctx, dest, outbox, words, to); break;
    case 1: shmem_ctx_uint64_put_nbi(ctx, dest, outbox, words, to); break;
    case 2:
        for (size_t i = 0; i < words; i++) shmem_ctx_uint64_p(ctx, &dest[i], outbox[i], to);
        break;
    case 3: shmem_ctx_uint64_iput(ctx, dest, outbox, 1, 1, words, to); break;
    case 4:
        for (size_t i = 0; i < words; i++) shmem_ctx_uint64_atomic_set(ctx, &dest[i], outbox[i], to);
        break;
    default: shmem_ctx_uint64_put_signal_nbi(ctx, dest, outbox, words, &other_signal, 1, SHMEM_SIGNAL_SET, to);
    }
}

static void write_flag(shmem_ctx_t ctx, int kind, uint64_t round, int to) {
    switch (kind) {
    case 0: shmem_ctx_uint64_p(ctx, &flag, round, to); break;
    case 1: shmem_ctx_uint64_atomic_set(ctx, &flag, round, to); break;
    case 2: shmem_ctx_signal_set(ctx, &flag, round, to); break;
    default: shmem_ctx_uint64_atomic_add(ctx, &flag, 1, to);
    }
}

// Each even PE writes to the odd one behind it; the reader answers, so that the writer is at most one round ahead.
static void play(shmem_ctx_t ctx, size_t words, int data_kind, int flag_kind, int rounds) {
    static uint64_t round;
    for (int i = 0; i < rounds; i++) {
        uint64_t *dest = inbox[++round & 1];
        if (me % 2 == 0 && me + 1 < pes) {
            shmem_ctx_quiet(ctx); // only so that the outbox may change
            for (size_t k = 0; k < words; k++) outbox[k] = (round << 24) + k;
            write_data(ctx, data_kind, dest, words, me + 1);
            shmem_ctx_fence(ctx);
            write_flag(ctx, flag_kind, round, me + 1);
            shmem_uint64_wait_until(&answer, SHMEM_CMP_GE, round - 1);
        } else if (me % 2) {
            shmem_uint64_wait_until(&flag, SHMEM_CMP_GE, round);
            for (size_t k = words; k-- > 0;) // what was written last is the likeliest to be late
                REQUIRE(dest[k] == (round << 24) + k, "%s of %zu words, fence, %s: the flag came before word %zu",
                        kind_names[data_kind], words, flag_names[flag_kind], k);
            shmem_uint64_p(&answer, round, me - 1);
        }
    }
    shmem_barrier_all();
}

int main(void) {
    test_begin();
    inbox[0] = test_malloc(WORDS_MAX * 8);
    inbox[1] = test_malloc(WORDS_MAX * 8);
    outbox = test_malloc(WORDS_MAX * 8);
    shmem_ctx_t ctx;
    REQUIRE(shmem_ctx_create(0, &ctx) == 0, "no context");
    for (size_t s = 0; s < TEST_COUNT(sizes); s++) {
        size_t rounds = 1000000 / TEST_SLOWER_BY / (sizes[s] + 1000) / (size_t)pes;
        if (sizes[s] > WORDS_MAX || sizes[s] > (pes > 4 ? 50000 : pes > 2 ? 300000 : WORDS_MAX)) break;
        for (int data = 0; data < KINDS; data++)
            for (int kind = 0; kind < FLAGS; kind += sizes[s] == WORDS_MAX ? FLAGS : 1)
                play(data % 2 ? ctx : SHMEM_CTX_DEFAULT, sizes[s], data, kind, rounds < 2 ? 2 : (int)rounds);
    }
    shmem_ctx_destroy(ctx);
    return test_end();
}
