// SPDX-License-Identifier: BSD-3-Clause
// One program for the tests of this folder: its first argument says what its PEs do.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <shmem.h>

static long from_left, total, one = 1;

// Prints "PE n of m", after each PE has put its number to the next one and all have added 1.
static void work(void) {
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    shmem_long_p(&from_left, me + 1, (me + 1) % pes);
    shmem_barrier_all();
    if (from_left != (me + pes - 1) % pes + 1) printf("PE %d: wrong value %ld\n", me, from_left);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &total, &one, 1);
    if (total != pes) printf("PE %d: wrong sum %ld\n", me, total);
    printf("PE %d of %d\n", me, pes);
}

// Waits for a signal that never comes: PE 1 must end the job in another way.
static void wait_for_ever(void) {
    static long never;
    shmem_long_wait_until(&never, SHMEM_CMP_NE, 0);
}

static void fail_by(const char *how) {
    shmem_barrier_all();
    if (shmem_my_pe() != 1) wait_for_ever();
    if (strcmp(how, "exit") == 0) exit(7);
    if (strcmp(how, "_exit") == 0) _exit(0);
    if (strcmp(how, "global") == 0) shmem_global_exit(5);
    if (strcmp(how, "global0") == 0) shmem_global_exit(0);
    if (strcmp(how, "kill") == 0) raise(SIGKILL);
    if (strcmp(how, "abort") == 0) abort();
    if (strcmp(how, "crash") == 0) raise(SIGSEGV);
    if (strcmp(how, "wrong") == 0) shmem_ctx_destroy(SHMEM_CTX_DEFAULT);
    if (strcmp(how, "pause") == 0) sleep(100);
}

int main(int count, char **arguments) {
    const char *how = count > 1 ? arguments[1] : "work";
    if (strcmp(how, "plain") == 0) { // never calls shmem_init
        printf("plain %s of %s\n", getenv("SKERRY_PE"), getenv("SKERRY_PES"));
        return count > 2 ? atoi(arguments[2]) : 0;
    }
    if (strcmp(how, "name") == 0) { // prints the name that ps and top show
        char name[16] = "";
        prctl(PR_GET_NAME, name);
        printf("%s\n", name);
        return 0;
    }
    if (strcmp(how, "absent") == 0 && strcmp(getenv("SKERRY_PE"), "1") == 0) return 0; // PE 1 without shmem_init
    shmem_init();
    if (strcmp(how, "sessions") == 0) { // initialises twice
        work();
        shmem_finalize();
        shmem_init();
    }
    if (strcmp(how, "child") == 0 && shmem_my_pe() == 0) { // starts this program
        char command[4096];
        fflush(stdout);
        snprintf(command, sizeof command, "'%s'", arguments[0]);
        if (system(command) != 0) printf("the child failed\n");
    }
    static const char works[] = "work sessions child unfinished quick";
    if (!strstr(works, how)) fail_by(how);
    work();
    if (strcmp(how, "unfinished") == 0) return 0;
    shmem_finalize();
    if (strcmp(how, "quick") == 0) {
        fflush(stdout);
        _exit(0);
    }
    return 0;
}
