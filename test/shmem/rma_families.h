// SPDX-License-Identifier: BSD-3-Clause
// Every put and get of the interface behind one signature for each geometry, in tables over the types: each typed, sized
// and untyped form, plain and on a context. A test is then written once, over bytes.
#ifndef SKERRY_TEST_SHMEM_RMA_FAMILIES_H
#define SKERRY_TEST_SHMEM_RMA_FAMILIES_H

#include "test.h"

#include <skerry/shmem/types.h>

typedef void (*rma_copy)(shmem_ctx_t ctx, void *dest, const void *source, size_t count, int pe);
typedef void (*rma_strided)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t count,
                            int pe);
typedef void (*rma_blocks)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t block,
                           size_t count, int pe);

struct rma_family {
    const char *name;
    size_t size; // of an element
    rma_copy put, get, put_nbi, get_nbi;
    rma_strided iput, iget;
    rma_blocks ibput, ibget;
};

// LABEL names the thunk, ROUTINE is the routine's name without "shmem_" or "shmem_ctx_".
#define RMA_COPY(LABEL, ROUTINE)                                                                                       \
    static void plain_##LABEL(shmem_ctx_t ctx, void *dest, const void *source, size_t count, int pe) {                 \
        (void)ctx;                                                                                                     \
        shmem_##ROUTINE(dest, source, count, pe);                                                                      \
    }                                                                                                                  \
    static void context_##LABEL(shmem_ctx_t ctx, void *dest, const void *source, size_t count, int pe) {               \
        shmem_ctx_##ROUTINE(ctx, dest, source, count, pe);                                                             \
    }
#define RMA_STRIDED(LABEL, ROUTINE)                                                                                    \
    static void plain_##LABEL(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,           \
                              size_t count, int pe) {                                                                  \
        (void)ctx;                                                                                                     \
        shmem_##ROUTINE(dest, source, dst, sst, count, pe);                                                            \
    }                                                                                                                  \
    static void context_##LABEL(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,         \
                                size_t count, int pe) {                                                                \
        shmem_ctx_##ROUTINE(ctx, dest, source, dst, sst, count, pe);                                                   \
    }
#define RMA_BLOCKS(LABEL, ROUTINE)                                                                                     \
    static void plain_##LABEL(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,           \
                              size_t block, size_t count, int pe) {                                                    \
        (void)ctx;                                                                                                     \
        shmem_##ROUTINE(dest, source, dst, sst, block, count, pe);                                                     \
    }                                                                                                                  \
    static void context_##LABEL(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,         \
                                size_t block, size_t count, int pe) {                                                  \
        shmem_ctx_##ROUTINE(ctx, dest, source, dst, sst, block, count, pe);                                            \
    }

#define RMA_TYPED(NAME, TYPE)                                                                                          \
    RMA_COPY(NAME##_put, NAME##_put)                                                                                   \
    RMA_COPY(NAME##_get, NAME##_get)                                                                                   \
    RMA_COPY(NAME##_put_nbi, NAME##_put_nbi)                                                                           \
    RMA_COPY(NAME##_get_nbi, NAME##_get_nbi)                                                                           \
    RMA_STRIDED(NAME##_iput, NAME##_iput)                                                                              \
    RMA_STRIDED(NAME##_iget, NAME##_iget)                                                                              \
    RMA_BLOCKS(NAME##_ibput, NAME##_ibput)                                                                             \
    RMA_BLOCKS(NAME##_ibget, NAME##_ibget)
#define RMA_SIZED(BITS, BYTES)                                                                                         \
    RMA_COPY(bits##BITS##_put, put##BITS)                                                                              \
    RMA_COPY(bits##BITS##_get, get##BITS)                                                                              \
    RMA_COPY(bits##BITS##_put_nbi, put##BITS##_nbi)                                                                    \
    RMA_COPY(bits##BITS##_get_nbi, get##BITS##_nbi)                                                                    \
    RMA_STRIDED(bits##BITS##_iput, iput##BITS)                                                                         \
    RMA_STRIDED(bits##BITS##_iget, iget##BITS)                                                                         \
    RMA_BLOCKS(bits##BITS##_ibput, ibput##BITS)                                                                        \
    RMA_BLOCKS(bits##BITS##_ibget, ibget##BITS)
SKERRY_FAMILY(RMA, RMA_TYPED)
SKERRY_FAMILY(SIZE, RMA_SIZED)
RMA_COPY(mem_put, putmem)
RMA_COPY(mem_get, getmem)
RMA_COPY(mem_put_nbi, putmem_nbi)
RMA_COPY(mem_get_nbi, getmem_nbi)

#define RMA_ROW(FORM, LABEL, BYTES)                                                                                    \
    {#LABEL " " #FORM,         BYTES,                                                                                  \
     FORM##_##LABEL##_put,     FORM##_##LABEL##_get,                                                                   \
     FORM##_##LABEL##_put_nbi, FORM##_##LABEL##_get_nbi,                                                               \
     FORM##_##LABEL##_iput,    FORM##_##LABEL##_iget,                                                                  \
     FORM##_##LABEL##_ibput,   FORM##_##LABEL##_ibget},
#define RMA_ROW_MEM(FORM)                                                                                              \
    {"mem " #FORM, 1, FORM##_mem_put, FORM##_mem_get, FORM##_mem_put_nbi, FORM##_mem_get_nbi, NULL, NULL, NULL, NULL},

#define RMA_PLAIN_TYPED(NAME, TYPE) RMA_ROW(plain, NAME, sizeof(TYPE))
#define RMA_PLAIN_SIZED(BITS, BYTES) RMA_ROW(plain, bits##BITS, BYTES)
TEST_UNUSED static const struct rma_family rma_plain[] = {SKERRY_FAMILY(RMA, RMA_PLAIN_TYPED)
                                                              SKERRY_FAMILY(SIZE, RMA_PLAIN_SIZED) RMA_ROW_MEM(plain)};

#define RMA_CONTEXT_TYPED(NAME, TYPE) RMA_ROW(context, NAME, sizeof(TYPE))
#define RMA_CONTEXT_SIZED(BITS, BYTES) RMA_ROW(context, bits##BITS, BYTES)
TEST_UNUSED static const struct rma_family rma_context[] = {
    SKERRY_FAMILY(RMA, RMA_CONTEXT_TYPED) SKERRY_FAMILY(SIZE, RMA_CONTEXT_SIZED) RMA_ROW_MEM(context)};

#define RMA_FAMILIES (TEST_COUNT(rma_plain))

#endif
