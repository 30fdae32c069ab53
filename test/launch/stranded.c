// SPDX-License-Identifier: BSD-3-Clause
// PE 1 ends in order, and the others do what the argument says: wait for it, come later, or leave without a finalize of their own.
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long word;

int main(int count, char **words) {
    if (count != 3) return 99;
    shmem_init();
    if (shmem_my_pe() == 1) {
        if (strcmp(words[1], "exit") == 0) exit(0);
        shmem_finalize();
        return 0;
    }
    if (strcmp(words[2], "barrier") == 0 || strcmp(words[2], "leave") == 0) shmem_barrier_all();
    if (strcmp(words[2], "leave") == 0) return 0;
    if (strcmp(words[2], "wait") == 0) shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
    if (strcmp(words[2], "late") == 0) sleep(6);
    if (strcmp(words[2], "busy") == 0)
        for (const clock_t begun = clock(); clock() - begun < 5 * CLOCKS_PER_SEC;) {
        }
    shmem_finalize();
    return 0;
}
