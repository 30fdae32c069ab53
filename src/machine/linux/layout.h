// SPDX-License-Identifier: BSD-3-Clause
// The numbers of the global address space on Linux: base | pe << shift | offset. They are compile-time constants, so
// that turning a symmetric address into a remote one is three instructions and no load.
#ifndef SKERRY_MACHINE_LINUX_LAYOUT_H
#define SKERRY_MACHINE_LINUX_LAYOUT_H

// The launcher of a library built with it is told by SKERRY_LOW_LAYOUT.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SKERRY_LOW_LAYOUT 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define SKERRY_LOW_LAYOUT 1
#endif

#ifdef SKERRY_LOW_LAYOUT
// The thread sanitizer keeps its shadow where the usual base lies and leaves the program only the lowest 512 GB.
#define SKERRY_PARTITION_SHIFT 32
#define SKERRY_BASE (UINT64_C(1) << 38)
#define SKERRY_PES_MAX 64
#define SKERRY_HEAP_OFFSET (UINT64_C(2) << 30)
#define SKERRY_SYSTEM_PLACE (UINT64_C(128) << 20)
#define SKERRY_SYSTEM_BYTES (UINT64_C(64) << 20)
#define SKERRY_REQUEST_BYTES (UINT64_C(16) << 20)
#define SKERRY_SHARED_BYTES (UINT64_C(32) << 20)
#define SKERRY_TABLE_BYTES (UINT64_C(32) << 20)
#else
#define SKERRY_PARTITION_SHIFT 35
#define SKERRY_BASE (UINT64_C(1) << 45)
#define SKERRY_PES_MAX 1024
// The heap lies between the places where unrandomised executables have their data: x86-64 has them below 2 GB and at
// 0x555555554000 (21.3 GB into a partition), aarch64 at 0xaaaaaaaa0000 (10.7 GB).
#if defined(__aarch64__)
#define SKERRY_HEAP_OFFSET (UINT64_C(12) << 30)
#else
#define SKERRY_HEAP_OFFSET (UINT64_C(2) << 30)
#endif
#define SKERRY_SYSTEM_PLACE (UINT64_C(1) << 30)
#define SKERRY_SYSTEM_BYTES (UINT64_C(256) << 20)
#define SKERRY_REQUEST_BYTES (UINT64_C(64) << 20)
#define SKERRY_SHARED_BYTES (UINT64_C(256) << 20)
#define SKERRY_TABLE_BYTES (UINT64_C(64) << 20)
#endif

#define SKERRY_PARTITION_BYTES (UINT64_C(1) << SKERRY_PARTITION_SHIFT)
#define SKERRY_PARTITION_MASK (SKERRY_PARTITION_BYTES - 1)
// The library's own part of a partition, in its last piece: first the control block, then what synchronisation needs. The
// rest of the piece stays unmapped: a stack's address has the low bits of a partition's end, and a put to it must fault.
#define SKERRY_CONTROL_OFFSET (SKERRY_PARTITION_BYTES - SKERRY_SYSTEM_PLACE)
#define SKERRY_CONTROL_BYTES UINT64_C(8192)
// In it, the word that every writer looks at behind its store. Not where a page begins, as programs' own words do: such a
// load waits for a store whose address has the same low 12 bits, and the next atomic for it (an add: 7 ns in place of 5).
#define SKERRY_SLEEPING_PLACE 448
// Behind it: where requests of other PEs arrive. Behind that, in PE 0's partition only: memory that no PE owns.
#define SKERRY_REQUEST_OFFSET (SKERRY_CONTROL_OFFSET + SKERRY_SYSTEM_BYTES)
#define SKERRY_SHARED_OFFSET (SKERRY_REQUEST_OFFSET + SKERRY_REQUEST_BYTES)
// The end of what synchronisation needs: tables (skerry_table_memory).
#define SKERRY_TABLE_OFFSET (SKERRY_REQUEST_OFFSET - SKERRY_TABLE_BYTES)

#if defined(__aarch64__) || defined(SKERRY_LOW_LAYOUT)
#define SKERRY_HEAP_BYTES_MAX (SKERRY_CONTROL_OFFSET - SKERRY_HEAP_OFFSET)
#else
#define SKERRY_HEAP_BYTES_MAX (UINT64_C(19) << 30)
#endif

// Where a process maps its own partition a second time, one page displaced, to poll its own words through. A symmetric
// word has the same low bits in every partition, and processors that find lines of their first cache by the low bits of
// the address (AMD's by 27 of them) cannot hold this PE's word and the one it has just written at another PE at once: a
// hand-over then takes a third longer (bench/limits/pingpong.c against the displaced design).
#if defined(__x86_64__) && !defined(SKERRY_LOW_LAYOUT)
#define SKERRY_POLL_BASE ((UINT64_C(1) << 46) + 4096)
#endif

// Bytes between words that different PEs write, so that no processor's prefetching of one brings the other.
#define SKERRY_FALSE_SHARING_RANGE 1024
// Programs that the only PE of a job may start, each a PE (programs.c).
#define SKERRY_PROGRAMS_MAX 17
// Where each of them maps the heap of PE 0 a second time: above executables that are not position independent, and low
// enough that its addresses are numbers of 32 bits.
#define SKERRY_COMMON_BASE UINT64_C(0x80000000)

#define SKERRY_HEAP_BYTES_DEFAULT (UINT64_C(1) << 30)

#endif
