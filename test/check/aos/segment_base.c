// SPDX-License-Identifier: BSD-3-Clause
// A segment of no memory.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_segment_create: base: must not be NULL, because bytes is 64
#include <aos.h>

int main(void) {
    aos_init(0);
    aos_segment_t segment;
    aos_segment_create(&segment, 1, NULL, 64, NULL);
    return aos_finalize();
}
