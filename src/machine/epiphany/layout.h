// SPDX-License-Identifier: BSD-3-Clause
// What the loader, the linker script and the library agree on. C and assembly both read it.
#ifndef SKERRY_MACHINE_EPIPHANY_LAYOUT_H
#define SKERRY_MACHINE_EPIPHANY_LAYOUT_H

// A global address is row << 26 | column << 20 | offset: the upper bits name the core, the lower 20 the byte in its memory
// and registers. Addresses whose upper bits are zero are each core's own.
#define SKERRY_PARTITION_SHIFT 20
#define SKERRY_PARTITION_MASK 0xfffff

// The words of the job description, which the loader writes to the symbol `skerry_job` of each core before it starts
// the program; a place of no use is zero. All are 32 bits.
#define SKERRY_JOB_PES 0        // PEs of the job; 0: nobody has described it, and each core is a job of its own
#define SKERRY_JOB_COLUMNS 4    // PE i stands i / columns rows below and i % columns columns right of
#define SKERRY_JOB_FIRST_CORE 8 // this one, row << 6 | column,
#define SKERRY_JOB_CORES 12     // unless this is the address of a table of half words: the number of each PE's core
#define SKERRY_JOB_CLOCK 16     // cycles a second
#define SKERRY_JOB_ARGC 20      // what main gets: a count,
#define SKERRY_JOB_ARGV 24      // and two arrays of addresses of strings, ended by a zero
#define SKERRY_JOB_ENVIRON 28
#define SKERRY_JOB_EXTERNAL_BEGIN 32 // external memory that is free for the program
#define SKERRY_JOB_EXTERNAL_END 36
#define SKERRY_JOB_BYTES 40

#endif
