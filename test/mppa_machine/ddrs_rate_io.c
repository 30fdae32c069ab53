// SPDX-License-Identifier: BSD-3-Clause
// The master of ddrs.sh's last part. Prints the cycles in which 16 clusters get 256 KB each: from DDR 0, and half of them from
// each DDR: those beside it, so that the links to each column of clusters carry half as much.
#include <mppa_async.h>
#include <mppa_power.h>
#include <mppa_rpc.h>
#include <stdio.h>
#include <stdlib.h>

enum { clusters = 16 };
static long long slowest[2]; // cycles, set by clusters

int main(void) {
    mppa_rpc_server_init(1, 0, clusters);
    mppa_async_server_init();
    char place[16];
    snprintf(place, sizeof place, "%u", (unsigned)(unsigned long)slowest);
    const char *arguments[] = {"ddrs_rate_cluster", place, NULL};
    for (int i = 0; i < clusters; i++) mppa_power_base_spawn(i, "ddrs_rate_cluster", arguments, NULL, 0);
    for (int i = 0; i < clusters; i++) {
        int status = 1;
        mppa_power_base_waitpid(i, &status, 0);
        if (status != 0) return 1;
    }
    printf("%lld %lld\n", slowest[0], slowest[1]);
    mppa_async_server_final();
    return 0;
}
