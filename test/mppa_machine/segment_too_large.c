// SPDX-License-Identifier: BSD-3-Clause
// A segment that does not fit into the memory of a cluster is refused, with an error. Its number stays free.
// pes: 2
#include "../aos/segments.h"

int main(void) {
    static char memory[64];
    static char *const below = (char *)0x1000, *const last = (char *)0x40200000 - sizeof memory;
    aos_segment_t segment;
    test_begin();
    REQUIRE_OK(aos_init(0));
    const uint64_t id = segment_id(aos_my_pe(), 0);
    REQUIRE_ERROR(aos_segment_create(&segment, id, memory, 0x200000, NULL), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_segment_create(&segment, id, below, sizeof memory, NULL), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_segment_create(&segment, id, last, sizeof memory + 1, NULL), AOS_ERROR_ARGUMENT);
    REQUIRE_OK(aos_segment_create(&segment, id, last, sizeof memory, NULL));
    REQUIRE_OK(aos_segment_destroy(&segment));
    REQUIRE_OK(aos_segment_create(&segment, id, memory, sizeof memory, NULL));
    return test_end();
}
