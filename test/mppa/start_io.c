// SPDX-License-Identifier: BSD-3-Clause
// Starts N clusters, each with arguments of its own, and prints how each ended: start_io N PROGRAM [ROUNDS]. With "large" instead of
// ROUNDS, starts one with arguments that are too large.
#include <mppa_power.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void start(int cluster, const char *program, int round) {
    char number[16], text[32];
    snprintf(number, sizeof number, "%d", cluster);
    snprintf(text, sizeof text, "round %d", round);
    const char *arguments[] = {number, "", text, NULL};
    if (mppa_power_base_spawn(cluster, program, arguments, NULL, MPPA_POWER_SHUFFLING_ENABLED) != cluster) exit(9);
}

int main(int argc, char **argv) {
    int clusters = atoi(argv[1]), rounds = argc > 3 ? atoi(argv[3]) : 1, sum = 0;
    if (__k1_get_cluster_id() != 128) return 8;
    if (argc > 3 && !strcmp(argv[3], "large")) { // arguments that do not fit: the program is not started
        const size_t bytes = sizeof(long) == 4 ? 4000 : 1 << 21; // on Linux one such string is too large
        char *large = malloc(bytes);
        memset(large, 'x', bytes);
        large[bytes - 1] = 0;
        printf("result %d\n",
               mppa_power_base_spawn(0, argv[2], (const char *[]){large, large, large, large, NULL}, NULL, 0));
        return 0;
    }
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < clusters; i++) start(i, argv[2], round);
        for (int i = 0; i < clusters; i++) {
            int status = -1;
            if (mppa_power_base_waitpid(i, &status, 0) != i) return 7;
            sum += status;
            if (mppa_power_base_waitpid(i, &status, 0) != -1) return 6; // its end has been waited for
        }
    }
    printf("sum of codes %d\n", sum);
    return 0;
}
