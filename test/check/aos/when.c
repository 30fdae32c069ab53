// SPDX-License-Identifier: BSD-3-Clause
// A conditional atomic without a condition.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_postadd_when: when: must not be NULL
#include <aos.h>

int main(void) {
    aos_init(0);
    static int64_t words[8];
    aos_segment_t segment;
    aos_segment_create(&segment, 1, words, sizeof words, NULL);
    aos_postadd_when(&segment, 0, 1, NULL, NULL);
    return aos_finalize();
}
