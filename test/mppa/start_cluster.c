// SPDX-License-Identifier: BSD-3-Clause
// Checks what it was started with, and ends with its number as exit code. Uses no segments.
#include <mppa_async.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 3 || argv[1][0] || strncmp(argv[2], "round ", 6) != 0) return 100;
    if (__k1_get_cluster_id() != atoi(argv[0])) return 101;
    if (!getenv("STARTED_FROM") || getenv("SKERRY_JOB")) return 102;
    printf("cluster %s of %s\n", argv[0], getenv("STARTED_FROM"));
    if (atoi(argv[0]) % 2 == 1) mOS_exit(1, atoi(argv[0])); // ends it as well as return
    return atoi(argv[0]);
}
