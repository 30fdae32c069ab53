// SPDX-License-Identifier: BSD-3-Clause
// One mistake of a master's: mistakes_io WHICH.
#include <mppa_async.h>
#include <mppa_power.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>

static long long word;

int main(int argc, char **argv) {
    const char *which = argc > 1 ? argv[1] : "";
    mppa_async_segment_t segment;
    if (!strcmp(which, "many")) mppa_rpc_server_init(1, 0, 17);
    if (!strcmp(which, "early")) mppa_async_poke(MPPA_ASYNC_DDR_0, 0, 1);
    if (!strcmp(which, "client")) mppa_rpc_client_init();
    if (!strcmp(which, "cluster")) mppa_power_base_spawn(16, "any", NULL, NULL, 0);
    mppa_rpc_server_init(1, 0, 1);
    mppa_async_server_init();
    if (!strcmp(which, "missing")) printf("%d\n", mppa_power_base_spawn(0, "there_is_no_such_program", NULL, NULL, 0));
    if (!strcmp(which, "again")) {
        mppa_async_segment_create(&segment, 5, &word, sizeof word, 0, 0, NULL);
        mppa_async_segment_create(&segment, 5, &word, sizeof word, 0, 0, NULL);
    }
    if (!strcmp(which, "barrier")) mppa_rpc_barrier_all();
    if (!strcmp(which, "shmem")) shmem_init();
    if (!strcmp(which, "free")) mppa_async_free(MPPA_ASYNC_DDR_0, 4096, NULL);
    if (!strcmp(which, "bounds")) {
        mppa_async_segment_create(&segment, 5, &word, sizeof word, 0, 0, NULL);
        printf("%d\n", mppa_async_put(&word, &segment, 8, 1, NULL));
    }
    return 0;
}
