// SPDX-License-Identifier: BSD-3-Clause
// A posted atomic where another PE has nothing: the fence tells.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_fence: an earlier atomic without an answer failed: PE 0 must have memory at the atomic's address, and must be allowed to write to it
#include <aos.h>

int main(void) {
    aos_init(0);
    aos_segment_t first;
    if (aos_my_pe() == 1) {
        aos_segment_of_pe(&first, 0, 0);
        aos_postadd(&first, 16, 1);
        aos_fence(&first, NULL);
    }
    return aos_finalize();
}
