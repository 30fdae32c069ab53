// SPDX-License-Identifier: BSD-3-Clause
// Declares routines for global addresses, which the specification does not have.

//@ shmemx_global: shmemx_global shmemx_owner
// Returns the global address of an object (shmemx_global), or the PE whose memory an address names (shmemx_owner). A
// global address names the same object in every PE: a program can store it, compare it and send it to other PEs. A program
// can pass it as the first argument of a remote procedure call, and to every routine that takes a symmetric address. Routines
// that use the caller's own memory, such as waits, locks and collectives, need the global address of the caller's object. For a
// PE on the caller's node it is the address that shmem_ptr returns: a program can load from it and store to it. The memory
// of a PE of another node is not mapped: there the global address is only a name, and an access to it ends the job.
//   address  for shmemx_global an address in the caller's symmetric memory, or a global address of any PE's object;
//            for shmemx_owner any address
//   pe       rank of a PE
// Returns: shmemx_global returns the global address of the same object of PE pe. It returns NULL if pe is not the rank of
// a PE or address is not symmetric. shmemx_owner returns the PE in whose symmetric memory the address is, or -1.
// Source: Skerry's own; the global addresses of Ross and Richie 2018, section 3, for PEs of other nodes too.

SKERRY_DECLARE(void *, shmemx_global, (const void *address, int pe))
SKERRY_DECLARE(int, shmemx_owner, (const void *address))
