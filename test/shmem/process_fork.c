// SPDX-License-Identifier: BSD-3-Clause
// A PE may fork, and call system and popen: the child has its own copy of static data as in any program, its writes
// disturb no PE, puts to the parent meanwhile arrive, and the child's end does not end the job.
// pes: 1 2 4
// skip: epiphany
#define _GNU_SOURCE
#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

static long word = 5, arrived;
static long large[100000];

static int child_code(void) {
    if (word != 5 || large[99999] != 9) return 1; // what the parent had
    for (int i = 0; i < 100000; i++) large[i] = -1;
    word = -1;
    return word == -1 && large[5] == -1 ? 7 : 2;
}

static void try_fork(void) {
    pid_t child = fork();
    REQUIRE(child >= 0, "no fork");
    if (child == 0) _exit(child_code());
    shmem_long_p(&arrived, 1000 + me, right_of(me)); // while the child lives
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child, "waitpid");
    REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 7, "the child found other static data, or died: status %#x",
            status);
    REQUIRE(word == 5 && large[5] == 9 && large[99999] == 9, "the child's writes changed its parent's data");
}

static void try_commands(void) {
    REQUIRE(system("exit 3") == 3 << 8, "system");
    FILE *pipe = popen("echo hello", "r");
    char line[100] = "";
    REQUIRE(pipe && fgets(line, sizeof line, pipe) && strcmp(line, "hello\n") == 0, "popen");
    REQUIRE(pclose(pipe) == 0, "pclose");
}

int main(void) {
    test_begin();
    for (int i = 0; i < 100000; i++) large[i] = 9;
    shmem_barrier_all();
    for (int round = 0; round < 3; round++) {
        try_fork();
        shmem_barrier_all();
        REQUIRE(arrived == 1000 + left_of(me), "a put during the fork is missing: %ld", arrived);
        shmem_barrier_all();
        arrived = 0;
        shmem_barrier_all();
    }
    try_commands();
    shmem_long_p(&arrived, 2000 + me, right_of(me));
    shmem_barrier_all();
    REQUIRE(arrived == 2000 + left_of(me) && word == 5, "after all that a put is missing");
    return test_end();
}
