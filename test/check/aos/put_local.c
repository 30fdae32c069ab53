// SPDX-License-Identifier: BSD-3-Clause
// Data from nowhere: the line names this PE's side, not the owner's.
// pes: 1 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_put: local 0: 8 bytes from there on are not memory of this PE, or this PE may not write them
#include <aos.h>

int main(void) {
    static int64_t word;
    aos_segment_t own;
    aos_init(0);
    aos_segment_create(&own, (uint64_t)aos_my_pe(), &word, sizeof word, NULL);
    aos_put(NULL, &own, 0, sizeof word, NULL);
    return aos_finalize();
}
