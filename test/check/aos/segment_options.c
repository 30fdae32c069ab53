// SPDX-License-Identifier: BSD-3-Clause
// For PEs that there are not.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_segment_create: options: pe_count 2 and first_pe 1 must name only PEs of the job, which has 2 PEs
#include <aos.h>

int main(void) {
    aos_init(0);
    static char memory[64];
    aos_segment_t segment;
    aos_segment_create(&segment, 1, memory, sizeof memory, &(aos_options_t){.first_pe = 1, .pe_count = 2});
    return aos_finalize();
}
