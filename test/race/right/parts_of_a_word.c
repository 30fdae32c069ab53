// SPDX-License-Identifier: BSD-3-Clause
// Right: each thread stores to bytes of its own, which share a word with the bytes of other threads.
#include <omp.h>
#include <stdio.h>

static char bytes[4];
static short halves[4];

int main(void) {
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 5; i++) {
        bytes[omp_get_thread_num()]++;
        halves[omp_get_thread_num()]++;
    }
    printf("%d %d\n", bytes[3], halves[3]);
    return bytes[0] + bytes[1] + bytes[2] + bytes[3] != 20 || halves[3] != 5;
}
