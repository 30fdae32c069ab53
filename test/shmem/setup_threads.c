// SPDX-License-Identifier: BSD-3-Clause
// Each thread level can be asked for and is provided at least; query_thread says what was provided; a second
// initialisation does not change it; a level that does not exist is refused.
#include "test.h"

int main(void) {
    static const int levels[] = {SHMEM_THREAD_SINGLE, SHMEM_THREAD_FUNNELED, SHMEM_THREAD_SERIALIZED,
                                 SHMEM_THREAD_MULTIPLE};
    REQUIRE(levels[0] < levels[1] && levels[1] < levels[2] && levels[2] < levels[3], "the levels are not in order");
    for (int round = 0; round < 8; round++) {
        int provided = -1, queried = -1, wanted = levels[round % 4];
        REQUIRE(shmem_init_thread(wanted, &provided) == 0 && provided >= wanted, "level %d: provided %d", wanted,
                provided);
        me = shmem_my_pe();
        pes = shmem_n_pes();
        shmem_query_thread(&queried);
        REQUIRE(queried == provided, "level %d: provided %d, queried %d", wanted, provided, queried);
        int second = -1;
        REQUIRE(shmem_init_thread(SHMEM_THREAD_SINGLE, &second) == 0 && second == provided,
                "a second call changed the level");
        shmem_barrier_all();
        shmem_finalize();
        shmem_finalize();
    }
    int provided = -1;
    REQUIRE(shmem_init_thread(SHMEM_THREAD_MULTIPLE + 1000, &provided) != 0,
            "a level that does not exist was accepted");
    return 0;
}
