// SPDX-License-Identifier: BSD-3-Clause
// A box that leaves the segment's array.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_get_block3d: remote_point: a block of 2 \* 2 \* 2 elements of 4 bytes at 0, 0, 3 is not inside its array of 4 \* 4 \* 4
#include <aos.h>

int main(void) {
    aos_init(0);
    static int64_t words[32], box[4];
    aos_segment_t segment;
    aos_segment_create(&segment, 1, words, sizeof words, NULL);
    aos_get_block3d(box, NULL, &segment, 0, &(aos_point3d_t){0, 0, 3, 4, 4, 4}, 4, 2, 2, 2, NULL);
    return aos_finalize();
}
