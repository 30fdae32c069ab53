// SPDX-License-Identifier: BSD-3-Clause
// A fence of no segment.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_fence: the handle of the segment or queue must not be NULL
#include <aos.h>

int main(void) {
    aos_init(0);
    aos_fence(NULL, NULL);
    return aos_finalize();
}
