// SPDX-License-Identifier: BSD-3-Clause
// Declares the routine by which a program controls a profiling tool (specification, section 10). Without a tool that
// replaces the routine, the routine does nothing.

//@ shmem_pcontrol: shmem_pcontrol
// Switches a profiling tool on or off, or makes it write its data. Without a tool the routine does nothing.
//   level  0: off; 1: on; 2: write the data; other levels have a meaning that the tool defines
// Source: OpenSHMEM 1.6, profiling interface, SHMEM_PCONTROL.

SKERRY_DECLARE(void, shmem_pcontrol, (int level, ...))
