// SPDX-License-Identifier: BSD-3-Clause
// Defines the numbers of the address space that differ between processors: here for x86-64.
#ifndef SKERRY_MACHINE_LINUX_ARCH_X86_64_LAYOUT_H
#define SKERRY_MACHINE_LINUX_ARCH_X86_64_LAYOUT_H

// The heap lies between the two places where executables without address randomisation have their data. The first place
// is below 2 GB. The second is at 0x555555554000, which is 21.3 GB above the start of a partition (the part of the
// address space that belongs to one PE).
#define SKERRY_ARCH_HEAP_OFFSET (UINT64_C(2) << 30)
#define SKERRY_ARCH_HEAP_END (UINT64_C(21) << 30)

#define SKERRY_ARCH_POLLS_APART 1 // 1: a second view of a PE's own memory makes polling faster (SKERRY_POLL_BASE)

#endif
