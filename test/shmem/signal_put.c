// SPDX-License-Identifier: BSD-3-Clause
// put_signal and put_signal_nbi of every type, size and context: when the signal says so the data is there, SET replaces
// and ADD adds, and a put of no elements still signals.
// ways: 4:2:remote
#include "contexts.h"

#include <skerry/shmem/types.h>

#define COUNT_MAX 33

struct family {
    const char *name;
    size_t size;
    void (*put)(shmem_ctx_t ctx, void *dest, const void *source, size_t count, uint64_t *signal, uint64_t value, int op,
                int pe);
};

#define THUNK(LABEL, ROUTINE)                                                                                          \
    static void plain_##LABEL(shmem_ctx_t ctx, void *dest, const void *source, size_t count, uint64_t *signal,         \
                              uint64_t value, int op, int pe) {                                                        \
        (void)ctx;                                                                                                     \
        shmem_##ROUTINE(dest, source, count, signal, value, op, pe);                                                   \
    }                                                                                                                  \
    static void context_##LABEL(shmem_ctx_t ctx, void *dest, const void *source, size_t count, uint64_t *signal,       \
                                uint64_t value, int op, int pe) {                                                      \
        shmem_ctx_##ROUTINE(ctx, dest, source, count, signal, value, op, pe);                                          \
    }
#define TYPED(NAME, TYPE)                                                                                              \
    THUNK(NAME, NAME##_put_signal)                                                                                     \
    THUNK(NAME##_nbi, NAME##_put_signal_nbi)
#define SIZED(BITS, BYTES)                                                                                             \
    THUNK(bits##BITS, put##BITS##_signal)                                                                              \
    THUNK(bits##BITS##_nbi, put##BITS##_signal_nbi)
SKERRY_FAMILY(RMA, TYPED)
SKERRY_FAMILY(SIZE, SIZED)
THUNK(mem, putmem_signal)
THUNK(mem_nbi, putmem_signal_nbi)

#define ROWS(FORM, LABEL, BYTES)                                                                                       \
    {#LABEL " " #FORM, BYTES, FORM##_##LABEL}, {#LABEL "_nbi " #FORM, BYTES, FORM##_##LABEL##_nbi},
#define PLAIN_TYPED(NAME, TYPE) ROWS(plain, NAME, sizeof(TYPE))
#define PLAIN_SIZED(BITS, BYTES) ROWS(plain, bits##BITS, BYTES)
#define CONTEXT_TYPED(NAME, TYPE) ROWS(context, NAME, sizeof(TYPE))
#define CONTEXT_SIZED(BITS, BYTES) ROWS(context, bits##BITS, BYTES)
static const struct family plain[] = {SKERRY_FAMILY(RMA, PLAIN_TYPED) SKERRY_FAMILY(SIZE, PLAIN_SIZED)
                                          ROWS(plain, mem, 1)};
static const struct family on_context[] = {SKERRY_FAMILY(RMA, CONTEXT_TYPED) SKERRY_FAMILY(SIZE, CONTEXT_SIZED)
                                               ROWS(context, mem, 1)};
#define FAMILIES TEST_COUNT(plain)

static _Alignas(16) unsigned char dest[FAMILIES][(COUNT_MAX + 1) * 16];
static _Alignas(16) unsigned char source[(COUNT_MAX + 1) * 16];
static uint64_t signals[FAMILIES];

static uint64_t expected_signal(int op, size_t family, int from) {
    uint64_t value = 1000 + family * 10 + (uint64_t)from;
    return op == SHMEM_SIGNAL_SET ? value : value + 5; // the word holds 5 before
}

static void try_all(const struct family *families, const struct test_context *context, size_t count, int op) {
    memset(dest, TEST_GUARD, sizeof dest);
    for (size_t i = 0; i < FAMILIES; i++) signals[i] = 5;
    shmem_barrier_all();
    for (size_t i = 0; i < FAMILIES && context->team; i++) {
        shmem_ctx_quiet(context->ctx); // the source is about to change
        test_fill(source, sizeof source, (uint64_t)me + i);
        families[i].put(context->ctx, dest[i], source, count, &signals[i], expected_signal(SHMEM_SIGNAL_SET, i, me), op,
                        context_right(context));
    }
    for (size_t i = 0; i < FAMILIES && context->team; i++) {
        int from = context_left_in_world(context);
        size_t bytes = count * families[i].size;
        uint64_t got = shmem_signal_wait_until(&signals[i], SHMEM_CMP_NE, 5);
        REQUIRE(got == expected_signal(op, i, from), "%s on %s: signal is %llu", families[i].name, context->name,
                (unsigned long long)got);
        REQUIRE(test_first_wrong(dest[i], bytes, (uint64_t)from + i) == bytes,
                "%s on %s: signal before byte %zu of %zu", families[i].name, context->name,
                test_first_wrong(dest[i], bytes, (uint64_t)from + i), bytes);
        REQUIRE(test_all_guard(dest[i] + bytes, sizeof dest[i] - bytes), "%s on %s: wrote past its %zu bytes",
                families[i].name, context->name, bytes);
    }
    shmem_barrier_all();
}

int main(void) {
    static const size_t counts[] = {0, 1, 3, COUNT_MAX};
    test_begin();
    struct test_context contexts[TEST_CONTEXTS_MAX];
    int context_count = test_contexts(contexts);
    for (size_t c = 0; c < TEST_COUNT(counts); c++) {
        try_all(plain, &contexts[0], counts[c], SHMEM_SIGNAL_SET);
        try_all(plain, &contexts[0], counts[c], SHMEM_SIGNAL_ADD);
    }
    for (int i = 0; i < context_count; i++) {
        try_all(on_context, &contexts[i], (size_t)i, SHMEM_SIGNAL_SET);
        try_all(on_context, &contexts[i], COUNT_MAX, SHMEM_SIGNAL_ADD);
    }
    test_contexts_end(contexts, context_count);
    return test_end();
}
