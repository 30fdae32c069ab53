// SPDX-License-Identifier: BSD-3-Clause
// Defines constants that the simulator's loader, the linker script and the library share. Can be included in C and in
// assembly.
#ifndef SKERRY_MACHINE_CHIP_LAYOUT_H
#define SKERRY_MACHINE_CHIP_LAYOUT_H

// A global address is row << 26 | column << 20 | offset. The upper 12 bits name the core, and the lower 20 bits the
// byte in its memory and registers. An address whose upper bits are zero is a short address: it names the accessing
// core's own memory.
#define SKERRY_PARTITION_SHIFT 20
#define SKERRY_PARTITION_MASK 0xfffff

// Offsets in bytes of the words of the job description. The loader writes the description to the symbol `skerry_job` of
// each core before it starts the program. Each word has 32 bits. An unused word is zero.
#define SKERRY_JOB_PES 0        // number of PEs of the job; 0: no job was described, and each core is a job of its own
#define SKERRY_JOB_COLUMNS 4    // columns of the job: PE i is i / columns rows below and i % columns right of PE 0
#define SKERRY_JOB_FIRST_CORE 8 // core of PE 0, as row << 6 | column
#define SKERRY_JOB_CORES 12     // 0, or address of a table: core of each PE, 16 bits; replaces the two words above
#define SKERRY_JOB_CLOCK 16     // cycles per second
#define SKERRY_JOB_ARGC 20      // argc of main
#define SKERRY_JOB_ARGV 24      // argv of main, an array of addresses of strings that ends with a zero
#define SKERRY_JOB_ENVIRON 28   // environ of main, an array of that form too
#define SKERRY_JOB_EXTERNAL_BEGIN 32 // bounds of the external memory that is free for the program
#define SKERRY_JOB_EXTERNAL_END 36
#define SKERRY_JOB_BYTES 40

#endif
