// SPDX-License-Identifier: BSD-3-Clause
// Starts sixteen processes and waits until all have ended. The measured time is the limit of a job's start-up and end:
// no launcher can be faster. In the measurement `fork` each process ends immediately. In `exec` each process runs this
// program again under the name "child", with which the program does nothing. This program must be linked statically,
// because a bare process loads no shared library.
#include "limits.h"

#define PROCESSES 16

static void wait_for_all(void) {
    for (int i = 0; i < PROCESSES; i++)
        if (wait(NULL) < 0) limit_fail("wait");
}

static void by_fork(const struct limit *limit, long count) {
    (void)limit;
    for (long turn = 0; turn < count; turn++) {
        for (int i = 0; i < PROCESSES; i++) {
            pid_t child = fork();
            if (child < 0) limit_fail("fork");
            if (child == 0) _exit(0);
        }
        wait_for_all();
    }
}

static void start_child(void) {
    static char self[] = "/proc/self/exe", name[] = "child";
    static char *const arguments[] = {name, NULL}, *const environment[] = {NULL};
    pid_t child = vfork();
    if (child < 0) limit_fail("vfork");
    if (child == 0) {
        execve(self, arguments, environment);
        _exit(1);
    }
}

static void by_exec(const struct limit *limit, long count) {
    (void)limit;
    for (long turn = 0; turn < count; turn++) {
        for (int i = 0; i < PROCESSES; i++) start_child();
        wait_for_all();
    }
}

int main(int argument_count, char **arguments) {
    if (strcmp(arguments[0], "child") == 0) return 0;
    int batches = limit_batches(argument_count, arguments, 60);
    static struct limit limits[] = {{.name = "fork", .parameter = PROCESSES, .loop = by_fork},
                                    {.name = "exec", .parameter = PROCESSES, .loop = by_exec}};
    limit_report(limits, 2, batches, NULL);
    return 0;
}
