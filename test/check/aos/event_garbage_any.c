// SPDX-License-Identifier: BSD-3-Clause
// An event that nobody has made among several.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_event_wait_any: event 0x[0-9a-f]+: must be one that aos_event_set or an operation has filled in
#include <aos.h>
#include <string.h>

int main(void) {
    aos_init(0);
    static int64_t word;
    aos_event_t set, garbage;
    aos_event_set(&set, &word, AOS_EQUAL, 0);
    memset(&garbage, 0x5A, sizeof garbage);
    aos_event_wait_any((aos_event_t *[]){NULL, &set, &garbage}, 3, NULL);
    return aos_finalize();
}
