// SPDX-License-Identifier: BSD-3-Clause
// A queue for no message.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_queue_create: message_bytes 8 must be at most 16777216, and messages 0 must be 1 to 16777216
#include <aos.h>

int main(void) {
    aos_init(0);
    aos_queue_t queue;
    aos_queue_create(&queue, 1, 8, 0, NULL, NULL);
    return aos_finalize();
}
