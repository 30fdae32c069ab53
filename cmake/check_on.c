// SPDX-License-Identifier: BSD-3-Clause
// `oshcc --check` links this object into a program. Its constructor switches on the library's checks.
#include <skerry/primitive/checking.h>

__attribute__((constructor(101))) static void switch_checking_on(void) {
    skerry_check_begin();
}
