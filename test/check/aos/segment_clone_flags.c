// SPDX-License-Identifier: BSD-3-Clause
// A flag that cloning does not know.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_segment_clone: flags 0x3 has unknown bits; the only one is AOS_TRY, 0x1
#include <aos.h>

int main(void) {
    aos_init(0);
    aos_segment_t segment;
    aos_segment_clone(&segment, 1, 3);
    return aos_finalize();
}
