// SPDX-License-Identifier: BSD-3-Clause
// Every place within a double word at both ends, every size around the steps of the copy, and larger ones at random: puts,
// gets (short ones by loads, others by the owner) and their forms completed later move these bytes and no others.
#include <shmem.h>
#include <stdio.h>
#include <string.h>

#define BYTES 700
#define ROOM 720
#define UNTOUCHED 0xee

static unsigned char source[BYTES], dest[ROOM];

static unsigned random_below(unsigned limit) {
    static unsigned state = 12345;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (state >> 8) & (limit - 1); // a power of two
}

static unsigned char byte_of(int pe, int i) {
    return (unsigned char)((i << 3) - i + (pe << 5) + (i >> 8));
}

static int check(const char *what, int owner, int to, int from, int bytes) {
    for (int i = 0; i < ROOM; i++) {
        int k = i - to;
        unsigned char wanted = k >= 0 && k < bytes ? byte_of(owner, from + k) : UNTOUCHED;
        if (dest[i] == wanted) continue;
        printf("PE %d: %s of %d from %d to %d: byte %d is %x, not %x\n", shmem_my_pe(), what, bytes, from, to, k,
               dest[i], wanted);
        return 1;
    }
    memset(dest, UNTOUCHED, ROOM);
    return 0;
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    int pes = shmem_n_pes();
    int right = me + 1 < pes ? me + 1 : 0;
    int left = me > 0 ? me - 1 : pes - 1;
    int failed = 0;
    for (int i = 0; i < BYTES; i++) source[i] = byte_of(me, i);
    memset(dest, UNTOUCHED, ROOM);
    shmem_barrier_all();
    for (int round = 0; round < 1024 && !failed; round++) {
        int to = 8 + (round & 7);
        int from = round >> 3 & 7;
        int bytes = round < 768 ? (round >> 6) * 3 + (round & 1) : (int)random_below(512) + (int)random_below(128);
        shmem_putmem(dest + to, source + from, (size_t)bytes, right);
        shmem_barrier_all();
        failed |= check("put", left, to, from, bytes);
        shmem_getmem(dest + to, source + from, (size_t)bytes, right);
        failed |= check("get", right, to, from, bytes);
        shmem_barrier_all();
        shmem_putmem_nbi(dest + to, source + from, (size_t)bytes, right);
        shmem_barrier_all();
        failed |= check("put_nbi", left, to, from, bytes);
        shmem_getmem_nbi(dest + to, source + from, (size_t)bytes, right);
        shmem_quiet();
        failed |= check("get_nbi", right, to, from, bytes);
        shmem_barrier_all();
    }
    shmem_finalize();
    return failed;
}
