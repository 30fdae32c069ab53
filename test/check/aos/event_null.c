// SPDX-License-Identifier: BSD-3-Clause
// No event.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_event_wait: event: must not be NULL
#include <aos.h>

int main(void) {
    aos_init(0);
    aos_event_wait(NULL);
    return aos_finalize();
}
