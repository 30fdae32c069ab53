// SPDX-License-Identifier: BSD-3-Clause
// Defines the thunks of remote procedure calls on machines with RISC-V cores (contract/call.h).
#ifndef SKERRY_MACHINE_RISCV_THUNK_H
#define SKERRY_MACHINE_RISCV_THUNK_H

// Defines a thunk, which the program calls in place of a remote function. The thunk loads the address of OBJECT into
// register t0 and jumps to ENTRY.
#define SKERRY_THUNK(NAME, OBJECT, ENTRY)                                                                              \
    __asm__(".pushsection .text." NAME ",\"ax\",@progbits\n"                                                           \
            ".balign 4\n"                                                                                              \
            ".global " NAME "\n"                                                                                       \
            ".type " NAME ", @function\n" NAME ":\n"                                                                   \
            "lui t0, %hi(" OBJECT ")\n"                                                                                \
            "addi t0, t0, %lo(" OBJECT ")\n"                                                                           \
            "tail " ENTRY "\n"                                                                                         \
            ".size " NAME ", . - " NAME "\n"                                                                           \
            ".popsection");

#endif
