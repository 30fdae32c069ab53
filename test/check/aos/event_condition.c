// SPDX-License-Identifier: BSD-3-Clause
// A condition that there is not.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_event_set: condition 7: must be one of AOS_ALWAYS \(0\) to AOS_GREATER_EQUAL \(6\)
#include <aos.h>

int main(void) {
    aos_init(0);
    static int64_t word;
    aos_event_t event;
    aos_event_set(&event, &word, 7, 1);
    return aos_finalize();
}
