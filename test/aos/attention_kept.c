// SPDX-License-Identifier: BSD-3-Clause
// pes: 2
// skip: epiphany
// env: SKERRY_NO_CROSS_MEMORY=1
// A program that has said that its PEs serve only while they wait is not interrupted because it uses segments later.
#include "segments.h"

#include <errno.h>
#include <shmemx.h>

static int64_t *place;

int main(void) {
    int64_t old;
    aos_segment_t first;
    test_begin();
    REQUIRE(shmemx_rpc_attention(SHMEMX_RPC_ONLY_WAITING) == 0, "attention was refused");
    segments_begin(0);
    if (me == 0) place = calloc(1, sizeof *place);
    shmem_barrier_all();
    if (me == 0) {
        struct timespec while_asked = {.tv_nsec = 200000000};
        REQUIRE(nanosleep(&while_asked, NULL) == 0, "the sleep ended early, errno %d", errno);
    } else {
        int64_t *there;
        shmem_get64(&there, &place, 1, 0);
        REQUIRE_OK(aos_segment_of_pe(&first, 0, 0));
        REQUIRE_OK(aos_fetchadd(&first, (uint64_t)(uintptr_t)there, 1, &old, NULL));
    }
    barrier(); // PE 0 serves in it
    if (me == 0) REQUIRE(*place == 1, "the word is %ld", (long)*place);
    shmem_finalize();
    return segments_end();
}
