// SPDX-License-Identifier: BSD-3-Clause
// Declares the oldest names of the set-up and memory routines, which are deprecated since OpenSHMEM 1.2 (specification,
// annex on deprecated interfaces).

//@ start_pes: deprecated start_pes _my_pe _num_pes shmalloc shfree shrealloc shmemalign
// Deprecated names of shmem_init, shmem_my_pe, shmem_n_pes, shmem_malloc, shmem_free, shmem_realloc and shmem_align. A
// program that calls start_pes need not call shmem_finalize.
//   npes  ignored
// Source: OpenSHMEM 1.6, deprecated API.

void start_pes(int npes);
int _my_pe(void);
int _num_pes(void);
void *shmalloc(size_t size);
void shfree(void *ptr);
void *shrealloc(void *ptr, size_t size);
void *shmemalign(size_t alignment, size_t size);
