// SPDX-License-Identifier: BSD-3-Clause
// Prints where each PE runs, and checks that a ring of puts and a reduction work. Then does what its words say:
//     input   PE 0 prints the number of lines of its standard input
//     lines N each PE prints N lines
//     wait S  sleeps S seconds
//     stop    the last PE stops itself, and PE 1 puts to it a second later
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int greeted_by = -1, woken_by;
static long mine, sum;

static void print_lines(int pe, int count) {
    for (int i = 0; i < count; i++)
        printf("<%d: line %d of %d, with a text that is long enough to be cut>\n", pe, i, count);
}

static void count_input(void) {
    char line[256];
    int lines = 0;
    while (fgets(line, sizeof line, stdin)) lines++;
    printf("%d lines of input\n", lines);
}

int main(int argument_count, char **arguments) {
    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    shmem_int_p(&greeted_by, me, (me + 1) % pes);
    shmem_barrier_all();
    mine = me;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);
    if (greeted_by != (me + pes - 1) % pes || sum != (long)pes * (pes - 1) / 2) {
        fprintf(stderr, "PE %d: wrong data\n", me);
        return 1;
    }
    char name[64];
    gethostname(name, sizeof name);
    if (argument_count == 1) printf("%d of %d on %s\n", me, pes, name);
    for (int i = 1; i < argument_count; i++) {
        if (strcmp(arguments[i], "lines") == 0) print_lines(me, atoi(arguments[i + 1]));
        if (strcmp(arguments[i], "input") == 0 && me == 0) count_input();
        if (strcmp(arguments[i], "wait") == 0) {
            if (me == 0) printf("waits\n");
            sleep((unsigned)atoi(arguments[i + 1]));
        }
        if (strcmp(arguments[i], "stop") == 0) {
            if (me == pes - 1) kill(getpid(), SIGSTOP);
            if (me == 1) sleep(1);
            if (me == 1) shmem_int_p(&woken_by, me, pes - 1);
            shmem_barrier_all();
        }
        if (strcmp(arguments[i], "variable") == 0 && me == pes - 1) {
            const char *value = getenv(arguments[i + 1]);
            printf("%s\n", value ? value : "(not set)");
        }
    }
    shmem_finalize();
    return 0;
}
