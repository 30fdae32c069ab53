// SPDX-License-Identifier: BSD-3-Clause
// A child forked after a region makes regions of its own, and so does its parent.
// The system's library of GCC 12 waits for threads that the child does not have.
// peer: no
// Under qemu a child of a program with threads cannot start any.
// The thread sanitizer lets no child of a program with threads start any.
// smp-16 has no processes.
// skip: aarch64 tsan smp
// threads: 1 2 4 8
#include "test.h"

#include <sys/wait.h>

static void region(void) {
    int ran = 0, sum = 0;
#pragma omp parallel reduction(+ : ran, sum)
    {
        ran++;
#pragma omp barrier
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 100; i++) sum += i;
#pragma omp task shared(ran)
        {}
    }
    REQUIRE(ran == omp_get_max_threads() && sum == 4950, "%d threads, sum %d", ran, sum);
}

int main(void) {
    for (int round = 0; round < 10; round++) {
        region();
        pid_t child = fork();
        REQUIRE(child >= 0, "no child");
        if (child == 0) {
            region();
            region();
            pid_t grandchild = fork();
            if (grandchild == 0) {
                region();
                exit(0);
            }
            int status = -1;
            waitpid(grandchild, &status, 0);
            REQUIRE(status == 0, "the grandchild ended with %x", (unsigned)status);
            region();
            exit(0);
        }
        region();
        int status = -1;
        waitpid(child, &status, 0);
        REQUIRE(status == 0, "the child ended with %x", (unsigned)status);
    }
    return 0;
}
