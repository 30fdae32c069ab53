// SPDX-License-Identifier: BSD-3-Clause
// Reads and changes the registers that a signal handler gets, on 64-bit Arm.
#ifndef SKERRY_MACHINE_LINUX_ARCH_AARCH64_SIGNAL_H
#define SKERRY_MACHINE_LINUX_ARCH_AARCH64_SIGNAL_H

#include <stdint.h>
#include <ucontext.h>

static inline uintptr_t skerry_arch_program_counter(const ucontext_t *context) {
    return (uintptr_t)context->uc_mcontext.pc;
}

// Changes the context as if the interrupted function returned at once. The program counter becomes the return address
// of the last call.
static inline void skerry_arch_leave_function(ucontext_t *context) {
    context->uc_mcontext.pc = context->uc_mcontext.regs[30];
}

#endif
