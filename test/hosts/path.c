// SPDX-License-Identifier: BSD-3-Clause
// Exchanges data between all PEs, prints "ready", and then does for ever what its word says:
//     ring    each PE puts to the next PE and waits for the put of the previous one
//     wait    each PE waits for a word that nobody changes
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static long count, words[1024];

int main(int argument_count, char **arguments) {
    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    for (int pe = 0; pe < pes; pe++) shmem_long_p(&words[me], 1, pe);
    shmem_barrier_all();
    for (int pe = 0; pe < pes; pe++)
        if (words[pe] != 1) return 1;
    sleep(1);
    if (me == 0) printf("ready\n");
    fflush(stdout);
    const int waits = argument_count > 1 && strcmp(arguments[1], "wait") == 0;
    for (long turn = 1;; turn++) {
        if (!waits) shmem_long_p(&count, turn, (me + 1) % pes);
        shmem_long_wait_until(&count, SHMEM_CMP_GE, turn);
    }
}
