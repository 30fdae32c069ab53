// SPDX-License-Identifier: BSD-3-Clause
// Local blocks further apart than memory is large.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_put_sparse: local: 8 blocks of 8 bytes, 9223372036854775807 bytes apart, must fit into a PE's address space
#include <aos.h>

int main(void) {
    aos_init(0);
    static int64_t words[32];
    aos_segment_t segment;
    aos_segment_create(&segment, 1, words, sizeof words, NULL);
    aos_put_sparse(words, INT64_MAX, &segment, 0, 8, 8, 8, NULL);
    return aos_finalize();
}
