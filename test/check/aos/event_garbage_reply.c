// SPDX-License-Identifier: BSD-3-Clause
// An event that says that it awaits an operation.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_event_test: event 0x[0-9a-f]+: must be one that aos_event_set or an operation has filled in
#include <aos.h>

int main(void) {
    aos_init(0);
    static int64_t word;
    aos_event_t event;
    aos_event_set(&event, &word, AOS_EQUAL, 1);
    event.reply = 12345678;
    aos_event_test(&event);
    return aos_finalize();
}
