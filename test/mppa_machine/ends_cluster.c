// SPDX-License-Identifier: BSD-3-Clause
// A cluster of ends_io.c. It has a segment or a queue, and ends without destroying it.
#include <mppa_async.h>
#include <stdlib.h>
#include <string.h>

static long long word;
static mppa_async_segment_t segment;

static void create(int ident, unsigned flags) {
    mppa_async_segment_create(&segment, (unsigned)ident, &word, sizeof word, flags, 0, NULL);
}

int main(int argc, char **argv) {
    const char *which = argc > 1 ? argv[1] : "";
    void *message;
    mppa_rpc_client_init();
    mppa_async_init();
    if (!strcmp(which, "unjoined"))
        while (*(volatile long long *)&word == 0) {
        }
    if (!strcmp(which, "abort")) abort();
    if (!strcmp(which, "crash")) *(volatile int *)16 = 1;
    if (!strcmp(which, "final")) return mppa_async_final();
    if (!strcmp(which, "put")) {
        create(7, 0);
        while (*(volatile long long *)&word == 0) {
        }
        exit(5);
    }
    if (!strcmp(which, "lost word")) mppa_async_evalcond(&word, 1, MPPA_ASYNC_COND_EQ, NULL);
    create(strcmp(which, "second") == 0 ? 8 : 7, MPPA_ASYNC_SEGMENT_FLAG_QUEUE0);
    mppa_async_dequeue(&segment, sizeof word, &message, NULL);
    if (!strcmp(which, "full")) // the master fills the queue meanwhile, and waits for a place
        for (volatile int i = 0; i < 200000; i++) {
        }
    return 3;
}
