// SPDX-License-Identifier: BSD-3-Clause
// Declares how the functions for C++ end the job with a message. On machines of PEs these are the functions of contract/pe.h,
// on machines of OpenMP workers those of worker_cxx.c.
#ifndef SKERRY_MACHINE_RISCV_FAIL_H
#define SKERRY_MACHINE_RISCV_FAIL_H

// Write one line to the error output, and end the job with exit code 1. In `text` of skerry_fail_values each # stands for
// the next one of `count` values.
__attribute__((noreturn)) void skerry_fail(const char *routine, const char *text);
__attribute__((noreturn)) void skerry_fail_values(const char *routine, const char *text, const long *values, int count);

#endif
