// SPDX-License-Identifier: BSD-3-Clause
// The master of exits_cluster.c: exits_io DELAY exit|_exit CODE. Tells cluster 0 when the program of cluster 1 has ended.
#include <mppa_async.h>
#include <mppa_power.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    const char *arguments[] = {"exits_cluster", argv[1], argv[2], argv[3], NULL};
    int status = 0;
    (void)argc;
    mppa_rpc_server_init(1, 0, 2);
    mppa_async_server_init();
    for (int cluster = 0; cluster < 2; cluster++) mppa_power_base_spawn(cluster, arguments[0], arguments, NULL, 0);
    mppa_power_base_waitpid(1, &status, 0);
    if (status != atoi(argv[3])) printf("exit code %d\n", status);
    mppa_async_segment_t told;
    if (mppa_async_segment_clone(&told, 52, NULL, 0, NULL) == 0) mppa_async_postadd(&told, 0, 1);
    mppa_power_base_waitpid(0, NULL, 0);
    return 0;
}
