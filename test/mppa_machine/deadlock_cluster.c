// SPDX-License-Identifier: BSD-3-Clause
// A cluster's program of deadlock.sh: deadlock_cluster WHAT. After some barriers of all three, two clusters wait for ever.
#include <mppa_async.h>
#include <mppa_rpc.h>
#include <stdint.h>
#include <string.h>

static long long never, data;

static void pause_for_long(void) {
    for (volatile int i = 0; i < 1000000; i++) {
    }
}

static void clone(void) {
    mppa_async_segment_t segment;
    mppa_async_segment_clone(&segment, 51, NULL, 0, NULL);
}

int main(int argc, char **argv) {
    const char *what = argv[1];
    const int cluster = __k1_get_cluster_id();
    (void)argc;
    mppa_rpc_client_init();
    if (cluster == 1 && !strcmp(what, "uninitialized"))
        while (*(volatile long long *)&never == 0) {
        }
    mppa_async_init();
    if (!strcmp(what, "uninitialized"))
        mppa_async_put(&data, mppa_async_default_segment(1), (off64_t)(intptr_t)&data, sizeof data, NULL);
    for (int i = 0; i < 3; i++) {
        mppa_rpc_barrier_all();
        mppa_rpc_barrier(7, 3);
        if (cluster != 1) mppa_rpc_barrier(5, 2);
    }
    if (!strcmp(what, "with master")) mppa_rpc_barrier(7, 4);
    if (cluster == 1 && !strcmp(what, "clone of ended")) return mppa_async_final();
    if (cluster == 1 && !strncmp(what, "late", 4)) pause_for_long();
    if (cluster == 1 && !strcmp(what, "late clone")) {
        mppa_async_segment_t segment;
        mppa_async_segment_create(&segment, 51, &data, sizeof data, 0, 0, NULL);
        mppa_rpc_barrier_all();
        return mppa_async_final();
    }
    if (cluster == 1 && strcmp(what, "late")) mppa_async_evalcond(&never, 1, MPPA_ASYNC_COND_EQ, NULL);
    if (!strcmp(what, "barrier") || !strcmp(what, "late")) mppa_rpc_barrier(7, 3);
    if (!strcmp(what, "clone") || !strcmp(what, "clone of ended") || !strcmp(what, "late clone")) clone();
    if (!strcmp(what, "barrier of all") || !strcmp(what, "late clone")) mppa_rpc_barrier_all();
    return mppa_async_final();
}
