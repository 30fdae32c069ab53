// SPDX-License-Identifier: BSD-3-Clause
// Defines the constants and the thunk for function calls with arguments in registers, as the System V convention
// defines them. A thunk is the code that the program calls in place of a remote function.
#ifndef SKERRY_MACHINE_LINUX_ARCH_X86_64_CALL_H
#define SKERRY_MACHINE_LINUX_ARCH_X86_64_CALL_H

#define SKERRY_CALL_INTEGERS 6
#define SKERRY_CALL_REALS 8
#define SKERRY_CALL_VECTOR_RESULTS 2
#define SKERRY_CALL_STRUCT_BYTES 16 // bytes of the largest struct argument in registers; larger ones are on the stack

// Number of registers of the x87 stack in which the convention returns a result of kind KIND (contract/call.h) with
// BYTES bytes.
#define SKERRY_CALL_STACKED(KIND, BYTES)                                                                               \
    ((KIND) == SKERRY_CALL_LONG_REAL ? 1U : (KIND) == SKERRY_CALL_COMPLEX && (BYTES) == 32 ? 2U : 0U)

// Emits the thunk NAME, which jumps to the library function ENTRY with the address of the skerry_function FUNCTION in
// r11. The symbol is protected: an image (executable or shared library) uses the thunk that it defines itself, even if
// another image defines the same name.
#define SKERRY_THUNK(NAME, FUNCTION, ENTRY)                                                                            \
    __asm__(".pushsection .text.skerry_rpc, \"ax\", @progbits\n"                                                       \
            ".globl " NAME "\n.protected " NAME "\n.type " NAME ", @function\n" NAME ":\n"                             \
            ".cfi_startproc\n\tendbr64\n\tleaq " FUNCTION "(%rip), %r11\n\tjmp *" ENTRY "@GOTPCREL(%rip)\n"            \
            ".cfi_endproc\n.size " NAME ", . - " NAME "\n.popsection\n");

#endif
