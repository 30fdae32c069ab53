// SPDX-License-Identifier: BSD-3-Clause
// An event without a word.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_event_set: word: must not be NULL
#include <aos.h>

int main(void) {
    aos_init(0);
    aos_event_t event;
    aos_event_set(&event, NULL, AOS_EQUAL, 1);
    return aos_finalize();
}
