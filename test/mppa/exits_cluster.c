// SPDX-License-Identifier: BSD-3-Clause
// A cluster's program of exits_io.c: exits_cluster DELAY exit|_exit CODE. Cluster 1 makes a queue and a segment, and ends
// without its final routine. Cluster 0 has sent it an atomic operation before, and uses both afterwards.
#include <mppa_async.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long long words[2];
static char message[16];

int main(int argc, char **argv) {
    mppa_async_segment_t queue, segment, told;
    (void)argc;
    mppa_rpc_client_init();
    mppa_async_init();
    if (__k1_get_cluster_id() == 1) {
        mppa_async_segment_create(&queue, 50, message, sizeof message, MPPA_ASYNC_SEGMENT_FLAG_QUEUE0, 0, NULL);
        mppa_async_segment_create(&segment, 51, words, sizeof words, 0, 0, NULL);
        mppa_async_evalcond(words, 1, MPPA_ASYNC_COND_EQ, NULL);
        if (!strcmp(argv[2], "_exit")) _exit(atoi(argv[3]));
        exit(atoi(argv[3]));
    }
    mppa_async_segment_create(&told, 52, words, sizeof words, 0, 0, NULL);
    mppa_async_segment_clone(&queue, 50, NULL, 0, NULL);
    mppa_async_segment_clone(&segment, 51, NULL, 0, NULL);
    mppa_async_postadd(&segment, 0, 1);
    if (mppa_async_fence(&segment, NULL) != 0) return 1;
    // The master says that cluster 1 has ended.
    mppa_async_evalcond(words, 1, MPPA_ASYNC_COND_EQ, NULL);
    for (volatile int i = 0; i < atoi(argv[1]); i++) {
    }
    const int sent = mppa_async_enqueue(&queue, message, sizeof message, 0, NULL);
    const int put = mppa_async_put(message, &segment, 8, 8, NULL), atomic = mppa_async_postadd(&segment, 8, 1);
    printf("message %d, put %d, atomic %d, ", sent, put, atomic);
    printf("fence %d\n", mppa_async_fence(&segment, NULL));
    mppa_async_final();
    return 0;
}
