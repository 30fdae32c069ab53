// SPDX-License-Identifier: BSD-3-Clause
// A program of one or two models whose PE 1, or all, end as the arguments say: MODELS HOW [all].
#include <aos.h>
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is(const char *word, const char *other) {
    return strcmp(word, other) == 0;
}

static void *leave(void *unused) {
    (void)unused;
    exit(0);
}

static void leave_in_handler(int signal_number) {
    (void)signal_number;
    exit(0);
}

static void end(const char *how) {
    pthread_t thread;
    if (is(how, "exit")) exit(0);
    if (is(how, "exit256")) exit(256); // a status of 0
    if (is(how, "_exit")) _exit(0);
    if (is(how, "code")) exit(3);
    if (is(how, "thread")) pthread_create(&thread, NULL, leave, NULL), pthread_join(thread, NULL);
    if (is(how, "handler")) {
        signal(SIGALRM, leave_in_handler);
        alarm(1);
        shmem_barrier_all(); // nobody else comes to it before
    }
    if (is(how, "late")) atexit(shmem_finalize), exit(0);
    if (is(how, "fork")) {
        fflush(stdout);
        if (fork() == 0) exit(0); // a child is no PE
        wait(NULL);
    }
}

int main(int count, char **words) {
    if (count < 3) return 99;
    const bool shmem = strchr(words[1], 's') != NULL, aos = strchr(words[1], 'a') != NULL;
    if (shmem) shmem_init();
    if (strstr(words[1], "ss")) shmem_init();
    if (aos) aos_init(0);
    const int me = aos ? aos_my_pe() : shmem_my_pe();
    if (strstr(words[1], "ss")) shmem_finalize();
    printf("PE %d", me); // without an end of line: kept until the program ends
    if (is(words[2], "return")) return 0;
    if (me == 1 || count > 3) end(words[2]);
    if (is(words[2], "handler")) sleep(2), shmem_barrier_all();
    if (aos) aos_finalize();
    if (shmem) shmem_finalize();
    return 0;
}
