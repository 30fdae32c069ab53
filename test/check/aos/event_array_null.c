// SPDX-License-Identifier: BSD-3-Clause
// No array of events.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_event_wait_any: events: must not be NULL, because count is 3
#include <aos.h>

int main(void) {
    aos_init(0);
    aos_event_wait_any(NULL, 3, NULL);
    return aos_finalize();
}
