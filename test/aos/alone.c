// SPDX-License-Identifier: BSD-3-Clause
// PEs that wait for nobody at set-up: they come at different times, find each other's segments, reach static data as private memory,
// and end when they like.
#include "segments.h"

static int64_t statics[4];

int main(void) {
    aos_segment_t own, right;
    test_sleep_ms(aos_my_pe() * 3 % 20);
    REQUIRE_OK(aos_init(AOS_ALONE));
    me = aos_my_pe();
    pes = aos_pe_count();
    int64_t *private = calloc(4, 8);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), me % 2 ? statics : private, 32, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), 1), 0));
    REQUIRE(MEMORY_ALL_NEAR || pes == 1 || !aos_pointer(&right, 0, 8), "private memory of another program is near");
    int64_t value = me + 1, old;
    REQUIRE_OK(aos_put(&value, &right, 0, 8, NULL));
    REQUIRE_OK(aos_postadd(&right, 8, 1));
    REQUIRE_OK(aos_fetchadd(&right, 16, 3, &old, NULL));
    REQUIRE(old == 0, "the word was %ld", (long)old);
    // Who has been served may go; who serves looks until it has been reached itself.
    int64_t *words = me % 2 ? statics : private;
    aos_condition_t reached = {.offset = 16, .value = 3, .condition = AOS_EQUAL};
    REQUIRE_OK(aos_peek_when(&own, 16, &reached, &old, NULL));
    REQUIRE(words[0] == left_of(me) + 1 && words[1] == 1, "put and posted atomic: %ld %ld", (long)words[0],
            (long)words[1]);
    REQUIRE_OK(aos_finalize());
    free(private);
    return 0;
}
