// SPDX-License-Identifier: BSD-3-Clause
// A master whose mistake is about the end of a program on a cluster, or about a segment: ends_io WHICH [SECOND PROGRAM].
#include <mppa_async.h>
#include <mppa_power.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static long long word = 1;
static const char *which;

static void create(size_t size, unsigned flags) {
    mppa_async_segment_t segment;
    printf("%d\n", mppa_async_segment_create(&segment, 1, &word, size, flags, 0, NULL));
}

static int start(const char *program, const char *what) {
    const char *arguments[] = {program, what, NULL};
    return mppa_power_base_spawn(0, program, arguments, NULL, 0);
}

static int send(const mppa_async_segment_t *segment) {
    const int result = segment->is_queue ? mppa_async_enqueue(segment, &word, sizeof word, 0, NULL)
                                         : mppa_async_put(&word, segment, 0, sizeof word, NULL);
    mppa_async_fence(segment, NULL);
    return result;
}

// Uses a segment of a cluster whose program has ended, and on which `second` has been started if it is not NULL.
static void use_after_end(const char *second) {
    mppa_async_segment_t segment, other;
    int status = -1;
    mppa_async_segment_clone(&segment, 7, NULL, 0, NULL);
    if (!strcmp(which, "full")) { // until the queue is full, and then until it is gone
        int result;
        do result = mppa_async_enqueue(&segment, &word, sizeof word, 0, NULL);
        while (result == 0);
        printf("result %d\n", result);
        return;
    }
    send(&segment); // ends the program
    mppa_power_base_waitpid(0, &status, 0);
    if (second) start(second, "second");
    const bool has_other = second && !strcmp(second, "ends_cluster");
    if (has_other) mppa_async_segment_clone(&other, 8, NULL, 0, NULL); // it runs
    printf("result %d of %d\n", send(&segment), status);
    if (has_other) send(&other);
    if (second) mppa_power_base_waitpid(0, &status, 0);
}

int main(int argc, char **argv) {
    which = argv[1];
    mppa_rpc_server_init(1, 0, 1);
    mppa_async_server_init();
    if (!strcmp(which, "segment")) create(3 << 20, 0);
    if (!strcmp(which, "large segment")) create((size_t)1 << 31, 0);
    off64_t block;
    mppa_async_malloc(MPPA_ASYNC_DDR_1, 64, &block, NULL); // the other I/O node's
    if (!strcmp(which, "other segment")) {
        mppa_async_segment_t segment;
        mppa_async_segment_create(&segment, 1, (void *)(intptr_t)block, 64, 0, 0, NULL);
    }
    if (!strcmp(which, "other word"))
        mppa_async_evalcond((const long long *)(intptr_t)block, 1, MPPA_ASYNC_COND_EQ, NULL);
    if (!strcmp(which, "queue")) create(64 << 10, MPPA_ASYNC_SEGMENT_FLAG_QUEUE0);
    if (!strcmp(which, "missing")) {
        const int cluster = start("there_is_no_such_program", which);
        mppa_power_base_waitpid(cluster, NULL, 0);
    }
    if (start("ends_cluster", which) != 0) return 9;
    if (!strncmp(which, "lost", 4)) {
        const int cluster = mppa_power_base_waitpid(0, NULL, 0);
        printf("cluster %d has ended\n", cluster);
    }
    if (!strcmp(which, "final")) return mppa_rpc_server_start() + mppa_async_server_final();
    if (strcmp(which, "unjoined") != 0) use_after_end(argc > 2 ? argv[2] : NULL);
    return 0;
}
