// SPDX-License-Identifier: BSD-3-Clause
// A rectangle that leaves the local array.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_put_block2d: local_point: a block of 4 \* 2 \* 1 elements of 8 bytes at 5, 0, 0 is not inside its array of 8 \* 4 \* 1
#include <aos.h>

int main(void) {
    aos_init(0);
    static int64_t words[32];
    aos_segment_t segment;
    aos_segment_create(&segment, 1, words, sizeof words, NULL);
    aos_put_block2d(words, &(aos_point2d_t){5, 0, 8, 4}, &segment, 0, NULL, 8, 4, 2, NULL);
    return aos_finalize();
}
