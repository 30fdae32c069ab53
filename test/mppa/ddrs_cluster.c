// SPDX-License-Identifier: BSD-3-Clause
// A cluster of ddrs.sh: ddrs_cluster ROUND ARRIVED ROUNDS. The first two are offsets of words of the master.
#include "ddrs.h"

int main(int argc, char **argv) {
    CHECK(argc == 4);
    CHECK(mppa_rpc_client_init() == 0);
    CHECK(mppa_async_init() == 0);
    const int me = __k1_get_cluster_id(), rounds = atoi(argv[3]);
    off64_t kept = 0; // of DDR 1, over all rounds
    for (int round = 1; round <= rounds; round++) {
        long long now;
        do CHECK(mppa_async_peek(MPPA_ASYNC_DDR_0, atoll(argv[1]), &now, NULL) == 0);
        while (now < round);
        if (round == 1) {
            kept = take(1, NUMBERS * sizeof(int));
            put_block(MPPA_ASYNC_DDR_1, kept, me);
        }
        use_both(me, round);
        check_block(MPPA_ASYNC_DDR_1, kept, me);
        CHECK(mppa_async_postadd(MPPA_ASYNC_DDR_0, atoll(argv[2]), 1) == 0);
    }
    CHECK(mppa_async_free(MPPA_ASYNC_DDR_1, kept, NULL) == 0);
    CHECK(mppa_async_final() == 0);
    return 0;
}
