// SPDX-License-Identifier: BSD-3-Clause
#include <aos.h>

static int64_t window[8], data[8];

int main(void) {
    aos_segment_t own, right;
    aos_event_t event;
    if (aos_init(0) != AOS_SUCCESS) return 1;
    const int me = aos_my_pe();
    aos_segment_create(&own, (uint64_t)me, window, sizeof window, NULL);
    aos_segment_clone(&right, (uint64_t)((me + 1) % aos_pe_count()), 0);
    data[7] = 1 + me;
    aos_put(data, &right, 0, sizeof data, &event);
    aos_put_spaced(data, &right, 0, 8, 4, 16, &event);
    aos_get(data, &right, 0, sizeof data, &event);
    aos_event_wait(&event);
    aos_fence(&right, NULL);
    const int wrong = data[7] != 1 + me;
    return aos_finalize() != AOS_SUCCESS || wrong;
}
