// SPDX-License-Identifier: BSD-3-Clause
// iput, iget, ibput and ibget of every type and size move element by element as a serial copy would: strides from 1 up,
// different on both sides, through every kind of context. ibput with blocks of one element is iput.
// ways: 4:2:remote
#include "contexts.h"
#include "rma_families.h"

#define SLOT TEST_SIZE(4096, 2304)
typedef unsigned char slots[SLOT];

struct geometry {
    ptrdiff_t dst, sst;
    size_t block, count;
};

static const struct geometry geometries[] = {
    {1, 1, 1, 0}, {1, 1, 1, 1}, {1, 1, 1, 5}, {2, 1, 1, 7}, {1, 3, 1, 6},   {5, 4, 1, 9},
    {3, 3, 3, 4}, {5, 3, 3, 4}, {3, 4, 2, 5}, {8, 7, 6, 3}, {17, 16, 9, 2}, {4, 6, 4, 0},
};

static _Alignas(16) unsigned char static_dest[RMA_FAMILIES][SLOT];
static _Alignas(16) unsigned char static_source[RMA_FAMILIES][SLOT];

static uint64_t seed_of(int pe, size_t family) {
    return (uint64_t)pe * 100 + family;
}

static void serial_copy(unsigned char *dest, const unsigned char *source, const struct geometry *g, size_t size) {
    for (size_t k = 0; k < g->count; k++)
        for (size_t b = 0; b < g->block; b++)
            memcpy(dest + ((size_t)g->dst * k + b) * size, source + ((size_t)g->sst * k + b) * size, size);
}

static void require_as_serial(const unsigned char *dest, int from, size_t family, const struct geometry *g, size_t size,
                              const char *what, const char *name, const char *context) {
    unsigned char source[SLOT], expected[SLOT];
    test_fill(source, SLOT, seed_of(from, family));
    memset(expected, TEST_GUARD, SLOT);
    serial_copy(expected, source, g, size);
    size_t at = 0;
    while (at < SLOT && dest[at] == expected[at]) at++;
    REQUIRE(at == SLOT, "%s %s on context %s, strides %td and %td, %zu blocks of %zu: byte %zu is wrong", what, name,
            context, g->dst, g->sst, g->count, g->block, at);
}

static void put(const struct rma_family *family, const struct test_context *context, void *dest, const void *source,
                const struct geometry *g, bool blocks) {
    int to = context_right(context);
    if (blocks) family->ibput(context->ctx, dest, source, g->dst, g->sst, g->block, g->count, to);
    else family->iput(context->ctx, dest, source, g->dst, g->sst, g->count, to);
}

static void get(const struct rma_family *family, const struct test_context *context, void *dest, const void *source,
                const struct geometry *g, bool blocks) {
    int from = context_right(context);
    if (blocks) family->ibget(context->ctx, dest, source, g->dst, g->sst, g->block, g->count, from);
    else family->iget(context->ctx, dest, source, g->dst, g->sst, g->count, from);
}

static void try_all(const struct rma_family *families, const struct test_context *context, slots *dest, slots *source,
                    const struct geometry *g, bool blocks) {
    memset(dest, TEST_GUARD, RMA_FAMILIES * SLOT);
    for (size_t i = 0; i < RMA_FAMILIES; i++) test_fill(source[i], SLOT, seed_of(me, i));
    shmem_barrier_all();
    for (size_t i = 0; i < RMA_FAMILIES && context->team; i++)
        if (families[i].iput) put(&families[i], context, dest[i], source[i], g, blocks);
    if (context->team) shmem_ctx_quiet(context->ctx);
    shmem_barrier_all();
    for (size_t i = 0; i < RMA_FAMILIES && context->team; i++) {
        if (!families[i].iput) continue;
        require_as_serial(dest[i], context_left_in_world(context), i, g, families[i].size, blocks ? "ibput" : "iput",
                          families[i].name, context->name);
        memset(dest[i], TEST_GUARD, SLOT);
        get(&families[i], context, dest[i], source[i], g, blocks);
        require_as_serial(dest[i], context_right_in_world(context), i, g, families[i].size, blocks ? "ibget" : "iget",
                          families[i].name, context->name);
    }
    shmem_barrier_all();
}

int main(void) {
    test_begin();
    slots *heap_dest = test_malloc(sizeof static_dest);
    slots *heap_source = test_malloc(sizeof static_source);
    struct test_context contexts[TEST_CONTEXTS_MAX];
    int context_count = test_contexts(contexts);
    for (size_t i = 0; i < TEST_COUNT(geometries); i++) {
        const struct geometry *g = &geometries[i];
        try_all(rma_plain, &contexts[0], heap_dest, static_source, g, true);
        if (g->block == 1) try_all(rma_plain, &contexts[0], static_dest, heap_source, g, false);
        const struct test_context *context = &contexts[i % (size_t)context_count];
        try_all(rma_context, context, heap_dest, heap_source, g, true);
        if (g->block == 1) try_all(rma_context, context, static_dest, static_source, g, false);
    }
    const struct geometry apart = {7, 5, 1, 20};
    for (int i = 0; i < context_count; i++) try_all(rma_context, &contexts[i], heap_dest, static_source, &apart, false);
    test_contexts_end(contexts, context_count);
    return test_end();
}
