// SPDX-License-Identifier: BSD-3-Clause
// Copies that may be completed later.
#include "internal.h"
void skerry_put_nbi(void *dest, const void *source, size_t bytes, int pe) {
    skerry_put(dest, source, bytes, pe);
}
void skerry_get_nbi(void *dest, const void *source, size_t bytes, int pe) {
    skerry_get(dest, source, bytes, pe);
}
