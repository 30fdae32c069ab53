// SPDX-License-Identifier: BSD-3-Clause
// A forked child that leaves through exit, handlers and all, is none of the job's business: the job goes on to its end.
// pes: 1 2 4
// skip: epiphany
#define _GNU_SOURCE
#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

static long word;

int main(void) {
    test_begin();
    shmem_barrier_all();
    for (int round = 1; round <= 3; round++) {
        pid_t child = fork();
        REQUIRE(child >= 0, "no fork");
        if (child == 0) exit(round == 3 ? 9 : 0);
        int status = -1;
        REQUIRE(waitpid(child, &status, 0) == child && WIFEXITED(status), "the child did not end by itself: %#x",
                status);
        shmem_long_p(&word, round * 100 + me, right_of(me));
        shmem_barrier_all();
        REQUIRE(word == round * 100 + left_of(me), "round %d: a put is missing", round);
        shmem_barrier_all();
    }
    return test_end();
}
