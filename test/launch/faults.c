// SPDX-License-Identifier: BSD-3-Clause
// An OpenSHMEM program in which PE 1 ends as its argument says.
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long data[8];

__attribute__((noinline)) static void store(long *where) {
    *where = 1;
}

__attribute__((noinline)) static void put(long *where, int pe) {
    shmem_long_p(where, 5, pe);
    *where = 6; // so that this function remains to be seen
}

// A child of a PE is an ordinary process: its end says nothing about the job.
static void start_programs(void) {
    char line[64] = "";
    FILE *program = popen("echo from a program; sleep 0.1", "r");
    if (!program || !fgets(line, sizeof line, program) || pclose(program) != 0) exit(1);
    if (system("exit 3") >> 8 != 3) exit(1);
    fputs(line, stdout);
}

static void act(const char *what) {
    if (strcmp(what, "store") == 0) store((long *)16);
    if (strcmp(what, "put") == 0) put(data, 300);
    if (strcmp(what, "abort") == 0) abort();
    if (strcmp(what, "kill") == 0) raise(SIGKILL);
    if (strcmp(what, "exit") == 0) exit(3);
    if (strcmp(what, "global") == 0) shmem_global_exit(6);
    if (strcmp(what, "programs") == 0) start_programs();
}

int main(int count, char **words) {
    if (count != 2) return 99;
    shmem_init();
    if (shmem_my_pe() == 1) act(words[1]);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
