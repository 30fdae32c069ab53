// SPDX-License-Identifier: BSD-3-Clause
// A private context belongs to the thread that created it.
// pes: 2
// check: yes
// threads: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_ctx_long_p: ctx 0x[0-9a-f]+: is private .SHMEM_CTX_PRIVATE. to the thread that created it
#include <shmem.h>

#include <pthread.h>

static long word;

static void *put(void *ctx) {
    shmem_ctx_long_p(ctx, &word, 1, 1);
    return NULL;
}

int main(void) {
    int provided;
    pthread_t thread;
    shmem_ctx_t ctx;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx);
    put(ctx);
    pthread_create(&thread, NULL, put, ctx);
    pthread_join(thread, NULL);
    shmem_finalize();
    return 0;
}
