// SPDX-License-Identifier: BSD-3-Clause
// One PE, the second argument, ends in the way that the first argument names, while the others wait for it. For the way
// "uninitialized_late" it ends before it calls shmem_init, and after the others have called it. For the ways
// "node", "node_late", "node_exit" and "node_killed" all PEs of its node end, which are the PEs 2 and 3 of a node that has
// PEs 2 and 3; for the way "alone" only one of them, and the others are late; for the way "node_slain" they are killed before shmem_init. For the way "late" these PEs call shmem_init only when
// the file "go" exists, for the way "all_late" all PEs. For the way "never" no PE calls it.
#include <shmem.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long word, words[1024];

static int is(const char *way, const char *wanted) {
    return strcmp(way, wanted) == 0;
}

int main(int argument_count, char **arguments) {
    if (argument_count != 3) return 2;
    const char *way = arguments[1], *rank = getenv("SKERRY_PE");
    const int who = atoi(arguments[2]);
    if (is(way, "uninitialized") && rank && atoi(rank) == who) return 0;
    const bool is_on_node = rank && atoi(rank) / 2 == who / 2;
    if (is(way, "node") && is_on_node) return 0;
    if (is(way, "node_late") && is_on_node) {
        sleep(2); // the other nodes wait in shmem_init
        return 0;
    }
    if (is(way, "uninitialized_late") && rank && atoi(rank) == who) {
        sleep(2);
        return 0;
    }
    if (is(way, "alone") && is_on_node) { // the others of the node do not call shmem_init
        sleep(rank && atoi(rank) == who ? 1 : 100);
        return 0;
    }
    if (is(way, "node_exit") && is_on_node) return 3;
    if (is(way, "node_slain") && is_on_node) kill(getpid(), SIGKILL);
    if (is(way, "never")) return 0;
    const int is_late = is(way, "all_late") || (is(way, "late") && is_on_node);
    while (is_late && access("go", F_OK) != 0) usleep(10000);
    shmem_init();
    shmem_barrier_all();
    if (is(way, "node_killed")) {
        for (int pe = 0; pe < shmem_n_pes(); pe++) shmem_long_p(&words[shmem_my_pe()], 1, pe);
        shmem_barrier_all();
        sleep(1); // UCX 1.13 can abort a process that makes a connection to a process that ends
        if (is_on_node) kill(getpid(), SIGKILL);
    }
    if (shmem_my_pe() == who) {
        if (is(way, "crash")) *(volatile int *)8 = 1;
        if (is(way, "exit")) exit(7);
        if (is(way, "global_exit")) shmem_global_exit(9);
        if (is(way, "killed")) kill(getpid(), SIGKILL);
        if (is(way, "unfinished")) _exit(0);
        if (is(way, "wrong_pe")) shmem_long_p(&word, 1, 99);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
