// SPDX-License-Identifier: BSD-3-Clause
// Destroys thread-local objects of C++ at the end of their thread. Code that the compiler generates registers the destructors
// by __cxa_thread_atexit, which has the name that the C++ ABI gives it.
#include "worker_world.h"

#include <stdlib.h>

int __cxa_atexit(void (*function)(void *), void *argument, void *image);
int __cxa_thread_atexit(void (*function)(void *), void *argument, void *image);

struct destructor {
    void (*function)(void *);
    void *argument;
    struct destructor *next;
};

static SKERRY_PER_THREAD struct destructor *last; // of this thread's objects; NULL: none is left

// Registers the destructor of a thread's object. Main's objects end with the program. Threads of OpenMP run until the job has
// ended, so their objects are never destroyed. Returns -1 if there is no memory: then this object is not destroyed.
int __cxa_thread_atexit(void (*function)(void *), void *argument, void *image) {
    if (skerry_my_pe() == 0) return __cxa_atexit(function, argument, image);
    if (!skerry_thread_ends || !skerry_thread_ends()) return 0;
    struct destructor *destructor = malloc(sizeof *destructor);
    if (!destructor) return -1;
    *destructor = (struct destructor){.function = function, .argument = argument, .next = last};
    last = destructor;
    return 0;
}

// A destructor can make further objects, which are destroyed next.
void skerry_thread_destroy_objects(void) {
    while (last) {
        const struct destructor destructor = *last;
        free(last);
        last = destructor.next;
        destructor.function(destructor.argument);
    }
}
