// SPDX-License-Identifier: BSD-3-Clause
// Defines the constants and the thunk for function calls with arguments in registers, as the Arm 64-bit procedure call
// standard defines them. A thunk is the code that the program calls in place of a remote function.
#ifndef SKERRY_MACHINE_LINUX_ARCH_AARCH64_CALL_H
#define SKERRY_MACHINE_LINUX_ARCH_AARCH64_CALL_H

#define SKERRY_CALL_INTEGERS 8
#define SKERRY_CALL_REALS 8
#define SKERRY_CALL_VECTOR_RESULTS 4
// Bytes of the largest struct argument in registers: four members of one floating-point type. Larger structs are in
// memory.
#define SKERRY_CALL_STRUCT_BYTES 64
#define SKERRY_CALL_STACKED(KIND, BYTES) 0U // this processor has no x87 stack

// Emits the thunk NAME, which jumps to the library function ENTRY with the address of the skerry_function FUNCTION in
// x16. The symbol is protected: an image (executable or shared library) uses the thunk that it defines itself, even if
// another image defines the same name.
#define SKERRY_THUNK(NAME, FUNCTION, ENTRY)                                                                            \
    __asm__(".pushsection .text.skerry_rpc, \"ax\", %progbits\n"                                                       \
            ".globl " NAME "\n.protected " NAME "\n.type " NAME ", %function\n.balign 4\n" NAME ":\n"                  \
            "\thint #34\n\tadrp x16, " FUNCTION "\n\tadd x16, x16, :lo12:" FUNCTION "\n\tadrp x17, :got:" ENTRY "\n"   \
            "\tldr x17, [x17, :got_lo12:" ENTRY "]\n\tbr x17\n"                                                        \
            ".size " NAME ", . - " NAME "\n.popsection\n");

#endif
