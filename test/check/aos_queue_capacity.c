// SPDX-License-Identifier: BSD-3-Clause
// A queue for no message.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_queue_create: message_bytes 8 is above 16777216, or messages 0 is not one of 1 to 16777216
#include <aos.h>

int main(void) {
    aos_init(0);
    aos_queue_t queue;
    aos_queue_create(&queue, 1, 8, 0, NULL, NULL);
    return aos_finalize();
}
