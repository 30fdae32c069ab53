// SPDX-License-Identifier: BSD-3-Clause
// A handle whose entry is no entry.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_fence: the handle at 0x[0-9a-f]+ must be one that a routine of aos.h has filled in
#include <aos.h>

int main(void) {
    aos_init(0);
    static char memory[64];
    aos_segment_t segment;
    aos_segment_create(&segment, 1, memory, sizeof memory, NULL);
    segment.entry = (struct skerry_aos_entry *)((char *)segment.entry + 8);
    aos_fence(&segment, NULL);
    return aos_finalize();
}
