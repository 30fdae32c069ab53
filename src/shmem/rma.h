// SPDX-License-Identifier: BSD-3-Clause
// Contains the table of the routines for remote memory access (specification, section 9.5): puts and gets of
// contiguous, strided and block-strided elements, of single elements, and non-blocking puts and gets. rma_inline.h has
// their bodies.

//@ shmem_put: shmem_TYPENAME_put shmem_putSIZE shmem_putmem
// Copies contiguous elements from this PE to another PE.
//   dest    symmetric address of the elements on PE `pe`
//   source  elements of this PE, in any memory; can be changed after the routine returns
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
// Order: this PE's earlier put to the same words possibly arrives after the get. To order the two, call shmem_quiet
// between them.
// Source: OpenSHMEM 1.6, RMA, SHMEM_GET.

//@ shmem_put_nbi: shmem_TYPENAME_put_nbi shmem_putSIZE_nbi shmem_putmem_nbi
// Starts a put that shmem_quiet completes. Until then the program must not change the source, and must not access the
// destination. On Linux, the copy between PEs of one node is complete when the routine returns, but programs must not
// rely on this.
//   dest, source, nelems, pe  as for shmem_put
// Source: OpenSHMEM 1.6, RMA, SHMEM_PUT_NBI.

//@ shmem_get_nbi: shmem_TYPENAME_get_nbi shmem_getSIZE_nbi shmem_getmem_nbi
// Starts a get whose data is valid only after shmem_quiet. On Linux, the routine delivers the data of a PE of the same
// node before it returns. With oshcc --check, the data arrives only at the quiet. This shows programs that read the data
// too early. On a chip, a get of 64 bytes or more interrupts the owner of the data. The owner writes the data to the
// caller, while the caller continues. If the owner has masked interrupts or runs an interrupt handler, it writes the data
// later. A PE can have one such get in progress: its next get, blocking or not, first waits for the data. A caller that
// has masked interrupts or runs an interrupt handler interrupts no PE. It reads the data itself, by a DMA channel or by
// loads.
//   dest, source, nelems, pe  as for shmem_get
// Source: OpenSHMEM 1.6, RMA, SHMEM_GET_NBI.

//@ shmem_p: shmem_TYPENAME_p
// Stores one element on another PE. If that PE is on the same node, this takes address arithmetic and one store.
//   dest   symmetric address of the element on PE `pe`
//   value  the element
//   pe     rank in the world team; if the call has a context, rank in the context's team
// Order: as for shmem_put. An element of up to 8 bytes is written in one access.
// Source: OpenSHMEM 1.6, RMA, SHMEM_P.

//@ shmem_g: shmem_TYPENAME_g
// Returns one element of another PE. If that PE is on the same node, this takes address arithmetic and one load.
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

SKERRY_TYPED_PAIRS(RMA, SKERRY_NOTHING, _put, SKERRY_COPY, skerry_shmem_put)
SKERRY_TYPED_PAIRS(RMA, SKERRY_NOTHING, _get, SKERRY_COPY, skerry_shmem_get)
SKERRY_TYPED_PAIRS(RMA, SKERRY_NOTHING, _put_nbi, SKERRY_COPY, skerry_shmem_put_nbi)
SKERRY_TYPED_PAIRS(RMA, SKERRY_NOTHING, _get_nbi, SKERRY_COPY, skerry_shmem_get_nbi)
SKERRY_TYPED_PAIRS(RMA, SKERRY_NOTHING, _p, SKERRY_STORE, skerry_shmem_p)
SKERRY_TYPED_PAIRS(RMA, SKERRY_VALUE, _g, SKERRY_LOAD, skerry_shmem_g)
SKERRY_TYPED_PAIRS(RMA, SKERRY_NOTHING, _iput, SKERRY_STRIDED, skerry_shmem_ibput)
SKERRY_TYPED_PAIRS(RMA, SKERRY_NOTHING, _iget, SKERRY_STRIDED, skerry_shmem_ibget)
SKERRY_TYPED_PAIRS(RMA, SKERRY_NOTHING, _ibput, SKERRY_BLOCKS, skerry_shmem_ibput)
SKERRY_TYPED_PAIRS(RMA, SKERRY_NOTHING, _ibget, SKERRY_BLOCKS, skerry_shmem_ibget)

SKERRY_SIZED_PAIRS(SIZE_OR_MEM, _put, , SKERRY_COPY, skerry_shmem_put)
SKERRY_SIZED_PAIRS(SIZE_OR_MEM, _get, , SKERRY_COPY, skerry_shmem_get)
SKERRY_SIZED_PAIRS(SIZE_OR_MEM, _put, _nbi, SKERRY_COPY, skerry_shmem_put_nbi)
SKERRY_SIZED_PAIRS(SIZE_OR_MEM, _get, _nbi, SKERRY_COPY, skerry_shmem_get_nbi)
SKERRY_SIZED_PAIRS(SIZE, _iput, , SKERRY_STRIDED, skerry_shmem_ibput)
SKERRY_SIZED_PAIRS(SIZE, _iget, , SKERRY_STRIDED, skerry_shmem_ibget)
SKERRY_SIZED_PAIRS(SIZE, _ibput, , SKERRY_BLOCKS, skerry_shmem_ibput)
SKERRY_SIZED_PAIRS(SIZE, _ibget, , SKERRY_BLOCKS, skerry_shmem_ibget)

#ifdef SKERRY_READING_GENERICS
#define shmem_put(...) SKERRY_FORM_OF_4(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _put, __VA_ARGS__)
#define shmem_get(...) SKERRY_FORM_OF_4(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _get, __VA_ARGS__)
#define shmem_put_nbi(...) SKERRY_FORM_OF_4(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _put_nbi, __VA_ARGS__)
#define shmem_get_nbi(...) SKERRY_FORM_OF_4(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _get_nbi, __VA_ARGS__)
#define shmem_p(...) SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _p, __VA_ARGS__)
#define shmem_g(...) SKERRY_FORM_OF_2(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _g, __VA_ARGS__)
#define shmem_iput(...) SKERRY_FORM_OF_6(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _iput, __VA_ARGS__)
#define shmem_iget(...) SKERRY_FORM_OF_6(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _iget, __VA_ARGS__)
#define shmem_ibput(...) SKERRY_FORM_OF_7(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _ibput, __VA_ARGS__)
#define shmem_ibget(...) SKERRY_FORM_OF_7(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _ibget, __VA_ARGS__)
#endif
