// SPDX-License-Identifier: BSD-3-Clause
// Ending: exit inside a region, by any thread, in a task, from main while workers wait, by pthread_exit of the first thread,
// and quick_exit; always with the code that was given and what atexit registered.
// threads: 1 2 4 8
// flags: -pthread
// smp-16 has no processes.
// skip: aarch64 smp
#include "child.h"

#include <pthread.h>

static void at_exit(void) {
    static const char text[] = "at exit\n";
    if (write(1, text, sizeof text - 1) < 0) _Exit(97);
}

static void *wait_and_exit(void *nothing) {
    (void)nothing;
    usleep(20000);
    exit(7);
}

static int child(const char *what) {
    atexit(at_exit);
    int last = omp_get_max_threads() - 1, met = 0;
#pragma omp parallel
    test_meet(&met, last + 1);
    if (!strcmp(what, "first thread")) {
#pragma omp parallel
        {
            if (omp_get_thread_num() == 0) exit(7);
#pragma omp barrier
        }
    } else if (!strcmp(what, "last thread")) {
#pragma omp parallel
        {
            if (omp_get_thread_num() == last) exit(7);
#pragma omp barrier
        }
    } else if (!strcmp(what, "busy")) {
#pragma omp parallel
        {
            if (omp_get_thread_num() == last) exit(7);
            for (;;) sched_yield();
        }
    } else if (!strcmp(what, "task")) {
#pragma omp parallel
#pragma omp single
        {
#pragma omp task
            exit(7);
#pragma omp taskwait
        }
    } else if (!strcmp(what, "nested")) {
#pragma omp parallel
#pragma omp parallel num_threads(2)
        {
            if (omp_get_ancestor_thread_num(1) == last && omp_get_thread_num() == omp_get_num_threads() - 1) exit(7);
#pragma omp barrier
        }
    } else if (!strcmp(what, "thread")) {
        pthread_t thread;
        pthread_create(&thread, NULL, wait_and_exit, NULL);
        pthread_exit(NULL);
    } else if (!strcmp(what, "return")) return 7;
    return 98;
}

int main(int count, char **arguments) {
    if (count > 1) return child(arguments[1]);
    static const char *const ways[] = {"first thread", "last thread", "busy", "task", "nested", "thread", "return"};
    for (int round = 0; round < 3; round++)
        for (size_t i = 0; i < TEST_COUNT(ways); i++) {
            struct child one;
            child_run(&one, ways[i], "X=1");
            REQUIRE(WIFEXITED(one.status) && WEXITSTATUS(one.status) == 7, "%s: status %x: %s", ways[i],
                    (unsigned)one.status, one.errors);
            REQUIRE(!strcmp(one.output, "at exit\n"), "%s: printed %s", ways[i], one.output);
        }
    return 0;
}
