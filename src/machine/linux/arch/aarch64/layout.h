// SPDX-License-Identifier: BSD-3-Clause
// Defines the numbers of the address space that differ between processors: here for 64-bit Arm.
#ifndef SKERRY_MACHINE_LINUX_ARCH_AARCH64_LAYOUT_H
#define SKERRY_MACHINE_LINUX_ARCH_AARCH64_LAYOUT_H

// Without address randomisation, Linux loads position-independent executables at 0xaaaaaaaa0000, which is 10.7 GiB
// above the start of a partition (the part of the address space that belongs to one PE). The heap begins above these
// executables, 12 GiB above the start.
#define SKERRY_ARCH_HEAP_OFFSET (UINT64_C(12) << 30)
#define SKERRY_ARCH_HEAP_END SKERRY_CONTROL_OFFSET

#define SKERRY_ARCH_POLLS_APART 0 // 1: a second view of a PE's own memory makes polling faster (SKERRY_POLL_BASE)

#endif
