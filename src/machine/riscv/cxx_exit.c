// SPDX-License-Identifier: BSD-3-Clause
// Registers the destructor of a static object of C++, so that it is called at exit. Code that the compiler generates
// calls this function. The C library also has a function of this name. That function does nothing in a program in which
// no other code uses the C library's list of exit functions. This function always uses the list. The list can store the
// arguments of exit functions only in a program that contains the C library's object __on_exit_args.
#include <stdint.h>

#define KIND_CXA 2 // of a function in the list: one with an argument (newlib's __et_cxa)

int __register_exitproc(int kind, void (*function)(void), void *argument, void *image);

int __cxa_atexit(void (*function)(void *), void *argument, void *image);
int __cxa_atexit(void (*function)(void *), void *argument, void *image) {
    __asm__ volatile(".reloc ., R_RISCV_NONE, __on_exit_args"); // makes the linker add this object
    return __register_exitproc(KIND_CXA, (void (*)(void))(uintptr_t)function, argument, image);
}
