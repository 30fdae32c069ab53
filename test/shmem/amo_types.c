// SPDX-License-Identifier: BSD-3-Clause
// Each atomic operation of each type does what its name says to another PE's word, returns the old value where it
// fetches, and wraps round: plain forms, forms on every context, and non-blocking ones after quiet.
// ways: 64:4:tcp
#include "contexts.h"

#include <skerry/shmem/types.h>

// A word of each type with a neighbour that must not change.
#define DECLARE(NAME, TYPE) static TYPE word_##NAME[2];
SKERRY_FAMILY(EXTENDED_ATOMIC, DECLARE)

#define IS(NAME, expected, what)                                                                                       \
    do {                                                                                                               \
        REQUIRE(shmem_##NAME##_atomic_fetch(&word_##NAME[0], pe) == (expected), what " left a wrong value");           \
        REQUIRE(shmem_##NAME##_g(&word_##NAME[1], pe) == 99, what " changed the next word");                           \
    } while (0)
#define GAVE(expression, expected, what) REQUIRE((expression) == (expected), what " returned a wrong value")

// PREFIX is shmem_ or shmem_ctx_; CTX is empty or the context and a comma. `to` counts in the context, `pe` in the world.
#define MOVE(NAME, TYPE, PREFIX, ...)                                                                                  \
    {                                                                                                                  \
        const TYPE low = (TYPE)5, high = (TYPE)-3;                                                                     \
        TYPE fetched = (TYPE)1;                                                                                        \
        shmem_##NAME##_p(&word_##NAME[1], (TYPE)99, pe);                                                               \
        PREFIX##NAME##_atomic_set(__VA_ARGS__ &word_##NAME[0], low, to);                                               \
        shmem_quiet();                                                                                                 \
        IS(NAME, low, #NAME " set");                                                                                   \
        GAVE(PREFIX##NAME##_atomic_fetch(__VA_ARGS__ &word_##NAME[0], to), low, #NAME " fetch");                       \
        GAVE(PREFIX##NAME##_atomic_swap(__VA_ARGS__ &word_##NAME[0], high, to), low, #NAME " swap");                   \
        IS(NAME, high, #NAME " swap");                                                                                 \
        PREFIX##NAME##_atomic_fetch_nbi(__VA_ARGS__ &fetched, &word_##NAME[0], to);                                    \
        shmem_ctx_quiet(ctx);                                                                                          \
        GAVE(fetched, high, #NAME " fetch_nbi");                                                                       \
        PREFIX##NAME##_atomic_swap_nbi(__VA_ARGS__ &fetched, &word_##NAME[0], low, to);                                \
        shmem_ctx_quiet(ctx);                                                                                          \
        GAVE(fetched, high, #NAME " swap_nbi");                                                                        \
        IS(NAME, low, #NAME " swap_nbi");                                                                              \
    }

#define COUNT(NAME, TYPE, PREFIX, ...)                                                                                 \
    {                                                                                                                  \
        const TYPE top = (TYPE)-1;                                                                                     \
        TYPE fetched = (TYPE)1;                                                                                        \
        shmem_##NAME##_p(&word_##NAME[1], (TYPE)99, pe);                                                               \
        shmem_##NAME##_p(&word_##NAME[0], (TYPE)7, pe);                                                                \
        shmem_quiet();                                                                                                 \
        GAVE(PREFIX##NAME##_atomic_compare_swap(__VA_ARGS__ &word_##NAME[0], 8, 1, to), 7, #NAME " cswap");            \
        IS(NAME, 7, #NAME " cswap of another value");                                                                  \
        GAVE(PREFIX##NAME##_atomic_compare_swap(__VA_ARGS__ &word_##NAME[0], 7, top, to), 7, #NAME " cswap");          \
        IS(NAME, top, #NAME " cswap");                                                                                 \
        GAVE(PREFIX##NAME##_atomic_fetch_inc(__VA_ARGS__ &word_##NAME[0], to), top, #NAME " fetch_inc");               \
        IS(NAME, 0, #NAME " fetch_inc past the top");                                                                  \
        GAVE(PREFIX##NAME##_atomic_fetch_add(__VA_ARGS__ &word_##NAME[0], top, to), 0, #NAME " fetch_add");            \
        IS(NAME, top, #NAME " fetch_add");                                                                             \
        PREFIX##NAME##_atomic_inc(__VA_ARGS__ &word_##NAME[0], to);                                                    \
        PREFIX##NAME##_atomic_add(__VA_ARGS__ &word_##NAME[0], 40, to);                                                \
        shmem_ctx_quiet(ctx);                                                                                          \
        IS(NAME, 40, #NAME " inc and add");                                                                            \
        PREFIX##NAME##_atomic_compare_swap_nbi(__VA_ARGS__ &fetched, &word_##NAME[0], 40, 50, to);                     \
        shmem_ctx_quiet(ctx);                                                                                          \
        GAVE(fetched, 40, #NAME " cswap_nbi");                                                                         \
        IS(NAME, 50, #NAME " cswap_nbi");                                                                              \
        PREFIX##NAME##_atomic_fetch_inc_nbi(__VA_ARGS__ &fetched, &word_##NAME[0], to);                                \
        shmem_ctx_quiet(ctx);                                                                                          \
        GAVE(fetched, 50, #NAME " fetch_inc_nbi");                                                                     \
        PREFIX##NAME##_atomic_fetch_add_nbi(__VA_ARGS__ &fetched, &word_##NAME[0], 9, to);                             \
        shmem_ctx_quiet(ctx);                                                                                          \
        GAVE(fetched, 51, #NAME " fetch_add_nbi");                                                                     \
        IS(NAME, 60, #NAME " fetch_add_nbi");                                                                          \
    }

// 0xF0F0..: the top bit is set, so a sign must not matter.
#define BITS(NAME, TYPE, PREFIX, ...)                                                                                  \
    {                                                                                                                  \
        const TYPE stripes = (TYPE)(0xF0F0F0F0F0F0F0F0u & (uint64_t)(TYPE)-1), low = (TYPE)0xFF;                       \
        TYPE fetched = (TYPE)1;                                                                                        \
        shmem_##NAME##_p(&word_##NAME[1], (TYPE)99, pe);                                                               \
        shmem_##NAME##_p(&word_##NAME[0], stripes, pe);                                                                \
        shmem_quiet();                                                                                                 \
        GAVE(PREFIX##NAME##_atomic_fetch_and(__VA_ARGS__ &word_##NAME[0], low, to), stripes, #NAME " fetch_and");      \
        IS(NAME, 0xF0, #NAME " fetch_and");                                                                            \
        GAVE(PREFIX##NAME##_atomic_fetch_or(__VA_ARGS__ &word_##NAME[0], stripes, to), 0xF0, #NAME " fetch_or");       \
        IS(NAME, stripes, #NAME " fetch_or");                                                                          \
        GAVE(PREFIX##NAME##_atomic_fetch_xor(__VA_ARGS__ &word_##NAME[0], low, to), stripes, #NAME " fetch_xor");      \
        IS(NAME, (TYPE)(stripes ^ low), #NAME " fetch_xor");                                                           \
        PREFIX##NAME##_atomic_and(__VA_ARGS__ &word_##NAME[0], low, to);                                               \
        shmem_ctx_quiet(ctx);                                                                                          \
        IS(NAME, 0x0F, #NAME " and");                                                                                  \
        PREFIX##NAME##_atomic_or(__VA_ARGS__ &word_##NAME[0], 0x70, to);                                               \
        shmem_ctx_quiet(ctx);                                                                                          \
        IS(NAME, 0x7F, #NAME " or");                                                                                   \
        PREFIX##NAME##_atomic_xor(__VA_ARGS__ &word_##NAME[0], 0x11, to);                                              \
        shmem_ctx_quiet(ctx);                                                                                          \
        IS(NAME, 0x6E, #NAME " xor");                                                                                  \
        PREFIX##NAME##_atomic_fetch_and_nbi(__VA_ARGS__ &fetched, &word_##NAME[0], 0x0F, to);                          \
        shmem_ctx_quiet(ctx);                                                                                          \
        GAVE(fetched, 0x6E, #NAME " fetch_and_nbi");                                                                   \
        PREFIX##NAME##_atomic_fetch_or_nbi(__VA_ARGS__ &fetched, &word_##NAME[0], 0x30, to);                           \
        shmem_ctx_quiet(ctx);                                                                                          \
        GAVE(fetched, 0x0E, #NAME " fetch_or_nbi");                                                                    \
        PREFIX##NAME##_atomic_fetch_xor_nbi(__VA_ARGS__ &fetched, &word_##NAME[0], 0xFF, to);                          \
        shmem_ctx_quiet(ctx);                                                                                          \
        GAVE(fetched, 0x3E, #NAME " fetch_xor_nbi");                                                                   \
        IS(NAME, 0xC1, #NAME " fetch_xor_nbi");                                                                        \
    }

#define MOVE_PLAIN(NAME, TYPE) MOVE(NAME, TYPE, shmem_, )
#define COUNT_PLAIN(NAME, TYPE) COUNT(NAME, TYPE, shmem_, )
#define BITS_PLAIN(NAME, TYPE) BITS(NAME, TYPE, shmem_, )
#define MOVE_ON(NAME, TYPE) MOVE(NAME, TYPE, shmem_ctx_, ctx, )
#define COUNT_ON(NAME, TYPE) COUNT(NAME, TYPE, shmem_ctx_, ctx, )
#define BITS_ON(NAME, TYPE) BITS(NAME, TYPE, shmem_ctx_, ctx, )

static void move_plain(int to, int pe) {
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    SKERRY_FAMILY(EXTENDED_ATOMIC, MOVE_PLAIN)
}

static void count_plain(int to, int pe) {
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    SKERRY_FAMILY(STANDARD_ATOMIC, COUNT_PLAIN)
}

static void bits_plain(int to, int pe) {
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    SKERRY_FAMILY(BITWISE_ATOMIC, BITS_PLAIN)
}

static void move_on(shmem_ctx_t ctx, int to, int pe) {
    SKERRY_FAMILY(EXTENDED_ATOMIC, MOVE_ON)
}

static void count_on(shmem_ctx_t ctx, int to, int pe) {
    SKERRY_FAMILY(STANDARD_ATOMIC, COUNT_ON)
}

static void bits_on(shmem_ctx_t ctx, int to, int pe) {
    SKERRY_FAMILY(BITWISE_ATOMIC, BITS_ON)
}

int main(void) {
    test_begin();
    shmem_barrier_all();
    move_plain(right_of(me), right_of(me));
    count_plain(right_of(me), right_of(me));
    bits_plain(right_of(me), right_of(me));
    struct test_context contexts[TEST_CONTEXTS_MAX];
    int count = test_contexts(contexts);
    for (int i = 0; i < count; i++) {
        shmem_barrier_all(); // one writer to a word at a time
        if (!contexts[i].team) continue;
        int to = context_right(&contexts[i]), pe = context_right_in_world(&contexts[i]);
        move_on(contexts[i].ctx, to, pe);
        count_on(contexts[i].ctx, to, pe);
        bits_on(contexts[i].ctx, to, pe);
    }
    test_contexts_end(contexts, count);
    return test_end();
}
