// SPDX-License-Identifier: BSD-3-Clause
// Gets that are completed later while their owners push: several under way, of all alignments, completed by quiet and by a barrier,
// and with handlers that are quiet themselves meanwhile, at both ends of a get.
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>

#define BYTES_MAX 1024

static unsigned char source[BYTES_MAX + 8], first[BYTES_MAX + 8], second[BYTES_MAX + 8];
static volatile int handled;
static int put_here[16];
static int me, pes;

static void handler(void) {
    for (int pe = 0; pe < pes; pe++) shmem_int_p(&put_here[me], handled + 1, pe);
    shmem_quiet();
    if (shmem_int_g(&put_here[me], (me + 1) % pes) != handled + 1) shmem_global_exit(2);
    handled++;
}

static unsigned char content(int pe, int i) {
    return (unsigned char)(pe * 31 + i * 7);
}

static void check(const char *what, const unsigned char *dest, int pe, int from, int bytes) {
    for (int i = 0; i < bytes; i++)
        if (dest[i] != content(pe, from + i)) {
            printf("PE %d: %s: %d bytes from PE %d: byte %d is %d, not %d\n", me, what, bytes, pe, i, dest[i],
                   content(pe, from + i));
            shmem_global_exit(1);
        }
}

int main(void) {
    static const int sizes[] = {8, 63, 64, 65, 100, 511, 512, BYTES_MAX};
    shmem_init();
    me = shmem_my_pe(), pes = shmem_n_pes();
    const int next = (me + 1) % pes, before = (me + pes - 1) % pes;
    for (int i = 0; i < BYTES_MAX + 8; i++) source[i] = content(me, i);
    shmemx_on_interrupt(0, handler);
    shmem_barrier_all();
    for (unsigned size = 0; size < sizeof sizes / sizeof *sizes; size++)
        for (int shift = 0; shift < 8; shift++) {
            const int bytes = sizes[size];
            for (int i = 0; i < bytes; i++) first[i] = second[i + shift] = 0;
            shmem_getmem_nbi(first, source + shift, (size_t)bytes, next);
            shmem_getmem_nbi(second + shift, source, (size_t)bytes, before);
            if (shift & 1) shmemx_interrupt(next, 0);
            if (size & 1) shmem_barrier_all();
            else shmem_quiet();
            check("from the next", first, next, shift, bytes);
            check("from the one before", second + shift, before, 0, bytes);
            shmem_getmem_nbi(first, source, (size_t)bytes, before);
            shmem_getmem(second, source, (size_t)bytes, next); // completes no other, and waits for its turn
            check("blocking", second, next, 0, bytes);
            shmem_quiet();
            check("behind a blocking one", first, before, 0, bytes);
        }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
