// SPDX-License-Identifier: BSD-3-Clause
// p and g of every type move one value, the extreme ones too, and nothing beside it; plain and through every context.
// ways: 4:2:remote
#include "contexts.h"

#include <skerry/shmem/types.h>

#include <float.h>

#define VALUES 6

// Three words of each type: only the middle one may change.
#define DECLARE(NAME, TYPE)                                                                                            \
    static TYPE word_##NAME[3];                                                                                        \
    static TYPE *heap_##NAME;                                                                                          \
    static const TYPE values_##NAME[VALUES] = {                                                                        \
        (TYPE)0, (TYPE)1, (TYPE)-1, (TYPE)100, (TYPE)((TYPE)1 / (TYPE)3), (TYPE)(0x0123456789abcdefLL)};
SKERRY_FAMILY(RMA, DECLARE)

// What PE `pe` writes in round `round`.
#define VALUE(NAME, TYPE, round, pe) ((TYPE)(values_##NAME[(round) % VALUES] + (TYPE)((pe) % 16)))

#define CLEAR(NAME, TYPE)                                                                                              \
    for (int i = 0; i < 3; i++) word_##NAME[i] = heap_##NAME[i] = (TYPE)77;

#define WRITE(NAME, TYPE)                                                                                              \
    shmem_##NAME##_p(&word_##NAME[1], VALUE(NAME, TYPE, round, me), right_of(me));                                     \
    shmem_##NAME##_p(&heap_##NAME[1], VALUE(NAME, TYPE, round + 1, me), right_of(me));

#define WRITE_ON(NAME, TYPE)                                                                                           \
    shmem_ctx_##NAME##_p(context->ctx, &word_##NAME[1], VALUE(NAME, TYPE, round, me), context_right(context));         \
    shmem_ctx_##NAME##_p(context->ctx, &heap_##NAME[1], VALUE(NAME, TYPE, round + 1, me), context_right(context));

#define HOLDS(words, value)                                                                                            \
    ((words)[1] == (value) && (words)[0] == (words)[2] && (words)[0] + 0 == 77 && (words)[2] + 0 == 77)

#define LOOK(NAME, TYPE)                                                                                               \
    REQUIRE(HOLDS(word_##NAME, VALUE(NAME, TYPE, round, from)), "shmem_" #NAME "_p to static data, round %d", round);  \
    REQUIRE(HOLDS(heap_##NAME, VALUE(NAME, TYPE, round + 1, from)), "shmem_" #NAME "_p to the heap, round %d", round);

// The neighbour holds what its own neighbour wrote.
#define READ(NAME, TYPE)                                                                                               \
    REQUIRE(shmem_##NAME##_g(&word_##NAME[1], right_of(me)) == VALUE(NAME, TYPE, round, me), "shmem_" #NAME "_g");     \
    REQUIRE(shmem_##NAME##_g(&heap_##NAME[2], right_of(me)) == (TYPE)77, "shmem_" #NAME "_g beside the word");

#define READ_ON(NAME, TYPE)                                                                                            \
    REQUIRE(shmem_ctx_##NAME##_g(context->ctx, &word_##NAME[1], context_right(context)) ==                             \
                VALUE(NAME, TYPE, round, me),                                                                          \
            "shmem_ctx_" #NAME "_g on %s", context->name);                                                             \
    REQUIRE(shmem_ctx_##NAME##_g(context->ctx, &heap_##NAME[1], context_right(context)) ==                             \
                VALUE(NAME, TYPE, round + 1, me),                                                                      \
            "shmem_ctx_" #NAME "_g of the heap on %s", context->name);

static void try_plain(int round) {
    int from = left_of(me);
    SKERRY_FAMILY(RMA, CLEAR)
    shmem_barrier_all();
    SKERRY_FAMILY(RMA, WRITE)
    shmem_barrier_all();
    SKERRY_FAMILY(RMA, LOOK)
    SKERRY_FAMILY(RMA, READ)
    shmem_barrier_all();
}

static void try_on(const struct test_context *context, int round) {
    SKERRY_FAMILY(RMA, CLEAR)
    shmem_barrier_all();
    if (context->team) {
        SKERRY_FAMILY(RMA, WRITE_ON)
        shmem_ctx_quiet(context->ctx);
    }
    shmem_barrier_all();
    if (context->team) {
        int from = context_left_in_world(context);
        SKERRY_FAMILY(RMA, LOOK)
        SKERRY_FAMILY(RMA, READ_ON)
    }
    shmem_barrier_all();
}

#define ALLOCATE(NAME, TYPE) heap_##NAME = test_malloc(3 * sizeof(TYPE));

int main(void) {
    test_begin();
    SKERRY_FAMILY(RMA, ALLOCATE)
    for (int round = 0; round < 2 * VALUES; round++) try_plain(round);
    struct test_context contexts[TEST_CONTEXTS_MAX];
    int context_count = test_contexts(contexts);
    for (int i = 0; i < context_count; i++) try_on(&contexts[i], i);
    test_contexts_end(contexts, context_count);
    return test_end();
}
