// SPDX-License-Identifier: BSD-3-Clause
// Right: the threads exclude each other by a lock that the program makes of the compiler's atomic operations.
#include <stdio.h>
#include <string.h>

static int lock, count;
static char line[32], copy[32];

static void take(void) {
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) {
    }
}

static void give(void) {
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

int main(void) {
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 10; i++) {
        take();
        count++;
        memset(line, count, sizeof line);
        memcpy(copy, line, sizeof copy);
        give();
    }
    printf("%d\n", count);
    return count != 40 || copy[31] != 40;
}
