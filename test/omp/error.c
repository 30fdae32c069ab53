// SPDX-License-Identifier: BSD-3-Clause
// error at(execution): a warning goes on, a fatal one ends the program; both print their message.
// threads: 1
// smp-16 has no processes.
// skip: aarch64 smp
#include "child.h"

int main(int count, char **arguments) {
    if (count > 1) {
        if (!strcmp(arguments[1], "warning")) {
#pragma omp error at(execution) severity(warning) message("mind the step")
            puts("went on");
        } else {
#pragma omp error at(execution) severity(fatal) message("the bridge is out")
            puts("went on");
        }
        return 0;
    }
    struct child child;
    child_run(&child, "warning", "X=1");
    REQUIRE(child.status == 0 && strstr(child.errors, "mind the step") && strstr(child.output, "went on"),
            "warning: %x, %s", (unsigned)child.status, child.errors);
    child_run(&child, "fatal", "X=1");
    REQUIRE(WIFEXITED(child.status) && WEXITSTATUS(child.status) != 0 && strstr(child.errors, "the bridge is out") &&
                !strstr(child.output, "went on"),
            "fatal: %x, %s", (unsigned)child.status, child.errors);
    return 0;
}
