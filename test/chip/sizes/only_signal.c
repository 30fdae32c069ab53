// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>

static long from[8] = {1}, to[8];
static uint64_t arrived;

int main(void) {
    shmem_init();
    const int me = shmem_my_pe(), next = me + 1 < shmem_n_pes() ? me + 1 : 0;
    shmem_long_put_signal(to, from, 8, &arrived, 1, SHMEM_SIGNAL_SET, next);
    shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, 1);
    const int wrong = to[0] != 1;
    shmem_finalize();
    return wrong;
}
