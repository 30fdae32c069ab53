// SPDX-License-Identifier: BSD-3-Clause
// The master of unreaped_cluster.c. Cluster 0 stops this process and lets it go on.
#include <mppa_async.h>
#include <mppa_power.h>

int main(void) {
    const char *arguments[] = {"unreaped_cluster", NULL};
    mppa_rpc_server_init(1, 0, 2);
    mppa_async_server_init();
    for (int cluster = 0; cluster < 2; cluster++) mppa_power_base_spawn(cluster, arguments[0], arguments, NULL, 0);
    for (int cluster = 0; cluster < 2; cluster++) mppa_power_base_waitpid(cluster, NULL, 0);
    return 0;
}
