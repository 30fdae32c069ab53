// SPDX-License-Identifier: BSD-3-Clause
// An event of a word that is nowhere.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_event_set: word 0x10: must be memory that this PE can load from
#include <aos.h>

int main(void) {
    aos_init(0);
    aos_event_t event;
    aos_event_set(&event, (const int64_t *)16, AOS_EQUAL, 1);
    return aos_finalize();
}
