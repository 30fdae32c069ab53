// SPDX-License-Identifier: BSD-3-Clause
// Implements the contract's functions about near and far PEs for a machine on which every PE is near. The machine's
// header defines skerry_global and skerry_copy and then includes this file.
#ifndef SKERRY_MACHINE_DEFAULTS_ONE_NODE_H
#define SKERRY_MACHINE_DEFAULTS_ONE_NODE_H

#define SKERRY_FAR_PES 0
#define SKERRY_FAR_MESSAGES 0
#define SKERRY_FAR_WATCHES 0

SKERRY_ALWAYS_INLINE bool skerry_is_near(int pe) {
    (void)pe;
    return true;
}

SKERRY_ALWAYS_INLINE void skerry_assume_near(int pe) {
    (void)pe;
}

SKERRY_ALWAYS_INLINE void skerry_copy_to(void *dest, const void *source, size_t bytes, int pe) {
    skerry_copy(skerry_global(dest, pe), source, bytes);
}

// No PE is far, so the following functions are never called. They exist so that the portable code compiles.

SKERRY_ALWAYS_INLINE bool skerry_has_far_pes(void) {
    return false;
}

SKERRY_ALWAYS_INLINE void skerry_far_on_message(int number, size_t (*handler)(int, int, const void *, size_t, void *)) {
    (void)number, (void)handler;
}

SKERRY_ALWAYS_INLINE size_t skerry_far_ask(int pe, int number, const void *message, size_t bytes, void *answer) {
    (void)pe, (void)number, (void)message, (void)bytes, (void)answer;
    return 0;
}

SKERRY_ALWAYS_INLINE void skerry_far_send(int pe, int number, const void *message, size_t bytes) {
    (void)pe, (void)number, (void)message, (void)bytes;
}

SKERRY_ALWAYS_INLINE void skerry_far_request(int pe, int number, const void *message, size_t bytes, void *answer) {
    (void)pe, (void)number, (void)message, (void)bytes, (void)answer;
}

SKERRY_ALWAYS_INLINE void skerry_far_put_now(void *dest, const void *source, size_t bytes, int pe) {
    (void)dest, (void)source, (void)bytes, (void)pe;
}

#endif
