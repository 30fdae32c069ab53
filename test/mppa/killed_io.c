// SPDX-License-Identifier: BSD-3-Clause
// Starts three clusters and waits for them: killed_io WHAT THE CLUSTERS DO.
#include <mppa_async.h>
#include <mppa_power.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    (void)argc;
    printf("master %d\n", (int)getpid());
    mppa_rpc_server_init(1, 0, 3);
    mppa_async_server_init();
    for (int i = 0; i < 3; i++) mppa_power_base_spawn(i, "killed_cluster", argv, NULL, 0);
    if (!strcmp(argv[1], "leave")) return 0;
    for (int i = 0; i < 3; i++) mppa_power_base_waitpid(i, NULL, 0);
    printf("not reached\n");
    return 0;
}
