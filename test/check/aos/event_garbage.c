// SPDX-License-Identifier: BSD-3-Clause
// Waiting for an event that nobody has made.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_event_wait: event 0x[0-9a-f]+: must be one that aos_event_set or an operation has filled in
#include <aos.h>
#include <string.h>

int main(void) {
    aos_init(0);
    aos_event_t event;
    memset(&event, 0xAB, sizeof event);
    aos_event_wait(&event);
    return aos_finalize();
}
