// SPDX-License-Identifier: BSD-3-Clause
// What switches the checks on.
#include "checking.h"

#if SKERRY_CAN_CHECK

int skerry_checking;
bool skerry_checking_strictly;

void skerry_check_begin(void) {
    skerry_checking = SKERRY_CHECKING_ALL;
}

__attribute__((constructor)) static void begin_if_wanted(void) {
    skerry_checking_strictly = skerry_setting_is("SKERRY_CHECK", "strict");
    if (!skerry_checking && skerry_setting("SKERRY_CHECK", 0)) skerry_checking = SKERRY_CHECKING_CALLS;
}

#endif
