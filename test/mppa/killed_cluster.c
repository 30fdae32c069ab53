// SPDX-License-Identifier: BSD-3-Clause
// Cluster 1 dies as argv[1] says, the others wait for it in a barrier; "wait": all wait for ever.
#include <mppa_async.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int *volatile nowhere = (int *)16;

int main(int argc, char **argv) {
    (void)argc;
    const char *what = argv[1];
    mppa_rpc_client_init();
    mppa_async_init();
    mppa_rpc_barrier_all();
    if (__k1_get_cluster_id() == 1) {
        printf("in cluster 1\n");
        if (!strcmp(what, "segv")) *nowhere = 1;
        if (!strcmp(what, "kill")) kill(getpid(), SIGKILL);
        if (!strcmp(what, "abort")) abort();
        if (!strcmp(what, "exit")) return 3;
        if (!strcmp(what, "mistake")) mppa_async_default_segment(77);
        if (!strcmp(what, "wait") || !strcmp(what, "leave"))
            for (;;) pause();
    }
    mppa_rpc_barrier_all();
    return 0;
}
