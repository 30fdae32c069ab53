// SPDX-License-Identifier: BSD-3-Clause
// A PE that serves may fork: the child serves nothing and takes no calls away, however it ends.
// pes: 2 3 8
// ways: 8:2:tcp
#include "rpc.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static long calls, done;

static long count(long *at) {
    return __atomic_add_fetch(localize(at), 1, __ATOMIC_RELAXED);
}
RPC(count)

// What is not the child's business may come to it all the same.
static void be_a_child(int round) {
    long before = calls;
    raise(SIGURG);
    struct timespec rest = {.tv_nsec = 2000000};
    nanosleep(&rest, NULL);
    if (calls != before) _exit(3);
    if (round % 2) _exit(0);
    execl("/bin/true", "true", (char *)NULL);
    _exit(4);
}

static void fork_often(void) {
    for (int round = 0; round < 20; round++) {
        pid_t child = fork();
        REQUIRE(child >= 0, "fork failed");
        if (child == 0) be_a_child(round);
        int status = -1;
        while (waitpid(child, &status, 0) < 0) continue;
        REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child %d ended with %#x", round, status);
    }
    REQUIRE(system("exit 7") == 7 << 8, "system");
}

int main(void) {
    test_begin();
    shmem_barrier_all();
    long made = 0;
    if (me == 0) {
        fork_often();
        for (int pe = 1; pe < pes; pe++) shmem_long_p(&done, 1, pe);
    } else {
        for (; !shmem_long_atomic_fetch(&done, me); made++) REQUIRE(count_rpc(address_at(&calls, 0)) > 0, "result");
    }
    static long mine, sum;
    mine = made;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);
    REQUIRE(me != 0 || calls == sum, "%ld calls, not %ld", calls, sum);
    return test_end();
}
