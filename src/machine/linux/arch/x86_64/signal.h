// SPDX-License-Identifier: BSD-3-Clause
// Reads and changes the registers that a signal handler gets, on x86-64.
#ifndef SKERRY_MACHINE_LINUX_ARCH_X86_64_SIGNAL_H
#define SKERRY_MACHINE_LINUX_ARCH_X86_64_SIGNAL_H

#include <stdint.h>
#include <ucontext.h>

static inline uintptr_t skerry_arch_program_counter(const ucontext_t *context) {
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
}

// Changes the context as if the interrupted function returned at once. The program counter becomes the return address
// of the last call. Reads that address from the stack, which can fault again if the stack pointer is wrong too.
static inline void skerry_arch_leave_function(ucontext_t *context) {
    long long *registers = context->uc_mcontext.gregs;
    registers[REG_RIP] = *(const volatile long long *)registers[REG_RSP];
    registers[REG_RSP] += 8;
}

#endif
