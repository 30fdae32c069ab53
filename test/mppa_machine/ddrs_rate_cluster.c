// SPDX-License-Identifier: BSD-3-Clause
// A cluster of ddrs.sh's last part. The clusters report their times one after the other, and the longest one remains.
#include <mppa_async.h>
#include <mppa_rpc.h>
#include <stdlib.h>

enum { clusters = 16, pieces = 4, piece = 65536 };
static char buffer[piece];

int main(int argc, char **argv) {
    mppa_rpc_client_init();
    mppa_async_init();
    const int me = __k1_get_cluster_id();
    for (int k = 0; k < 2; k++) {
        mppa_async_segment_t *ddr = k == 1 && me >= clusters / 2 ? MPPA_ASYNC_DDR_1 : MPPA_ASYNC_DDR_0;
        off64_t block, place = atoll(argv[argc - 1]) + 8 * k;
        long long longest;
        if (mppa_async_malloc(ddr, piece, &block, NULL) != 0) return 1;
        if (mppa_async_get(buffer, ddr, block, 8, NULL) != 0) return 1; // opens the DDR
        mppa_rpc_barrier_all();
        long long time = (long long)__k1_read_dsu_timestamp();
        for (int i = 0; i < pieces; i++)
            if (mppa_async_get(buffer, ddr, block, piece, NULL) != 0) return 1;
        time = (long long)__k1_read_dsu_timestamp() - time;
        for (int turn = 0; turn < clusters; turn++) {
            if (turn == me) {
                mppa_async_peek(MPPA_ASYNC_DDR_0, place, &longest, NULL);
                if (time > longest) mppa_async_poke(MPPA_ASYNC_DDR_0, place, time);
                mppa_async_fence(MPPA_ASYNC_DDR_0, NULL);
            }
            mppa_rpc_barrier_all();
        }
    }
    mppa_async_final();
    return 0;
}
