// SPDX-License-Identifier: BSD-3-Clause
// The master of deadlock.sh: deadlock_io WHAT. Starts three clusters, whose waits never end, and waits for their ends.
#include <mppa_async.h>
#include <mppa_power.h>
#include <mppa_rpc.h>
#include <string.h>

enum { clusters = 3 };

int main(int argc, char **argv) {
    const char *arguments[] = {"deadlock_cluster", argv[1], NULL};
    (void)argc;
    if (strcmp(argv[1], "barrier of unknown")) mppa_rpc_server_init(1, 0, clusters);
    mppa_async_server_init();
    for (int i = 0; i < clusters; i++) mppa_power_base_spawn(i, arguments[0], arguments, NULL, 0);
    for (int i = 0; i < clusters; i++) mppa_power_base_waitpid(i, NULL, 0);
    return 0;
}
