// SPDX-License-Identifier: BSD-3-Clause
// Ending a message that was not begun.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_dequeue_end: message: must be a pointer that aos_dequeue_begin has stored and that aos_dequeue_end has not got yet
#include <aos.h>

int main(void) {
    aos_init(0);
    aos_queue_t queue;
    aos_message_t message = {0};
    aos_queue_create(&queue, 1, 8, 4, NULL, NULL);
    aos_dequeue_end(&queue, &message);
    return aos_finalize();
}
