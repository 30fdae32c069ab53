// SPDX-License-Identifier: BSD-3-Clause
// Reports to the thread sanitizer which accesses are ordered by atomic operations of this library. The library is built
// without the sanitizer, so the sanitizer cannot see these operations. Without the reports, it would report races that
// do not exist. If the program is built without the sanitizer, these functions do nothing.
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

__attribute__((constructor(101))) static void find_sanitizer(void) {
    skerry_is_watched = __tsan_acquire != NULL && __tsan_release != NULL;
}
