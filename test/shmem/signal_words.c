// SPDX-License-Identifier: BSD-3-Clause
// signal_set, signal_add and signal_fetch, with and without a context; additions of all PEs to one signal are all counted;
// signal_wait_until returns the value that ended the wait.
#include "contexts.h"

#define ROUNDS 300

static uint64_t word[3];
static uint64_t sum;

static void try_context(const struct test_context *context) {
    word[0] = word[1] = word[2] = 77;
    shmem_barrier_all();
    if (context->team) {
        shmem_ctx_signal_set(context->ctx, &word[1], 1000 + (uint64_t)me, context_right(context));
        shmem_ctx_quiet(context->ctx);
        shmem_ctx_signal_add(context->ctx, &word[1], 1000000, context_right(context));
        uint64_t got = shmem_signal_wait_until(&word[1], SHMEM_CMP_GE, 1000000);
        uint64_t expected = 1001000 + (uint64_t)context_left_in_world(context);
        REQUIRE(got == expected && shmem_signal_fetch(&word[1]) == expected, "context %s: signal is %llu, not %llu",
                context->name, (unsigned long long)got, (unsigned long long)expected);
        REQUIRE(word[0] == 77 && word[2] == 77, "context %s: a signal changed the words beside it", context->name);
    }
    shmem_barrier_all();
}

static void try_plain(void) {
    word[1] = 0;
    shmem_barrier_all();
    shmem_signal_set(&word[1], UINT64_MAX, right_of(me));
    uint64_t got = shmem_signal_wait_until(&word[1], SHMEM_CMP_GT, 0);
    REQUIRE(got == UINT64_MAX, "signal is %llu, not its largest value", (unsigned long long)got);
    shmem_barrier_all();
    shmem_signal_add(&word[1], 1, right_of(me));
    got = shmem_signal_wait_until(&word[1], SHMEM_CMP_LT, 5);
    REQUIRE(got == 0 && shmem_signal_fetch(&word[1]) == 0, "signal is %llu after adding 1 to its largest value",
            (unsigned long long)got);
    shmem_barrier_all();
}

static void add_together(void) {
    char nothing = 0;
    static char anywhere;
    for (int i = 0; i < ROUNDS; i++) {
        shmem_signal_add(&sum, 1, 0);
        shmem_putmem_signal(&anywhere, &nothing, 0, &sum, 2, SHMEM_SIGNAL_ADD, 0);
        shmem_putmem_signal_nbi(&anywhere, &nothing, 0, &sum, 3, SHMEM_SIGNAL_ADD, 0);
    }
    uint64_t expected = (uint64_t)(6 * ROUNDS) * (uint64_t)pes;
    if (me == 0) shmem_signal_wait_until(&sum, SHMEM_CMP_EQ, expected);
    shmem_barrier_all();
    if (me == 0) REQUIRE(sum == expected, "more was added to a signal than was sent");
}

int main(void) {
    test_begin();
    struct test_context contexts[TEST_CONTEXTS_MAX];
    int count = test_contexts(contexts);
    for (int i = 0; i < count; i++) try_context(&contexts[i]);
    try_plain();
    add_together();
    test_contexts_end(contexts, count);
    return test_end();
}
