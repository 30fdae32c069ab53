// SPDX-License-Identifier: BSD-3-Clause
// Values that make no sense: one line of warning that names the variable, and the program runs as if it were not set.
// threads: 1
// smp-16 has no processes.
// skip: aarch64 smp
#include "child.h"

static void invalid(const char *name, const char *value) {
    struct child child;
    char variables[200];
    snprintf(variables, sizeof variables, "OMP_NUM_THREADS=3|%s=%s", name, value);
    child_run(&child, "region", variables);
    REQUIRE(WIFEXITED(child.status) && WEXITSTATUS(child.status) == 0, "%s: status %x: %s", variables,
            (unsigned)child.status, child.errors);
    REQUIRE(child_lines(child.errors) == 1, "%s: not one line: %s", variables, child.errors);
    REQUIRE(strstr(child.errors, name), "%s: a line that does not name it: %s", variables, child.errors);
}

int main(int count, char **arguments) {
    if (count > 1) {
        int ran = 0;
#pragma omp parallel reduction(+ : ran)
        ran++;
        const char *threads = getenv("OMP_NUM_THREADS");
        REQUIRE(ran >= 1 && (strcmp(threads, "3") || ran == 3), "%s: %d threads", arguments[1], ran);
        return 0;
    }
    static const char *const numbers[] = {"OMP_NUM_THREADS",       "OMP_THREAD_LIMIT", "OMP_MAX_ACTIVE_LEVELS",
                                          "OMP_MAX_TASK_PRIORITY", "OMP_NUM_TEAMS",    "OMP_TEAMS_THREAD_LIMIT"};
    for (size_t i = 0; i < TEST_COUNT(numbers); i++) {
        invalid(numbers[i], "many");
        invalid(numbers[i], "-4");
        invalid(numbers[i], "4x");
        invalid(numbers[i], "99999999999999999999999");
    }
    invalid("OMP_NUM_THREADS", "0");
    invalid("OMP_NUM_THREADS", "3,,4");
    invalid("OMP_NUM_THREADS", "3,0");
    invalid("OMP_DYNAMIC", "maybe");
    invalid("OMP_NESTED", "2");
    invalid("OMP_CANCELLATION", "x");
    invalid("OMP_SCHEDULE", "fast");
    invalid("OMP_SCHEDULE", "dynamic,");
    invalid("OMP_SCHEDULE", "dynamic,x");
    invalid("OMP_STACKSIZE", "large");
    invalid("OMP_STACKSIZE", "10Q");
    invalid("OMP_WAIT_POLICY", "lazy");
    invalid("OMP_PROC_BIND", "where");
    invalid("OMP_PLACES", "{0");
    invalid("OMP_PLACES", "cores(");
    invalid("OMP_DISPLAY_ENV", "perhaps");
    invalid("OMP_DISPLAY_AFFINITY", "perhaps");
    invalid("OMP_ALLOCATOR", "magic");
    invalid("OMP_TARGET_OFFLOAD", "perhaps");
    invalid("OMP_DEFAULT_DEVICE", "near");
    return 0;
}
