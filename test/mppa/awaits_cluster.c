// SPDX-License-Identifier: BSD-3-Clause
// A cluster's program of awaits_io.c: awaits_cluster WHAT DELAY. Cluster 1 ends at once ("short", "until put"), and cluster 0 waits for it in
// the way that WHAT says, after a delay. In the case "thread" cluster 1 meets the master. In the cases that begin with "next" both wait for each other.
#include <mppa_async.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static long long word, result, one = 1;

int main(int argc, char **argv) {
    const char *what = argv[1];
    const int other = 1 - __k1_get_cluster_id();
    const mppa_async_segment_t *segment = mppa_async_default_segment(!strcmp(what, "never") ? 2 : other);
    const off64_t place = (off64_t)(intptr_t)&result;
    (void)argc;
    mppa_rpc_client_init();
    mppa_async_init();
    if (!strcmp(what, "thread")) mppa_rpc_barrier(2, 2);
    if (!strcmp(what, "short") || !strcmp(what, "master") || !strcmp(what, "thread")) return mppa_async_final();
    if (!strcmp(what, "until put")) {
        mppa_async_evalcond(&word, 1, MPPA_ASYNC_COND_EQ, NULL);
        return mppa_async_final();
    }
    if (!strcmp(what, "next after a put")) mppa_async_put(&one, segment, (off64_t)(intptr_t)&word, sizeof result, NULL);
    for (volatile int i = 0; i < atoi(argv[2]); i++) {
    }
    if (!strcmp(what, "get")) mppa_async_get(&result, segment, place, sizeof result, NULL);
    if (!strcmp(what, "atomic")) mppa_async_postadd(segment, place, 1);
    if (!strcmp(what, "never")) mppa_async_peek(segment, place, &result, NULL);
    if (!strcmp(what, "barrier")) mppa_rpc_barrier(3, 2);
    if (!strcmp(what, "barrier of all") || !strcmp(what, "event") || !strcmp(what, "server")) mppa_rpc_barrier_all();
    if (!strncmp(what, "next", 4) || !strcmp(what, "put")) mppa_async_put(&result, segment, place, sizeof result, NULL);
    if (!strncmp(what, "next", 4)) mppa_rpc_barrier_all();
    if (!strncmp(what, "next", 4)) mppa_async_put(&result, segment, place, sizeof result, NULL);
    if (!strncmp(what, "next", 4)) mppa_rpc_barrier(3, 2);
    return mppa_async_final();
}
