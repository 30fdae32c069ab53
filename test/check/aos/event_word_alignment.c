// SPDX-License-Identifier: BSD-3-Clause
// An event of a word that is not aligned.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_event_set: word 0x[0-9a-f]*4: must be aligned to 8 bytes
#include <aos.h>

int main(void) {
    aos_init(0);
    static _Alignas(16) char bytes[16];
    aos_event_t event;
    aos_event_set(&event, (const int64_t *)(const void *)(bytes + 4), AOS_EQUAL, 1);
    return aos_finalize();
}
