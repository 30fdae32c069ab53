// SPDX-License-Identifier: BSD-3-Clause
// The master of ddrs.sh: ddrs_io CLUSTERS HOW. Clusters use both DDRs in rounds.
//   alone  no program runs on the second I/O node
//   late   a program is started there behind the first round, and has ended before the last one
//   early  a program has run there before the first round
#include "ddrs.h"

#include <mppa_power.h>
#include <utask.h>

static long long round_now, arrived; // known to clusters by their offsets

static void start(int server, const char *program, int rounds) {
    char places[2][32], count[16];
    snprintf(places[0], sizeof places[0], "%lld", (long long)(off64_t)&round_now);
    snprintf(places[1], sizeof places[1], "%lld", (long long)(off64_t)&arrived);
    snprintf(count, sizeof count, "%d", rounds);
    const char *arguments[] = {program, places[0], places[1], count, NULL};
    CHECK(mppa_power_base_spawn(server, program, arguments, NULL, MPPA_POWER_SHUFFLING_ENABLED) == server);
}

static void await_end(int server) {
    int status = -1;
    CHECK(mppa_power_base_waitpid(server, &status, 0) == server && status == 0);
}

static void run_round(int clusters) {
    __builtin_k1_afdau(&round_now, 1);
    CHECK(mppa_async_evalcond(&arrived, round_now * clusters, MPPA_ASYNC_COND_GE, NULL) == 0);
}

int main(int argc, char **argv) {
    const int clusters = argc > 1 ? atoi(argv[1]) : 1;
    const char *how = argc > 2 ? argv[2] : "alone";
    CHECK(mppa_rpc_server_init(1, 0, clusters) == 0);
    CHECK(mppa_async_server_init() == 0);
    if (!strcmp(how, "wrong")) { // a block of one DDR is freed in the other one
        off64_t block = take(1, 64);
        mppa_async_free(MPPA_ASYNC_DDR_0, block, NULL);
    }
    const int is_late = !strcmp(how, "late"), rounds = is_late ? 3 : 1;
    utask_t server;
    CHECK(utask_create(&server, NULL, (void *)mppa_rpc_server_start, NULL) == 0);
    if (!strcmp(how, "early")) {
        start(192, "ddrs_second", 1);
        await_end(192);
    }
    for (int i = 0; i < clusters; i++) start(i, "ddrs_cluster", rounds);
    run_round(clusters);
    if (is_late) {
        start(192, "ddrs_second", 1);
        run_round(clusters);
        await_end(192);
        run_round(clusters);
    }
    use_both(99, 0);
    off64_t large[2], none;
    for (int k = 0; k < 2; k++) large[k] = take(k, 100 << 20); // more than half of all the simulated chip has in both
    if (sizeof(long) == 4) CHECK(mppa_async_malloc(MPPA_ASYNC_DDR_1, 100 << 20, &none, NULL) == -1);
    CHECK(mppa_async_memalign(MPPA_ASYNC_DDR_1, 1 << 20, 100, &none, NULL) == 0 && none % (1 << 20) == 0);
    CHECK(mppa_async_free(MPPA_ASYNC_DDR_1, none, NULL) == 0);
    for (int k = 0; k < 2; k++) CHECK(mppa_async_free(k ? MPPA_ASYNC_DDR_1 : MPPA_ASYNC_DDR_0, large[k], NULL) == 0);
    if (strcmp(how, "alone") == 0) { // memory of the second I/O program, of which there is none
        CHECK(mppa_async_put(large, MPPA_ASYNC_DDR_1, (off64_t)&arrived, 8, NULL) == -1);
        CHECK(mppa_async_offset(MPPA_ASYNC_DDR_1, &arrived, &none) == -1);
    }
    for (int i = 0; i < clusters; i++) await_end(i);
    CHECK(utask_join(server, NULL) == 0);
    CHECK(mppa_async_server_final() == 0);
    puts("well");
    return 0;
}
