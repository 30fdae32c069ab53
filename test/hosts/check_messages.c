// SPDX-License-Identifier: BSD-3-Clause
// Calls a number of collectives, which the argument says.
#include <shmem.h>
#include <stdlib.h>

static long sum, value = 1;

int main(int argument_count, char **arguments) {
    shmem_init();
    const int count = argument_count > 1 ? atoi(arguments[1]) : 0;
    for (int i = 0; i < count; i++) shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &value, 1);
    const int is_wrong = count > 0 && sum != shmem_n_pes();
    shmem_finalize();
    return is_wrong;
}
