// SPDX-License-Identifier: BSD-3-Clause
// An atomic that fetches has nowhere to store what it fetches.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: aos_fetchadd: result: must not be NULL
#include <aos.h>

int main(void) {
    static int64_t word;
    aos_segment_t segment;
    aos_init(0);
    if (aos_segment_of_pe(&segment, aos_my_pe(), 0) != AOS_SUCCESS) return 2;
    aos_fetchadd(&segment, aos_offset(&segment, &word), 1, NULL, NULL);
    aos_finalize();
    return 0;
}
