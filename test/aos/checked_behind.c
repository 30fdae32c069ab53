// SPDX-License-Identifier: BSD-3-Clause
// When checking, a put behind the program that fails ends the job with a line, whatever the program waits for.
// pes: 2
// check: yes
// skip: epiphany
// expect-fail: skerry: PE 0: aos_put: segment 65537 of PE 1, offset 0, 4194304 bytes: the owner must have memory there
#include "segments.h"

#include <sys/mman.h>

#define BYTES ((size_t)4 << 20)

static aos_segment_t own, right;

int main(void) {
    aos_event_t done;
    segments_begin(0);
    char *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
         *local = malloc(BYTES);
    REQUIRE(memory != MAP_FAILED && local, "no memory");
    memset(local, 1, BYTES);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), memory, BYTES, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), 1), 0));
    REQUIRE(munmap(memory + BYTES / 2, BYTES / 2) == 0, "munmap failed");
    barrier();
    if (me == 0) REQUIRE_OK(aos_put(local, &right, 0, BYTES, &done));
    for (;;) test_sleep_ms(10);
}
