// SPDX-License-Identifier: BSD-3-Clause
// Control of a profiling tool (specification, section 10): does nothing unless a tool replaces it.

//@ shmem_pcontrol: shmem_pcontrol
// Tells a profiling tool what to do; without a tool it does nothing.
//   level  0 off, 1 on, 2 flush, above: the tool's own
// Source: OpenSHMEM 1.6, profiling interface, SHMEM_PCONTROL.

SKERRY_DECLARE(void, shmem_pcontrol, (int level, ...))
