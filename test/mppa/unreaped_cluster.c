// SPDX-License-Identifier: BSD-3-Clause
// A cluster's program of unreaped_io.c. Cluster 1 ends by _exit while the master is stopped, so the master cannot tell the others.
// Cluster 0 puts to it then, and lets the master go on half a second later.
#define _GNU_SOURCE
#include <mppa_async.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static long long word, one = 1;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *let_master_go_on(void *nothing) {
    usleep(500000);
    kill(getppid(), SIGCONT);
    return nothing;
}

int main(void) {
    mppa_async_segment_t segment;
    pthread_t thread;
    mppa_rpc_client_init();
    mppa_async_init();
    if (__k1_get_cluster_id() == 1) {
        mppa_async_segment_create(&segment, 51, &word, sizeof word, 0, 0, NULL);
        mppa_async_evalcond(&word, 1, MPPA_ASYNC_COND_EQ, NULL);
        _exit(0);
    }
    mppa_async_segment_clone(&segment, 51, NULL, 0, NULL);
    kill(getppid(), SIGSTOP);
    usleep(100000);
    mppa_async_put(&one, &segment, 0, sizeof one, NULL);
    usleep(500000); // cluster 1 ends
    pthread_create(&thread, NULL, let_master_go_on, NULL);
    const double begin = seconds();
    const int put = mppa_async_put(&one, &segment, 0, sizeof one, NULL);
    const double taken = seconds() - begin;
    pthread_join(thread, NULL);
    printf("put %d, %s\n", put, taken < 3 ? "at once" : "late");
    return mppa_async_final();
}
