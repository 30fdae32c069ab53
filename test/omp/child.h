// SPDX-License-Identifier: BSD-3-Clause
// The program run again as a child with other variables, and what it prints. What the child shall do is its argument.
#ifndef SKERRY_TEST_OMP_CHILD_H
#define SKERRY_TEST_OMP_CHILD_H

#include "test.h"

#include <sys/wait.h>

struct child {
    int status; // as of waitpid
    char output[16384];
    char errors[16384];
};

TEST_UNUSED static void child_read(int from, char *into, size_t size) {
    size_t length = 0;
    for (ssize_t more; length < size - 1 && (more = read(from, into + length, size - 1 - length)) > 0;)
        length += (size_t)more;
    into[length] = 0;
    close(from);
}

// Runs this program with `what` as its argument. `variables` holds NAME=VALUE, or NAME to be without, divided by '|'.
// What it prints must fit in a pipe.
TEST_UNUSED static void child_run(struct child *child, const char *what, const char *variables) {
    int output[2], errors[2];
    REQUIRE(pipe(output) == 0 && pipe(errors) == 0, "no pipe");
    fflush(NULL);
    pid_t pid = fork();
    REQUIRE(pid >= 0, "no child");
    if (pid == 0) {
        char copy[4096], *rest = copy, *one;
        snprintf(copy, sizeof copy, "%s", variables);
        while ((one = strsep(&rest, "|"))) {
            char *value = strchr(one, '=');
            if (!value) unsetenv(one);
            else {
                *value = 0;
                setenv(one, value + 1, 1);
            }
        }
        dup2(output[1], 1);
        dup2(errors[1], 2);
        for (int i = 0; i < 2; i++) {
            close(output[i]);
            close(errors[i]);
        }
        execl("/proc/self/exe", "child", what, (char *)NULL);
        _exit(99);
    }
    close(output[1]);
    close(errors[1]);
    child_read(output[0], child->output, sizeof child->output);
    child_read(errors[0], child->errors, sizeof child->errors);
    waitpid(pid, &child->status, 0);
}

// Lines that are not empty.
TEST_UNUSED static int child_lines(const char *text) {
    int lines = 0;
    for (const char *at = text; *at; at++) lines += *at == '\n' && at > text && at[-1] != '\n';
    return lines;
}

// Runs it and requires that it ends well; `lines` is how many lines of warnings it prints.
TEST_UNUSED static void child_passes(const char *what, const char *variables, int lines) {
    struct child child;
    child_run(&child, what, variables);
    REQUIRE(WIFEXITED(child.status) && WEXITSTATUS(child.status) == 0, "%s with %s: status %x: %s", what, variables,
            (unsigned)child.status, child.errors);
    REQUIRE(child_lines(child.errors) == lines, "%s with %s: not %d lines: %s", what, variables, lines, child.errors);
}

#endif
