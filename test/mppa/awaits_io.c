// SPDX-License-Identifier: BSD-3-Clause
// Clusters that wait for cluster 1, whose program has ended or was never started: awaits_io WHAT DELAY [after]. With "after"
// cluster 1 has ended before cluster 0 begins. In the cases that begin with "next" the master starts the next program on
// cluster 1, so the wait ends.
#include <mppa_async.h>
#include <mppa_power.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long long word;
static const char *delay;

static void start(int cluster, const char *what) {
    const char *arguments[] = {"awaits_cluster", what, delay, NULL};
    mppa_power_base_spawn(cluster, arguments[0], arguments, NULL, 0);
}

static void pause_for_a_while(void) {
    for (volatile int i = 0; i < atoi(delay); i++) {
    }
}

int main(int argc, char **argv) {
    const char *what = argv[1];
    delay = argv[2];
    mppa_rpc_server_init(1, 0, 2);
    mppa_async_server_init();
    if (!strcmp(what, "next round")) { // all programs of the first round have ended
        start(0, "short");
        start(1, "short");
        mppa_power_base_waitpid(0, NULL, 0);
        mppa_power_base_waitpid(1, NULL, 0);
    }
    const bool is_after_put = !strcmp(what, "next after a put");
    start(1, !strcmp(what, "next round") ? what : is_after_put ? "until put" : "short");
    if (argc > 3) mppa_power_base_waitpid(1, NULL, 0);
    start(0, what);
    if (is_after_put || !strcmp(what, "next of cluster 1")) {
        mppa_power_base_waitpid(1, NULL, 0);
        pause_for_a_while();
        start(1, what);
    }
    if (!strcmp(what, "event")) mppa_async_evalcond(&word, 1, MPPA_ASYNC_COND_EQ, NULL);
    if (!strcmp(what, "server")) mppa_rpc_server_start();
    if (!strcmp(what, "master")) mppa_rpc_barrier(2, 2);
    for (int cluster = 0; cluster < 2; cluster++) mppa_power_base_waitpid(cluster, NULL, 0);
    puts("well");
    return 0;
}
