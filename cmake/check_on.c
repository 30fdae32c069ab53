// SPDX-License-Identifier: BSD-3-Clause
// What `oshcc --check` links into a program: the library checks because this object is there.
#include <skerry/primitive/checking.h>

__attribute__((constructor(101))) static void switch_checking_on(void) {
    skerry_check_begin();
}
