// SPDX-License-Identifier: BSD-3-Clause
// Calls by registers under the System V convention.
#ifndef SKERRY_MACHINE_LINUX_ARCH_X86_64_CALL_H
#define SKERRY_MACHINE_LINUX_ARCH_X86_64_CALL_H

#define SKERRY_CALL_INTEGERS 6
#define SKERRY_CALL_VECTOR_RESULTS 2
#define SKERRY_CALL_STRUCT_BYTES 16 // larger ones are on the stack

// How many results of a kind (call.h) the convention has on the x87 stack.
#define SKERRY_CALL_STACKED(KIND, BYTES)                                                                               \
    ((KIND) == SKERRY_CALL_LONG_REAL ? 1U : (KIND) == SKERRY_CALL_COMPLEX && (BYTES) == 32 ? 2U : 0U)

// Code of a function NAME, which an image uses as it has defined it, whatever another image defines, that enters the library at ENTRY with the address of a skerry_function in r11.
#define SKERRY_THUNK(NAME, FUNCTION, ENTRY)                                                                            \
    __asm__(".pushsection .text.skerry_rpc, \"ax\", @progbits\n"                                                       \
            ".globl " NAME "\n.protected " NAME "\n.type " NAME ", @function\n" NAME ":\n"                             \
            ".cfi_startproc\n\tendbr64\n\tleaq " FUNCTION "(%rip), %r11\n\tjmp *" ENTRY "@GOTPCREL(%rip)\n"            \
            ".cfi_endproc\n.size " NAME ", . - " NAME "\n.popsection\n");

#endif
