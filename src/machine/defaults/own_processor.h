// SPDX-License-Identifier: BSD-3-Clause
// Defines operations that do nothing on a machine where each PE, or each thread of a PE, has a processor of its own. On such a
// machine a wait polls until its word changes, so no PE sleeps. The machine's machine.h defines SKERRY_ALWAYS_INLINE
// and then includes this file. That machine.h must define skerry_pause (one step of a wait) itself.
#ifndef SKERRY_MACHINE_DEFAULTS_OWN_PROCESSOR_H
#define SKERRY_MACHINE_DEFAULTS_OWN_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>

SKERRY_ALWAYS_INLINE bool skerry_is_oversubscribed(void) {
    return false;
}

#if !SKERRY_THREADS
SKERRY_ALWAYS_INLINE int skerry_thread_number(void) {
    return 0;
}

SKERRY_ALWAYS_INLINE uintptr_t skerry_thread_identity(void) {
    return 1;
}
#endif

struct skerry_pause {
    char nothing;
};
#define SKERRY_PAUSE_INIT                                                                                              \
    { 0 }
#define SKERRY_PAUSE_INIT_ASLEEP SKERRY_PAUSE_INIT

SKERRY_ALWAYS_INLINE void skerry_pause_again(struct skerry_pause *pause) {
    (void)pause;
}

SKERRY_ALWAYS_INLINE void skerry_pause_end(struct skerry_pause *pause) {
    (void)pause;
}

SKERRY_ALWAYS_INLINE void skerry_wake(int pe) {
    (void)pe;
}

SKERRY_ALWAYS_INLINE void skerry_relax(void) {
}

SKERRY_ALWAYS_INLINE void *skerry_poll_address(const volatile void *word) {
    return (void *)word;
}

SKERRY_ALWAYS_INLINE void skerry_may_be_polling(const volatile void *address) {
    (void)address;
}

#define skerry_atomic_fetch_32(word, pe) skerry_atomic_load_32(word, pe)
#define skerry_atomic_fetch_64(word, pe) skerry_atomic_load_64(word, pe)

SKERRY_ALWAYS_INLINE void skerry_poll_again(void) {
}

SKERRY_ALWAYS_INLINE void skerry_expect_to_write(void *address) {
    (void)address;
}

SKERRY_ALWAYS_INLINE unsigned skerry_stream_lines_ahead(void) {
    return 0;
}

SKERRY_ALWAYS_INLINE unsigned skerry_stream_moments_back(void) {
    return 0;
}

#endif
