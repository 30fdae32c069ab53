// SPDX-License-Identifier: BSD-3-Clause
// A condition on a word outside the segment.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_postadd_when: segment 1 of PE 0: offset 72 and the 8 bytes from there on must lie inside its 64 bytes
#include <aos.h>

int main(void) {
    aos_init(0);
    static int64_t words[8];
    aos_segment_t segment;
    aos_segment_create(&segment, 1, words, sizeof words, NULL);
    aos_postadd_when(&segment, 0, 1, &(aos_condition_t){72, 0, AOS_EQUAL}, NULL);
    return aos_finalize();
}
