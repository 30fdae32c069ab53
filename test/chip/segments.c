// SPDX-License-Identifier: BSD-3-Clause
// A program with segments and queues fits a core, tables included; what is outside the tables is refused.
#include <aos.h>

static int64_t words[8], back[8];

int main(void) {
    aos_segment_t own, right, more[16];
    aos_queue_t inbox, outbox;
    if (aos_init(0)) return 1;
    int me = aos_my_pe(), next = (me + 1) % aos_pe_count();
    if (aos_segment_create(&own, (uint64_t)me, words, sizeof words, NULL)) return 2;
    if (aos_queue_create(&inbox, (uint64_t)me + 100, 16, 4, NULL, NULL)) return 3;
    if (aos_segment_clone(&right, (uint64_t)next, 0) || aos_queue_clone(&outbox, (uint64_t)next + 100, 0)) return 4;
    int64_t value = me + 1, message[2] = {me, 5};
    if (aos_put(&value, &right, 0, 8, NULL) || aos_postadd(&right, 8, 2) || aos_fence(&right, NULL)) return 5;
    if (aos_get(back, &right, 0, 16, NULL) || back[0] != me + 1 || back[1] != 2) return 6;
    if (aos_enqueue(&outbox, message, 16) || aos_dequeue(&inbox, message, 16, NULL)) return 7;
    if ((message[0] + 1) % aos_pe_count() != me || message[1] != 5) return 8;
    int made = 0, outcome = AOS_SUCCESS;
    for (; !outcome && made < 16; made++)
        outcome = aos_segment_create(&more[made], (uint64_t)(1000 + 16 * me + made), words, 8, NULL);
    if (outcome != AOS_ERROR_MEMORY || made != 7) return 9; // six beside the segment and the queue, and one too many
    return aos_finalize() ? 10 : 0;
}
