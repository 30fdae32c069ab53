// SPDX-License-Identifier: BSD-3-Clause
// put and get of every type and size, blocking and not, carry exactly their elements: between heap and static memory in
// both directions, through every kind of context, to the neighbour.
// ways: 4:2:remote 4:2:emulated
#include "contexts.h"
#include "rma_families.h"

#define COUNT_MAX 65
#define MARGIN 64
#define SLOT (COUNT_MAX * 16 + 2 * MARGIN)

static const size_t counts[] = {0, 1, 2, 3, 7, COUNT_MAX};

static _Alignas(64) unsigned char static_dest[RMA_FAMILIES][SLOT];
static _Alignas(64) unsigned char static_source[RMA_FAMILIES][SLOT];

typedef unsigned char slots[SLOT];

static uint64_t seed_of(int pe, size_t family, size_t count) {
    return (uint64_t)pe * 1000 + family * 10 + count;
}

static void require_slot(const unsigned char *slot, size_t bytes, uint64_t seed, const char *what, const char *family,
                         const char *context) {
    REQUIRE(test_first_wrong(slot + MARGIN, bytes, seed) == bytes, "%s %s on context %s: byte %zu of %zu is wrong",
            what, family, context, test_first_wrong(slot + MARGIN, bytes, seed), bytes);
    REQUIRE(test_all_guard(slot, MARGIN) && test_all_guard(slot + MARGIN + bytes, SLOT - MARGIN - bytes),
            "%s %s on context %s: wrote outside its %zu bytes", what, family, context, bytes);
}

static void try_put(const struct rma_family *families, const struct test_context *context, slots *dest, slots *source,
                    size_t count, bool nbi) {
    memset(dest, TEST_GUARD, RMA_FAMILIES * SLOT);
    shmem_barrier_all();
    for (size_t i = 0; i < RMA_FAMILIES && context->team; i++) {
        test_fill(source[i] + MARGIN, count * families[i].size, seed_of(me, i, count));
        rma_copy put = nbi ? families[i].put_nbi : families[i].put;
        put(context->ctx, dest[i] + MARGIN, source[i] + MARGIN, count, context_right(context));
        if (!nbi) memset(source[i] + MARGIN, 0, count * families[i].size); // a blocking put has read it
    }
    if (context->team) shmem_ctx_quiet(context->ctx);
    shmem_barrier_all();
    for (size_t i = 0; i < RMA_FAMILIES && context->team; i++)
        require_slot(dest[i], count * families[i].size, seed_of(context_left_in_world(context), i, count),
                     nbi ? "put_nbi" : "put", families[i].name, context->name);
}

static void try_get(const struct rma_family *families, const struct test_context *context, slots *dest, slots *source,
                    size_t count, bool nbi) {
    for (size_t i = 0; i < RMA_FAMILIES; i++)
        test_fill(source[i] + MARGIN, count * families[i].size, seed_of(me, i, count));
    memset(dest, TEST_GUARD, RMA_FAMILIES * SLOT);
    shmem_barrier_all();
    for (size_t i = 0; i < RMA_FAMILIES && context->team; i++) {
        rma_copy get = nbi ? families[i].get_nbi : families[i].get;
        get(context->ctx, dest[i] + MARGIN, source[i] + MARGIN, count, context_right(context));
    }
    if (context->team && nbi) shmem_ctx_quiet(context->ctx);
    for (size_t i = 0; i < RMA_FAMILIES && context->team; i++)
        require_slot(dest[i], count * families[i].size, seed_of(context_right_in_world(context), i, count),
                     nbi ? "get_nbi" : "get", families[i].name, context->name);
    shmem_barrier_all();
}

static void try_both(const struct rma_family *families, const struct test_context *context, slots *dest, slots *source,
                     size_t count) {
    for (int nbi = 0; nbi < 2; nbi++) {
        try_put(families, context, dest, source, count, nbi != 0);
        try_get(families, context, dest, source, count, nbi != 0);
    }
}

int main(void) {
    test_begin();
    slots *heap_dest = test_malloc(sizeof static_dest);
    slots *heap_source = test_malloc(sizeof static_source);
    struct test_context contexts[TEST_CONTEXTS_MAX];
    int context_count = test_contexts(contexts);
    for (size_t c = 0; c < TEST_COUNT(counts); c++) {
        try_both(rma_plain, &contexts[0], heap_dest, heap_source, counts[c]);
        try_both(rma_plain, &contexts[0], static_dest, heap_source, counts[c]);
        try_both(rma_plain, &contexts[0], heap_dest, static_source, counts[c]);
        try_both(rma_plain, &contexts[0], static_dest, static_source, counts[c]);
    }
    for (int i = 0; i < context_count; i++) {
        try_both(rma_context, &contexts[i], heap_dest, static_source, COUNT_MAX);
        try_both(rma_context, &contexts[i], static_dest, heap_source, 1);
    }
    test_contexts_end(contexts, context_count);
    shmem_free(heap_source);
    shmem_free(heap_dest);
    return test_end();
}
