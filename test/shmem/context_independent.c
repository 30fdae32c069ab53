// SPDX-License-Identifier: BSD-3-Clause
// A quiet or a fence of one context does not wait for a large get or put of another, if the PEs are on different nodes. It is
// enough that this is seen in one of several tries: the transfer is possibly done before. On one node the get is done when it
// returns.
// pes: 1 2 4 7
// ways: 4:2:remote
// skip: epiphany (its data needs more than the memory of a core)
#include "test.h"

#define BYTES ((size_t)48 << 20)
#define TRIES 20

static long word;

// Returns true if the get was still under way when the quiet of another context had returned.
static bool is_independent(shmem_ctx_t quick, shmem_ctx_t slow, char *dest, const char *source, int target) {
    memset(dest, 0, BYTES);
    shmem_ctx_getmem_nbi(slow, dest, source, BYTES, target);
    shmem_ctx_long_p(quick, &word, 7, target);
    shmem_ctx_quiet(quick);
    const bool under_way = *(volatile char *)&dest[BYTES - 1] == 0;
    shmem_ctx_quiet(slow);
    REQUIRE(dest[BYTES - 1] == 1 && dest[0] == 1 && dest[BYTES / 2] == 1,
            "the quiet of the get's context returned early");
    return under_way;
}

int main(void) {
    test_begin();
    char *source = shmem_malloc(BYTES), *dest = malloc(BYTES);
    REQUIRE(source && dest, "no memory");
    memset(source, 1, BYTES);
    shmem_barrier_all();
    shmem_ctx_t quick, slow;
    REQUIRE(shmem_ctx_create(0, &quick) == 0 && shmem_ctx_create(0, &slow) == 0, "no context");
    const int target = (me + pes / 2) % pes;
    const bool is_far = !shmem_ptr(source, target);
    if (me == 0) {
        bool seen = false;
        for (int i = 0; i < TRIES && !seen; i++) seen = is_independent(quick, slow, dest, source, target);
        REQUIRE(seen || !is_far, "each of %d quiets waited for the get of another context", TRIES);
    }
    shmem_ctx_destroy(quick);
    shmem_ctx_destroy(slow);
    shmem_barrier_all();
    shmem_free(source);
    free(dest);
    return test_end();
}
