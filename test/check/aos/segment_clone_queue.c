// SPDX-License-Identifier: BSD-3-Clause
// Cloning a queue as a segment.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_segment_clone: id 7: must be the id of a segment, but is the id of a queue
#include <aos.h>

int main(void) {
    aos_init(0);
    aos_queue_t queue;
    aos_segment_t segment;
    aos_queue_create(&queue, 7, 8, 4, NULL, NULL);
    aos_segment_clone(&segment, 7, 0);
    return aos_finalize();
}
