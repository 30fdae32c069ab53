// SPDX-License-Identifier: BSD-3-Clause
// Defines the numbers of the global address space on Linux: base | pe << shift | offset. They are compile-time
// constants. So three instructions without a load compute a remote address from a symmetric address.
#ifndef SKERRY_MACHINE_LINUX_LAYOUT_H
#define SKERRY_MACHINE_LINUX_LAYOUT_H

#include "arch/layout.h"

// Addresses of PEs:
// * The partition (the memory) of PE p has the same address in every process of the job, on every node. So PEs can pass
//   global addresses to each other.
// * A process maps only the partitions of near PEs: the PEs of its own node. At a global address in the partition of a
//   far PE no memory is mapped. The address only identifies the object, and a load or store by it faults.
//
// Why these addresses are free:
// * The SKERRY_PES_MAX partitions begin at SKERRY_BASE and end at 2^46, where the second view (SKERRY_POLL_BASE)
//   begins.
// * Linux places an executable below 2^45, or at about two thirds of 2^47 (0x555555554000 on x86-64).
// * Linux places libraries, stacks and other mappings one below the other, beginning at 2^47. They would reach 2^46
//   only if a process mapped 64 TB.
// * A process has 2^47 bytes of addresses. So a job of more than SKERRY_PES_MAX PEs would need another way to identify
//   objects of far PEs.
//
// SKERRY_LOW_LAYOUT: a smaller address space at low addresses, for builds with the thread sanitizer. The launcher for
// such a library is compiled with SKERRY_LOW_LAYOUT=1.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SKERRY_LOW_LAYOUT 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define SKERRY_LOW_LAYOUT 1
#endif

#ifdef SKERRY_LOW_LAYOUT
// The thread sanitizer keeps its own memory (shadow memory) at the addresses of the usual SKERRY_BASE. It leaves the
// program only the lowest 512 GB.
#define SKERRY_LAYOUT_NAME "-low"
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
#define SKERRY_LAYOUT_NAME ""
#define SKERRY_PARTITION_SHIFT 35
#define SKERRY_BASE (UINT64_C(1) << 45)
#define SKERRY_PES_MAX 1024
#define SKERRY_HEAP_OFFSET SKERRY_ARCH_HEAP_OFFSET
#define SKERRY_SYSTEM_PLACE (UINT64_C(1) << 30)
#define SKERRY_SYSTEM_BYTES (UINT64_C(256) << 20)
#define SKERRY_REQUEST_BYTES (UINT64_C(64) << 20)
#define SKERRY_SHARED_BYTES (UINT64_C(256) << 20)
#define SKERRY_TABLE_BYTES (UINT64_C(64) << 20)
#endif

#define SKERRY_PARTITION_BYTES (UINT64_C(1) << SKERRY_PARTITION_SHIFT)
#define SKERRY_PARTITION_MASK (SKERRY_PARTITION_BYTES - 1)
// SKERRY_SYSTEM_PLACE: number of bytes at the end of each partition (the part of the address space that belongs to one
// PE) that are reserved for the library. They hold, in this order:
// 1. the control block, in which the PE reports its state (job.h)
// 2. the memory for synchronisation, such as the words of barriers
// 3. the memory where requests of other PEs arrive
// 4. in the partition of the node's first PE: the memory that no PE owns
// 5. unused bytes, which are not mapped if partitions are mapped one by one (pe/start.c)
// A put to an object on a stack is an error. The global address of such an object has the low bits of a stack's
// address, so it is near the end of a partition. There the unmapped bytes make the put fault.
#define SKERRY_CONTROL_OFFSET (SKERRY_PARTITION_BYTES - SKERRY_SYSTEM_PLACE)
#define SKERRY_CONTROL_BYTES UINT64_C(8192)
// Offset, in the control block (job.h), of the word `sleeping`, which every writer loads after its store. The word is
// not at the start of a page, because programs often have words of their own there. Suppose that a program stored to
// such a word, and the low 12 bits of its address were those of `sleeping`. Then the load of `sleeping` would wait for
// that store, and the next atomic operation would wait for the load. In a measurement an atomic add then took 7 ns
// instead of 5 ns.
#define SKERRY_SLEEPING_PLACE 448
// The memory where requests of other PEs arrive follows the memory for synchronisation. In the partition of the node's
// first PE, the memory that no PE owns follows this request memory.
#define SKERRY_REQUEST_OFFSET (SKERRY_CONTROL_OFFSET + SKERRY_SYSTEM_BYTES)
#define SKERRY_SHARED_OFFSET (SKERRY_REQUEST_OFFSET + SKERRY_REQUEST_BYTES)
// Offset of the table memory, for tables in which PEs find objects of other PEs (skerry_table_memory). It is the last
// part of the memory for synchronisation.
#define SKERRY_TABLE_OFFSET (SKERRY_REQUEST_OFFSET - SKERRY_TABLE_BYTES)

#if defined(SKERRY_LOW_LAYOUT)
#define SKERRY_HEAP_BYTES_MAX (SKERRY_CONTROL_OFFSET - SKERRY_HEAP_OFFSET)
#else
#define SKERRY_HEAP_BYTES_MAX (SKERRY_ARCH_HEAP_END - SKERRY_HEAP_OFFSET)
#endif

// Address at which a process maps its own partition (its PE's memory) a second time, displaced by one page. The process
// polls its own words through this view. Why:
// * A symmetric word has the same low address bits in every partition.
// * Some processors find a line in their first-level cache by the low bits of its address (AMD's by 27 bits). These
//   processors cannot hold two lines with the same low bits in this cache.
// * But a PE often uses two such lines: the line of its own word, which it polls, and the line of the same word of
//   another PE, to which it has just written.
// * Without the second view, the transfer of a value from one PE to another takes a third longer on such a processor
//   (bench/limits/pingpong.c).
#if SKERRY_ARCH_POLLS_APART && !defined(SKERRY_LOW_LAYOUT)
#define SKERRY_POLL_BASE ((UINT64_C(1) << 46) + 4096)
#if SKERRY_BASE + SKERRY_PES_MAX * SKERRY_PARTITION_BYTES > SKERRY_POLL_BASE
#error "the second view lies among the partitions"
#endif
#endif

// False-sharing distance: bytes between two words that different PEs write. At this distance, a prefetch of the line of
// one word does not also fetch the line of the other word. So the prefetch does not take that line from its writer.
#define SKERRY_FALSE_SHARING_RANGE 1024
// Largest number of programs that the only PE of a job can start. Each of them becomes a PE (pe/programs.c).
#define SKERRY_PROGRAMS_MAX 17
#define SKERRY_PROGRAMS_HERTZ 0
// If the only PE of a job starts a program, that program maps the heap of PE 0 a second time at this address, and behind it the
// heap of the last PE. The address is above executables that are not position independent. It is so low that addresses in
// these mappings fit in 32 bits if a heap has at most 1 GB.
#define SKERRY_COMMON_BASE UINT64_C(0x80000000)

#define SKERRY_HEAP_BYTES_DEFAULT (UINT64_C(1) << 30)

#endif
