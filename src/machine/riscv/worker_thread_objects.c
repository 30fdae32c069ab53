// SPDX-License-Identifier: BSD-3-Clause
// Registers the destructors of thread-local objects of C++. Code that the compiler generates calls this function, which has
// the name that the C++ ABI gives it.
#include "worker_world.h"

int __cxa_atexit(void (*function)(void *), void *argument, void *image);
int __cxa_thread_atexit(void (*function)(void *), void *argument, void *image);

// Registers the destructor of a thread's object. Only the first thread ends, with the program. The others run until the
// job has ended, so their objects are never destroyed.
int __cxa_thread_atexit(void (*function)(void *), void *argument, void *image) {
    return skerry_my_pe() == 0 ? __cxa_atexit(function, argument, image) : 0;
}
