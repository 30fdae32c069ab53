// SPDX-License-Identifier: BSD-3-Clause
// Wrong: a thread fills a buffer by memset while another thread reads it.
#include <omp.h>
#include <stdio.h>
#include <string.h>

static char buffer[64];

int main(void) {
    int seen = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) memset(buffer, 7, sizeof buffer); // race
        else seen = buffer[33];                                          // race
    }
    printf("%d\n", seen);
}
