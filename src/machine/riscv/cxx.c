// SPDX-License-Identifier: BSD-3-Clause
// Defines functions that C++ programs need, because these cores have no C++ library:
// * `new`, which takes memory from the C library's heap. There are no exceptions, so `new` ends the job if there is no
//   memory.
// * the function that ends a program which calls a pure virtual function
// The names of the functions are those of the C++ ABI.
#include "fail.h"

#include <stddef.h>
#include <stdlib.h>

#define CXX_NAME(NAME) __asm__(#NAME)

void *cxx_new(size_t bytes) CXX_NAME(_Znwj);
void *cxx_new(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) skerry_fail_values("operator new", "no memory for # bytes", (long[]){(long)bytes}, 1);
    return memory;
}

void *cxx_new_array(size_t bytes) CXX_NAME(_Znaj);
void *cxx_new_array(size_t bytes) {
    return cxx_new(bytes);
}

void cxx_delete(void *memory) CXX_NAME(_ZdlPv);
void cxx_delete(void *memory) {
    free(memory);
}

void cxx_delete_sized(void *memory, size_t bytes) CXX_NAME(_ZdlPvj);
void cxx_delete_sized(void *memory, size_t bytes) {
    (void)bytes;
    free(memory);
}

void cxx_delete_array(void *memory) CXX_NAME(_ZdaPv);
void cxx_delete_array(void *memory) {
    free(memory);
}

void cxx_delete_array_sized(void *memory, size_t bytes) CXX_NAME(_ZdaPvj);
void cxx_delete_array_sized(void *memory, size_t bytes) {
    (void)bytes;
    free(memory);
}

__attribute__((noreturn)) void cxx_pure_virtual(void) CXX_NAME(__cxa_pure_virtual);
void cxx_pure_virtual(void) {
    skerry_fail("a pure virtual function", "was called, while its object is constructed or destroyed");
}
