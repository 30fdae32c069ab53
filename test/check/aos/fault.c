// SPDX-License-Identifier: BSD-3-Clause
// An atomic on what another PE may not write.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_swap: segment 0 of PE 0, offset [0-9]+, 8 bytes: the owner must have memory there, which it may write if the routine writes
#include <aos.h>

int main(void) {
    aos_init(0);
    aos_segment_t first;
    int64_t old;
    if (aos_my_pe() == 1) {
        aos_segment_of_pe(&first, 0, 0);
        aos_swap(&first, 16, 1, &old, NULL);
    }
    return aos_finalize();
}
