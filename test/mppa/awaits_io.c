// SPDX-License-Identifier: BSD-3-Clause
// Clusters that wait for cluster 1, whose program has ended or was never started: awaits_io WHAT DELAY [after]. With "after"
// cluster 1 has ended before cluster 0 begins. In the cases that begin with "next" the master starts the next program on
// cluster 1, so the wait ends. In the cases that begin with "none" the master waits before it has started any program. In the
// case "thread" another thread of the master starts the first one meanwhile, so the wait ends.
#include <mppa_async.h>
#include <mppa_power.h>
#include <pthread.h>
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

static void *start_later(void *unused) {
    (void)unused;
    pause_for_a_while();
    start(1, "thread");
    return NULL;
}

// Waits for cluster 1. No program has been started.
static void wait_first(const char *what) {
    const mppa_async_segment_t *segment = mppa_async_default_segment(1);
    pthread_t thread;
    if (!strcmp(what, "thread")) pthread_create(&thread, NULL, start_later, NULL);
    if (!strcmp(what, "none put")) mppa_async_put(&word, segment, 4096, sizeof word, NULL);
    if (!strcmp(what, "none get")) mppa_async_get(&word, segment, 4096, sizeof word, NULL);
    if (!strcmp(what, "none atomic")) mppa_async_fetchadd(segment, 4096, 1, &word, NULL);
    if (!strcmp(what, "none barrier") || !strcmp(what, "thread")) mppa_rpc_barrier(2, 2);
    if (!strcmp(what, "thread")) pthread_join(thread, NULL);
}

int main(int argc, char **argv) {
    const char *what = argv[1];
    delay = argv[2];
    mppa_rpc_server_init(1, 0, 2);
    mppa_async_server_init();
    if (!strncmp(what, "none", 4) || !strcmp(what, "thread")) {
        wait_first(what);
        mppa_power_base_waitpid(1, NULL, 0);
        puts("well");
        return 0;
    }
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
