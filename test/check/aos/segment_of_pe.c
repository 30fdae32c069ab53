// SPDX-License-Identifier: BSD-3-Clause
// A PE that there is not.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_segment_of_pe: pe 2: must be 0 to 1
#include <aos.h>

int main(void) {
    aos_init(0);
    aos_segment_t segment;
    aos_segment_of_pe(&segment, 2, 0);
    return aos_finalize();
}
