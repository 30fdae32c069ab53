// SPDX-License-Identifier: BSD-3-Clause
// Tells the thread sanitizer, if the program is built with it, which accesses this library's atomics order. The
// sanitizer cannot see the atomics of a library that was built without it, and would report races that do not exist.
#include "internal.h"

extern void __tsan_acquire(void *address) __attribute__((weak, visibility("default")));
extern void __tsan_release(void *address) __attribute__((weak, visibility("default")));

bool skerry_is_watched;

void skerry_report_publishing(const volatile void *address) {
    __tsan_release((void *)(uintptr_t)address);
}

void skerry_report_seeing(const volatile void *address) {
    __tsan_acquire((void *)(uintptr_t)address);
}

__attribute__((constructor(101))) static void look_for_it(void) {
    skerry_is_watched = __tsan_acquire != NULL && __tsan_release != NULL;
}
