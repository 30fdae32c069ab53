// SPDX-License-Identifier: BSD-3-Clause
// Waits for what nobody stores. The linker drops most of the library, which has debug information, and one function here.
#include <shmem.h>

static long flag;
long unused(const long *numbers, int count);

long unused(const long *numbers, int count) {
    long sum = 0;
    for (int k = 0; k < count; k++) sum += numbers[k] * k;
    for (int k = 0; k < count; k++) sum ^= numbers[k] + k;
    for (int k = 0; k < count; k++) sum -= numbers[k] << k;
    return sum;
}

int main(void) {
    shmem_init();
    while (*(volatile long *)&flag == 0) continue; // line 18
    shmem_barrier_all();
    return 0;
}
