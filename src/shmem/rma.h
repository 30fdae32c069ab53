// SPDX-License-Identifier: BSD-3-Clause
// Defines the routines for remote memory access (specification, section 9.5): puts and gets of contiguous, strided and
// block-strided elements, of single elements, and non-blocking puts and gets.

//@ shmem_put: shmem_TYPENAME_put shmem_putSIZE shmem_putmem
// Copies contiguous elements from this PE to another PE.
//   dest    symmetric address of the elements on PE `pe`
//   source  elements of this PE, in any memory; may be changed after the routine returns
//   nelems  number of elements (putSIZE: elements of SIZE bits; putmem: bytes)
//   pe      rank in the world team; if the call has a context, rank in the context's team
// Order: puts are not ordered, except by shmem_fence. They are complete on all PEs after shmem_quiet or a barrier.
// Errors: a wrong rank or address has undefined results; oshcc --check reports it.
// Source: OpenSHMEM 1.6, RMA, SHMEM_PUT.

//@ shmem_get: shmem_TYPENAME_get shmem_getSIZE shmem_getmem
// Copies contiguous elements from another PE to this PE. The copy is complete on return.
//   dest    elements of this PE, in any memory
//   source  symmetric address of the elements on PE `pe`
//   nelems  number of elements (getSIZE: elements of SIZE bits; getmem: bytes)
//   pe      rank in the world team; if the call has a context, rank in the context's team
// Order: a get is not ordered with this PE's earlier puts to the same words, unless shmem_quiet is between the put and
// the get.
// Source: OpenSHMEM 1.6, RMA, SHMEM_GET.

//@ shmem_put_nbi: shmem_TYPENAME_put_nbi shmem_putSIZE_nbi shmem_putmem_nbi
// Starts a put that shmem_quiet completes. Until then the program must not change the source, and must not access the
// destination. Between PEs of one node the copy is complete when the routine returns, but programs must not rely on
// this.
//   dest, source, nelems, pe  as for shmem_put
// Source: OpenSHMEM 1.6, RMA, SHMEM_PUT_NBI.

//@ shmem_get_nbi: shmem_TYPENAME_get_nbi shmem_getSIZE_nbi shmem_getmem_nbi
// Starts a get whose data is valid only after shmem_quiet. Between PEs of one node the routine delivers the data before
// it returns. With oshcc --check, the data arrives only at the quiet, so that a program that reads it too early is
// found. On a chip, a get of 64 bytes or more interrupts the owner of the data, which then writes it to the caller
// while the caller continues. An owner that has masked interrupts writes the data after it unmasks them; an owner that
// runs a handler writes the data after the handler. A PE can have one such get in progress: its next get, blocking or
// not, first waits for the data of the get in progress. A PE whose own interrupts are masked, or that runs a handler,
// reads the data itself, by a DMA channel or by loads.
//   dest, source, nelems, pe  as for shmem_get
// Source: OpenSHMEM 1.6, RMA, SHMEM_GET_NBI.

//@ shmem_p: shmem_TYPENAME_p
// Stores one element on another PE, by address arithmetic and one store.
//   dest   symmetric address of the element on PE `pe`
//   value  the element
//   pe     rank in the world team; if the call has a context, rank in the context's team
// Order: as shmem_put. An element of up to 8 bytes is written in one access.
// Source: OpenSHMEM 1.6, RMA, SHMEM_P.

//@ shmem_g: shmem_TYPENAME_g
// Returns one element of another PE, by address arithmetic and one load.
//   source  symmetric address of the element on PE `pe`
//   pe      rank in the world team; if the call has a context, rank in the context's team
// Source: OpenSHMEM 1.6, RMA, SHMEM_G.

//@ shmem_iput: shmem_TYPENAME_iput shmem_iputSIZE
// Copies strided elements to another PE: element i from source[i * sst] to dest[i * dst].
//   dst, sst  strides in elements, at least 1
//   nelems    number of elements
//   dest, source, pe  as for shmem_put
// Source: OpenSHMEM 1.6, RMA, SHMEM_IPUT.

//@ shmem_iget: shmem_TYPENAME_iget shmem_igetSIZE
// Copies strided elements from another PE: element i from source[i * sst] to dest[i * dst].
//   dst, sst  strides in elements, at least 1
//   nelems    number of elements
//   dest, source, pe  as for shmem_get
// Source: OpenSHMEM 1.6, RMA, SHMEM_IGET.

//@ shmem_ibput: shmem_TYPENAME_ibput shmem_ibputSIZE
// Copies `nblocks` strided blocks of `bsize` elements to another PE: block i from source + i * sst to dest + i * dst.
//   dst, sst  distances between the first elements of successive blocks, in elements, at least bsize
//   dest, source, pe  as for shmem_put
// Source: OpenSHMEM 1.6, RMA, SHMEM_IBPUT.

//@ shmem_ibget: shmem_TYPENAME_ibget shmem_ibgetSIZE
// Copies `nblocks` strided blocks of `bsize` elements from another PE: block i from source + i * sst to dest + i * dst.
//   dst, sst  distances between the first elements of successive blocks, in elements, at least bsize
//   dest, source, pe  as for shmem_get
// Source: OpenSHMEM 1.6, RMA, SHMEM_IBGET.

#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_INLINE_PAIR(void, NAME##_put, 4, (TYPE * dest, const TYPE *source, size_t nelems, int pe), {                \
        SKERRY_WHEN_CHECKING(skerry_check_put(__func__ + 1, dest, source, nelems, sizeof(TYPE), pe))                   \
        skerry_put(dest, source, nelems * sizeof(TYPE), pe);                                                           \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(void, NAME##_get, 4, (TYPE * dest, const TYPE *source, size_t nelems, int pe), {                \
        SKERRY_WHEN_CHECKING(skerry_check_get(__func__ + 1, dest, source, nelems, sizeof(TYPE), pe))                   \
        skerry_may_be_polling(source);                                                                                 \
        skerry_get(dest, source, nelems * sizeof(TYPE), pe);                                                           \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(void, NAME##_put_nbi, 4, (TYPE * dest, const TYPE *source, size_t nelems, int pe), {            \
        SKERRY_WHEN_CHECKING(skerry_check_put_nbi(__func__ + 1, dest, source, nelems, sizeof(TYPE), pe))               \
        skerry_put_nbi(dest, source, nelems * sizeof(TYPE), pe);                                                       \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(void, NAME##_get_nbi, 4, (TYPE * dest, const TYPE *source, size_t nelems, int pe), {            \
        SKERRY_WHEN_CHECKING(if (skerry_check_get_nbi(__func__ + 1, dest, source, nelems, sizeof(TYPE), pe)) return )  \
        skerry_get_nbi(dest, source, nelems * sizeof(TYPE), pe);                                                       \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(void, NAME##_p, 3, (TYPE * dest, TYPE value, int pe), {                                         \
        SKERRY_WHEN_CHECKING(skerry_check_put(__func__ + 1, dest, &value, 1, sizeof(TYPE), pe))                        \
        skerry_put_value(TYPE, dest, value, pe);                                                                       \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(TYPE, NAME##_g, 2, (const TYPE *source, int pe), {                                              \
        SKERRY_WHEN_CHECKING(skerry_check_get_value(__func__ + 1, source, sizeof(TYPE), pe))                           \
        skerry_may_be_polling(source);                                                                                 \
        return skerry_get_value(TYPE, source, pe);                                                                     \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(void, NAME##_iput, 6,                                                                           \
                       (TYPE * dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe), {       \
                           SKERRY_WHEN_CHECKING(                                                                       \
                               skerry_check_iput(__func__ + 1, dest, source, dst, sst, sizeof(TYPE), 1, nelems, pe))   \
                           skerry_put_strided(dest, source, dst *(ptrdiff_t)sizeof(TYPE),                              \
                                              sst *(ptrdiff_t)sizeof(TYPE), sizeof(TYPE), nelems, pe);                 \
                       })                                                                                              \
    SKERRY_INLINE_PAIR(void, NAME##_iget, 6,                                                                           \
                       (TYPE * dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe), {       \
                           SKERRY_WHEN_CHECKING(                                                                       \
                               skerry_check_iget(__func__ + 1, dest, source, dst, sst, sizeof(TYPE), 1, nelems, pe))   \
                           skerry_get_strided(dest, source, dst *(ptrdiff_t)sizeof(TYPE),                              \
                                              sst *(ptrdiff_t)sizeof(TYPE), sizeof(TYPE), nelems, pe);                 \
                       })                                                                                              \
    SKERRY_INLINE_PAIR(                                                                                                \
        void, NAME##_ibput, 7,                                                                                         \
        (TYPE * dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe), {       \
            SKERRY_WHEN_CHECKING(                                                                                      \
                skerry_check_iput(__func__ + 1, dest, source, dst, sst, sizeof(TYPE), bsize, nblocks, pe))             \
            skerry_put_strided(dest, source, dst *(ptrdiff_t)sizeof(TYPE), sst *(ptrdiff_t)sizeof(TYPE),               \
                               bsize * sizeof(TYPE), nblocks, pe);                                                     \
        })                                                                                                             \
    SKERRY_INLINE_PAIR(                                                                                                \
        void, NAME##_ibget, 7,                                                                                         \
        (TYPE * dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe), {       \
            SKERRY_WHEN_CHECKING(                                                                                      \
                skerry_check_iget(__func__ + 1, dest, source, dst, sst, sizeof(TYPE), bsize, nblocks, pe))             \
            skerry_get_strided(dest, source, dst *(ptrdiff_t)sizeof(TYPE), sst *(ptrdiff_t)sizeof(TYPE),               \
                               bsize * sizeof(TYPE), nblocks, pe);                                                     \
        })
SKERRY_RMA_TYPES(SKERRY_LIST)
#undef SKERRY_LIST

#define SKERRY_LIST(BITS, BYTES)                                                                                       \
    SKERRY_INLINE_PAIR(void, put##BITS, 4, (void *dest, const void *source, size_t nelems, int pe), {                  \
        SKERRY_WHEN_CHECKING(skerry_check_put(__func__ + 1, dest, source, nelems, BYTES, pe))                          \
        skerry_put(dest, source, nelems *BYTES, pe);                                                                   \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(void, get##BITS, 4, (void *dest, const void *source, size_t nelems, int pe), {                  \
        SKERRY_WHEN_CHECKING(skerry_check_get(__func__ + 1, dest, source, nelems, BYTES, pe))                          \
        skerry_may_be_polling(source);                                                                                 \
        skerry_get(dest, source, nelems *BYTES, pe);                                                                   \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(void, put##BITS##_nbi, 4, (void *dest, const void *source, size_t nelems, int pe), {            \
        SKERRY_WHEN_CHECKING(skerry_check_put_nbi(__func__ + 1, dest, source, nelems, BYTES, pe))                      \
        skerry_put_nbi(dest, source, nelems *BYTES, pe);                                                               \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(void, get##BITS##_nbi, 4, (void *dest, const void *source, size_t nelems, int pe), {            \
        SKERRY_WHEN_CHECKING(if (skerry_check_get_nbi(__func__ + 1, dest, source, nelems, BYTES, pe)) return )         \
        skerry_get_nbi(dest, source, nelems *BYTES, pe);                                                               \
    })                                                                                                                 \
    SKERRY_INLINE_PAIR(                                                                                                \
        void, iput##BITS, 6, (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe), {  \
            SKERRY_WHEN_CHECKING(skerry_check_iput(__func__ + 1, dest, source, dst, sst, BYTES, 1, nelems, pe))        \
            skerry_put_strided(dest, source, dst *BYTES, sst *BYTES, BYTES, nelems, pe);                               \
        })                                                                                                             \
    SKERRY_INLINE_PAIR(                                                                                                \
        void, iget##BITS, 6, (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe), {  \
            SKERRY_WHEN_CHECKING(skerry_check_iget(__func__ + 1, dest, source, dst, sst, BYTES, 1, nelems, pe))        \
            skerry_get_strided(dest, source, dst *BYTES, sst *BYTES, BYTES, nelems, pe);                               \
        })                                                                                                             \
    SKERRY_INLINE_PAIR(                                                                                                \
        void, ibput##BITS, 7,                                                                                          \
        (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe), {        \
            SKERRY_WHEN_CHECKING(skerry_check_iput(__func__ + 1, dest, source, dst, sst, BYTES, bsize, nblocks, pe))   \
            skerry_put_strided(dest, source, dst *BYTES, sst *BYTES, bsize *BYTES, nblocks, pe);                       \
        })                                                                                                             \
    SKERRY_INLINE_PAIR(                                                                                                \
        void, ibget##BITS, 7,                                                                                          \
        (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe), {        \
            SKERRY_WHEN_CHECKING(skerry_check_iget(__func__ + 1, dest, source, dst, sst, BYTES, bsize, nblocks, pe))   \
            skerry_get_strided(dest, source, dst *BYTES, sst *BYTES, bsize *BYTES, nblocks, pe);                       \
        })
SKERRY_SIZES(SKERRY_LIST)
#undef SKERRY_LIST

SKERRY_INLINE_PAIR(void, putmem, 4, (void *dest, const void *source, size_t nelems, int pe), {
    SKERRY_WHEN_CHECKING(skerry_check_put(__func__ + 1, dest, source, nelems, 1, pe))
    skerry_put(dest, source, nelems, pe);
})
SKERRY_INLINE_PAIR(void, getmem, 4, (void *dest, const void *source, size_t nelems, int pe), {
    SKERRY_WHEN_CHECKING(skerry_check_get(__func__ + 1, dest, source, nelems, 1, pe))
    skerry_may_be_polling(source);
    skerry_get(dest, source, nelems, pe);
})
SKERRY_INLINE_PAIR(void, putmem_nbi, 4, (void *dest, const void *source, size_t nelems, int pe), {
    SKERRY_WHEN_CHECKING(skerry_check_put_nbi(__func__ + 1, dest, source, nelems, 1, pe))
    skerry_put_nbi(dest, source, nelems, pe);
})
SKERRY_INLINE_PAIR(void, getmem_nbi, 4, (void *dest, const void *source, size_t nelems, int pe), {
    SKERRY_WHEN_CHECKING(if (skerry_check_get_nbi(__func__ + 1, dest, source, nelems, 1, pe)) return )
    skerry_get_nbi(dest, source, nelems, pe);
})
