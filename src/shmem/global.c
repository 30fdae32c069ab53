// SPDX-License-Identifier: BSD-3-Clause
// Implements the routines that return the global address of an object, and the PE whose memory an address names.
#include "internal.h"

#include <shmemx.h>

void *shmemx_global(const void *address, int pe) {
    if (skerry_checking) {
        skerry_check_running(__func__);
        skerry_check_note_global();
    }
    if (pe < 0 || pe >= skerry_pe_count() || !skerry_is_symmetric(address, 1)) return 0;
    return skerry_global(address, pe);
}

int shmemx_owner(const void *address) {
    if (skerry_checking) skerry_check_running(__func__);
    if (!skerry_is_symmetric(address, 1)) return -1;
    return skerry_localize(address) == address ? skerry_my_pe() : skerry_owner(address);
}
