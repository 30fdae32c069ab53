// SPDX-License-Identifier: BSD-3-Clause
// Nothing of a non-blocking get is there before the quiet: who reads early does not see the data (exit code 3), who
// reads after it does. The pattern is no number in floating point.
// pes: 2
// check: yes
// expect-exit: 3
// expect-stderr: nothing is there yet
#include <shmem.h>

#include <stdio.h>

static double words[4], copy[4];

int main(void) {
    shmem_init();
    for (int i = 0; i < 4; i++) words[i] = 5.0;
    shmem_barrier_all();
    shmem_double_get_nbi(copy, words, 4, 1);
    int numbers = 0;
    for (int i = 0; i < 4; i++) numbers += copy[i] == copy[i];
    shmem_quiet();
    for (int i = 0; i < 4; i++)
        if (copy[i] != 5.0) return 1;
    shmem_finalize();
    if (numbers == 0) {
        fputs("nothing is there yet\n", stderr);
        return 3;
    }
    return 0;
}
