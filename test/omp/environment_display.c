// SPDX-License-Identifier: BSD-3-Clause
// OMP_DISPLAY_ENV and omp_display_env print the values in force on standard error, between two lines that say so.
// threads: 1
// smp-16 has no processes.
// skip: aarch64 smp
#include "child.h"

static void has(const struct child *child, const char *text) {
    REQUIRE(strstr(child->errors, text), "no %s in:\n%s", text, child->errors);
}

static void displayed(const struct child *child) {
    REQUIRE(WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0, "status %x", (unsigned)child->status);
    static const char *const wanted[] = {"OPENMP DISPLAY ENVIRONMENT BEGIN",
                                         "_OPENMP = '201511'",
                                         "OMP_DYNAMIC = 'TRUE'",
                                         "OMP_NUM_THREADS = '5,2'",
                                         "OMP_SCHEDULE = 'GUIDED,7'",
                                         "OMP_PROC_BIND",
                                         "OMP_PLACES",
                                         "OMP_STACKSIZE",
                                         "OMP_WAIT_POLICY",
                                         "OMP_THREAD_LIMIT",
                                         "OMP_MAX_ACTIVE_LEVELS",
                                         "OMP_CANCELLATION = 'TRUE'",
                                         "OMP_DEFAULT_DEVICE",
                                         "OMP_NESTED",
                                         "OMP_MAX_TASK_PRIORITY",
                                         "OMP_DISPLAY_AFFINITY",
                                         "OMP_ALLOCATOR",
                                         "OMP_TARGET_OFFLOAD",
                                         "OMP_NUM_TEAMS",
                                         "OPENMP DISPLAY ENVIRONMENT END"};
    for (size_t i = 0; i < TEST_COUNT(wanted); i++) has(child, wanted[i]);
}

int main(int count, char **arguments) {
    if (count > 1) {
        if (!strcmp(arguments[1], "by hand")) omp_display_env(0);
        if (!strcmp(arguments[1], "by hand, all")) omp_display_env(1);
        return 0;
    }
    static const char set[] = "OMP_NUM_THREADS=5,2|OMP_DYNAMIC=true|OMP_SCHEDULE=guided,7|OMP_CANCELLATION=true";
    char variables[300];
    struct child child;
    snprintf(variables, sizeof variables, "%s|OMP_DISPLAY_ENV=true", set);
    child_run(&child, "nothing", variables);
    displayed(&child);
    snprintf(variables, sizeof variables, "%s|OMP_DISPLAY_ENV=verbose", set);
    child_run(&child, "nothing", variables);
    displayed(&child);
    snprintf(variables, sizeof variables, "%s|OMP_DISPLAY_ENV=false", set);
    child_run(&child, "nothing", variables);
    REQUIRE(child.errors[0] == 0, "printed though it was not asked to: %s", child.errors);
    child_run(&child, "by hand", set);
    displayed(&child);
    child_run(&child, "by hand, all", set);
    displayed(&child);
    return 0;
}
