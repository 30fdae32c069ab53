// SPDX-License-Identifier: BSD-3-Clause
// A message into a queue that nobody has made.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_enqueue: the handle at 0x[0-9a-f]+ must be one that a routine of aos.h has filled in
#include <aos.h>
#include <string.h>

int main(void) {
    aos_init(0);
    aos_queue_t queue;
    memset(&queue, 0x5A, sizeof queue);
    aos_enqueue(&queue, "hello", 6);
    return aos_finalize();
}
