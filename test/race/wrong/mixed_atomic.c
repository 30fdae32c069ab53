// SPDX-License-Identifier: BSD-3-Clause
// Wrong: one thread adds atomically to a variable that another thread sets by a plain store.
#include <omp.h>
#include <stdio.h>

static int count;

int main(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) count = 5; // race
        else {
#pragma omp atomic
            count += 1; // race
        }
    }
    printf("%d\n", count);
}
