// SPDX-License-Identifier: BSD-3-Clause
// Defines what C++ programs without the C++ library need on machines of OpenMP workers, in addition to cxx.c: the error
// messages of cxx.c, and static variables that several threads initialise. The names of the functions that the compiler's
// code calls are those of the C++ ABI.
#include "fail.h"
#include "worker_world.h"

#include <stdlib.h>

static char *append_text(char *end, const char *text) {
    while (*text) *end++ = *text++;
    return end;
}

static char *append_number(char *end, unsigned long number) {
    if (number >= 10) end = append_number(end, number / 10);
    *end = (char)('0' + number % 10);
    return end + 1;
}

// The texts are those of cxx.c, so a line of 160 characters is long enough.
void skerry_fail_values(const char *routine, const char *text, const long *values, int count) {
    char line[160];
    char *end = append_number(append_text(line, "skerry: thread "), (unsigned long)skerry_my_pe());
    end = append_text(append_text(append_text(end, ": "), routine), ": ");
    for (; *text; text++) {
        if (*text == '#' && count-- > 0) end = append_number(end, (unsigned long)*values++);
        else *end++ = *text;
    }
    *end = '\0';
    skerry_stop(line);
}

void skerry_fail(const char *routine, const char *text) {
    skerry_fail_values(routine, text, NULL, 0);
}

// -- Static variables of functions -------------------------------------------------------------------------------------

// The guard of a static variable has 8 bytes. The compiler's code loads the first byte: if it is 1, the variable is
// initialised. The second word is a lock, which a thread holds while it initialises the variable.
struct guard {
    uint8_t is_initialized;
    uint32_t lock;
};

int __cxa_guard_acquire(struct guard *guard);
void __cxa_guard_release(struct guard *guard);

// Returns 1 if the calling thread must initialise the variable, and then call __cxa_guard_release.
int __cxa_guard_acquire(struct guard *guard) {
    while (!__atomic_load_n(&guard->is_initialized, __ATOMIC_ACQUIRE)) {
        if (__atomic_load_n(&guard->lock, __ATOMIC_RELAXED)) continue;
        if (__atomic_exchange_n(&guard->lock, 1, __ATOMIC_ACQUIRE)) continue;
        // The thread that had the lock before has possibly initialised the variable.
        if (!__atomic_load_n(&guard->is_initialized, __ATOMIC_RELAXED)) return 1;
        __atomic_store_n(&guard->lock, 0, __ATOMIC_RELEASE);
    }
    return 0;
}

void __cxa_guard_release(struct guard *guard) {
    __atomic_store_n(&guard->is_initialized, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&guard->lock, 0, __ATOMIC_RELEASE);
}
