// SPDX-License-Identifier: BSD-3-Clause
// PE 0 puts 100 KB to PE 1, and PE 1 gets 100 KB from PE 0 (choice.sh).
#include <shmem.h>

#include <stdio.h>
#include <string.h>

#define BYTES 100000
static char inbox[BYTES], outbox[BYTES];

int main(void) {
    shmem_init();
    const int me = shmem_my_pe();
    memset(outbox, 1 + me, BYTES);
    shmem_barrier_all();
    if (me == 0) shmem_putmem(inbox, outbox, BYTES, 1);
    shmem_barrier_all();
    const int wrong = me == 1 && inbox[BYTES - 1] != 1;
    if (me == 1) shmem_getmem(inbox, outbox, BYTES, 0);
    if (wrong || (me == 1 && inbox[BYTES - 1] != 1)) fprintf(stderr, "the data is wrong\n");
    shmem_finalize();
    return wrong;
}
