// SPDX-License-Identifier: BSD-3-Clause
// No place for the clone.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_segment_clone: segment: must not be NULL
#include <aos.h>

int main(void) {
    aos_init(0);
    aos_segment_clone(NULL, 1, AOS_TRY);
    return aos_finalize();
}
