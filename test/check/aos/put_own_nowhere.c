// SPDX-License-Identifier: BSD-3-Clause
// A put to this PE's own memory where it has none.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: aos_put: segment 0 of PE 0, offset -16, 8 bytes: the owner must have memory there, which it may write if the routine writes
#include <aos.h>

int main(void) {
    int64_t word = 1;
    aos_segment_t segment;
    aos_init(0);
    if (aos_segment_of_pe(&segment, 0, 0) != AOS_SUCCESS) return 2;
    aos_put(&word, &segment, UINT64_MAX - 15, sizeof word, NULL);
    aos_finalize();
    return 0;
}
