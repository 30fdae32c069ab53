// SPDX-License-Identifier: BSD-3-Clause
// A put to a segment that nobody has made.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_put: the handle at 0x[0-9a-f]+ must be one that a routine of aos.h has filled in
#include <aos.h>
#include <string.h>

int main(void) {
    aos_init(0);
    aos_segment_t segment;
    memset(&segment, 0xAB, sizeof segment);
    aos_put(&segment, &segment, 0, 8, NULL);
    return aos_finalize();
}
