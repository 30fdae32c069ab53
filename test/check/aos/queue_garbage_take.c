// SPDX-License-Identifier: BSD-3-Clause
// A message out of a queue that nobody has made.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_dequeue: the handle at 0x[0-9a-f]+ must be one that a routine of aos.h has filled in
#include <aos.h>
#include <string.h>

int main(void) {
    aos_init(0);
    char buffer[8];
    aos_queue_t queue;
    memset(&queue, 0xFF, sizeof queue);
    aos_dequeue(&queue, buffer, sizeof buffer, NULL);
    return aos_finalize();
}
