// SPDX-License-Identifier: BSD-3-Clause
// A segment that does not fit into the memory of a cluster stops the job with a line.
// pes: 2
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: aos_segment_create: base 0x[0-9a-f]*, 2097152 bytes: must be memory of this PE
#include "../aos/segments.h"

int main(void) {
    static char memory[64];
    aos_segment_t segment;
    test_begin();
    REQUIRE_OK(aos_init(0));
    REQUIRE_OK(aos_segment_create(&segment, 8, memory, sizeof memory, NULL));
    aos_segment_create(&segment, 9, memory, 0x200000, NULL);
    return test_end();
}
