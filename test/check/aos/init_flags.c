// SPDX-License-Identifier: BSD-3-Clause
// A flag that there is not.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_init: flags 0x9: must be 0 or AOS_ALONE \(0x1\)
#include <aos.h>

int main(void) {
    aos_init(9);
    return aos_finalize();
}
