// SPDX-License-Identifier: BSD-3-Clause
// Remote memory access (specification, section 9.5): put, get, single elements, strided, block-strided, non-blocking.

//@ shmem_put: shmem_TYPENAME_put shmem_putSIZE shmem_putmem
// Copies contiguous elements from this PE to another.
//   dest    symmetric address of the elements on PE `pe`
//   source  elements of this PE, any memory; may be reused on return
//   nelems  count of elements (putSIZE: of SIZE bits each; putmem: of bytes)
//   pe      rank in the world, or in the context's team
// Order: none between puts, except by shmem_fence; complete everywhere after shmem_quiet or a barrier.
// Errors: a wrong rank or address is undefined; oshcc --check reports it.
// Source: OpenSHMEM 1.6, RMA, SHMEM_PUT.

//@ shmem_get: shmem_TYPENAME_get shmem_getSIZE shmem_getmem
// Copies contiguous elements from another PE to this one; they are there on return.
//   dest    elements of this PE, any memory
//   source  symmetric address of the elements on PE `pe`
//   nelems  count of elements (getSIZE: of SIZE bits each; getmem: of bytes)
//   pe      rank in the world, or in the context's team
// Order: none with earlier puts to the same words, except after shmem_quiet.
// Source: OpenSHMEM 1.6, RMA, SHMEM_GET.

//@ shmem_put_nbi: shmem_TYPENAME_put_nbi shmem_putSIZE_nbi shmem_putmem_nbi
// A put that may return before the source may be reused: both sides belong to the library until shmem_quiet. On this node
// the copy is done on return all the same; programs must not rely on it.
//   dest, source, nelems, pe  as for shmem_put
// Source: OpenSHMEM 1.6, RMA, SHMEM_PUT_NBI.

//@ shmem_get_nbi: shmem_TYPENAME_get_nbi shmem_getSIZE_nbi shmem_getmem_nbi
// A get whose data is there only after shmem_quiet. On this node it is there on return; oshcc --check holds it back until the
// quiet, so that a program that reads too early is found. On a chip, from 64 bytes on, the owner of the data is interrupted and
// pushes them, while the caller goes on: an owner that has masked interrupts, or is in a handler, pushes behind that. A PE has one
// such get under way: the next one, and a blocking get, waits until the data of the one before are there. A PE whose own interrupts
// are masked, or that is in a handler, fetches the data itself, by a DMA channel or by loads.
//   dest, source, nelems, pe  as for shmem_get
// Source: OpenSHMEM 1.6, RMA, SHMEM_GET_NBI.

//@ shmem_p: shmem_TYPENAME_p
// Stores one element on another PE: address arithmetic and one store.
//   dest   symmetric address of the element on PE `pe`
//   value  the element
//   pe     rank in the world, or in the context's team
// Order: as shmem_put. An element of up to 8 bytes is written whole.
// Source: OpenSHMEM 1.6, RMA, SHMEM_P.

//@ shmem_g: shmem_TYPENAME_g
// Returns one element of another PE: address arithmetic and one load.
//   source  symmetric address of the element on PE `pe`
//   pe      rank in the world, or in the context's team
// Source: OpenSHMEM 1.6, RMA, SHMEM_G.

//@ shmem_iput: shmem_TYPENAME_iput shmem_iputSIZE
// Copies strided elements to another PE: element i goes from source[i * sst] to dest[i * dst].
//   dst, sst  strides in elements, at least 1
//   nelems    count of elements
//   dest, source, pe  as for shmem_put
// Source: OpenSHMEM 1.6, RMA, SHMEM_IPUT.

//@ shmem_iget: shmem_TYPENAME_iget shmem_igetSIZE
// Copies strided elements from another PE: element i comes from source[i * sst] to dest[i * dst].
//   dst, sst  strides in elements, at least 1
//   nelems    count of elements
//   dest, source, pe  as for shmem_get
// Source: OpenSHMEM 1.6, RMA, SHMEM_IGET.

//@ shmem_ibput: shmem_TYPENAME_ibput shmem_ibputSIZE
// Copies strided blocks to another PE: `nblocks` blocks of `bsize` elements, block i from source + i * sst to dest + i * dst.
//   dst, sst  distances of the blocks' first elements, in elements, at least bsize
//   dest, source, pe  as for shmem_put
// Source: OpenSHMEM 1.6, RMA, SHMEM_IBPUT.

//@ shmem_ibget: shmem_TYPENAME_ibget shmem_ibgetSIZE
// Copies strided blocks from another PE: `nblocks` blocks of `bsize` elements, block i from source + i * sst to dest + i * dst.
//   dst, sst  distances of the blocks' first elements, in elements, at least bsize
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
