// SPDX-License-Identifier: BSD-3-Clause
// Threads that cannot be made: the region runs with fewer, and one line says so.
// The system's library of GCC 12 ends the program.
// peer: no
// smp-16 has no processes.
// skip: asan tsan aarch64 smp
// threads: 1
#include "child.h"

#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>

#define WANTED 200

static int child(void) {
    // Stacks of 64 MB in 1 GB of address space.
    struct rlimit limit = {1UL << 30, 1UL << 30};
    REQUIRE(setrlimit(RLIMIT_AS, &limit) == 0, "setrlimit");
    int ran = 0, sum = 0, size = 0;
    for (int round = 0; round < 3; round++) {
        ran = sum = 0;
#pragma omp parallel num_threads(WANTED) reduction(+ : ran, sum)
        {
            ran++;
            size = omp_get_num_threads();
#pragma omp barrier
#pragma omp for
            for (int i = 0; i < 100; i++) sum += i;
        }
        REQUIRE(ran == size && ran >= 1 && ran < WANTED && sum == 4950, "%d of %d ran, sum %d", ran, size, sum);
    }
    return 0;
}

int main(int count, char **arguments) {
    (void)arguments;
    if (count > 1) return child();
    struct child one;
    child_run(&one, "limited", "OMP_STACKSIZE=64M|OMP_DYNAMIC=false");
    REQUIRE(WIFEXITED(one.status) && WEXITSTATUS(one.status) == 0, "status %x: %s", (unsigned)one.status, one.errors);
    REQUIRE(child_lines(one.errors) == 1, "not one line of warning: %s", one.errors);
    return 0;
}
