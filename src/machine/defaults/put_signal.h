// SPDX-License-Identifier: BSD-3-Clause
// Implements the contract's put with signal by skerry_put and an atomic operation, for a machine on which these two are
// the best way. Such a machine keeps the order of the two. The machine's header defines both and then includes this
// file.
#ifndef SKERRY_MACHINE_DEFAULTS_PUT_SIGNAL_H
#define SKERRY_MACHINE_DEFAULTS_PUT_SIGNAL_H

SKERRY_ALWAYS_INLINE void skerry_put_signal_64(void *dest, const void *source, size_t bytes, uint64_t *signal,
                                               uint64_t value, bool adds, int pe) {
    skerry_put(dest, source, bytes, pe);
    if (adds) skerry_atomic_add_64(signal, value, pe);
    else skerry_atomic_store_64(signal, value, pe);
}

#endif
