// SPDX-License-Identifier: BSD-3-Clause
// PE 0 calls the routine that the argument names, with the last PE and a negative count. The other PEs wait for it.
#include <aos.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>

static long data[64], local[64];
static uint64_t signal_word;

// The calls of AOS return an error. Returns 0 if they do.
static int call_aos(int last) {
    aos_segment_t whole, window, clone;
    aos_event_t event;
    if (aos_init(0) || aos_segment_create(&window, (uint64_t)shmem_my_pe(), data, sizeof data, NULL)) return 2;
    shmem_barrier_all();
    if (aos_segment_clone(&clone, (uint64_t)last, 0) || aos_segment_of_pe(&whole, last, 0)) return 3;
    const aos_segment_t *segments[] = {&clone, &whole};
    int result = 0;
    for (int i = 0; i < 2 && shmem_my_pe() == 0; i++) {
        const uint64_t offset = i == 0 ? 8 : (uint64_t)(uintptr_t)data;
        if (aos_put(local, segments[i], offset, (size_t)-8, NULL) == AOS_SUCCESS ||
            aos_get(local, segments[i], offset, (size_t)-8, NULL) == AOS_SUCCESS ||
            aos_put(local, segments[i], offset, (size_t)-8, &event) == AOS_SUCCESS ||
            aos_get(local, segments[i], offset, (size_t)-8, &event) == AOS_SUCCESS)
            result = 4;
    }
    shmem_barrier_all();
    return aos_finalize() ? 5 : result;
}

static void call(const char *routine, size_t count, int pe) {
    const shmem_ctx_t context = SHMEM_CTX_DEFAULT;
#define CALL(NAME, ...)                                                                                                \
    if (strcmp(routine, #NAME) == 0) NAME(__VA_ARGS__)
    CALL(shmem_long_put, data, local, count, pe);
    CALL(shmem_long_get, local, data, count, pe);
    CALL(shmem_ctx_long_put, context, data, local, count, pe);
    CALL(shmem_ctx_long_get, context, local, data, count, pe);
    CALL(shmem_long_put_nbi, data, local, count, pe);
    CALL(shmem_long_get_nbi, local, data, count, pe);
    CALL(shmem_putmem, data, local, count, pe);
    CALL(shmem_getmem, local, data, count, pe);
    CALL(shmem_long_iput, data, local, 2, 1, count, pe);
    CALL(shmem_long_iget, local, data, 1, 2, count, pe);
    CALL(shmem_long_ibput, data, local, 4, 4, 2, count, pe);
    CALL(shmem_long_ibget, local, data, 4, 4, 2, count, pe);
    CALL(shmem_long_put_signal, data, local, count, &signal_word, 1, SHMEM_SIGNAL_SET, pe);
    CALL(shmem_long_put_signal_nbi, data, local, count, &signal_word, 1, SHMEM_SIGNAL_ADD, pe);
}

int main(int argument_count, char **arguments) {
    if (argument_count != 2) return 2;
    const volatile int count = -1;
    shmem_init();
    const int last = shmem_n_pes() - 1;
    if (strcmp(arguments[1], "aos") == 0) {
        const int result = call_aos(last);
        shmem_finalize();
        return result;
    }
    if (shmem_my_pe() == 0) call(arguments[1], (size_t)count, last);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
