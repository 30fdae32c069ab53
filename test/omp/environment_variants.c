// SPDX-License-Identifier: BSD-3-Clause
// The variables that choose variants of constructs. The default library warns of a value that only the library of variants
// has, and goes on. The library of variants shows them if asked for all variables. Both refuse a word with other text behind.
// threads: 1
// peer: no
// smp-16 has no processes.
// skip: aarch64 smp
#include "child.h"

static const struct variable {
    const char *name, *usual, *other, *hint, *shown;
} all[] = {{"SKERRY_OMP_PARALLEL", "mailbox", "queue", "parallel=queue", "SKERRY_OMP_PARALLEL = 'QUEUE'"},
           {"SKERRY_OMP_JOIN", "counter", "flags", "join=flags", "SKERRY_OMP_JOIN = 'FLAGS'"},
           {"SKERRY_OMP_BARRIER", "pair", "mutex", "barrier=mutex", "SKERRY_OMP_BARRIER = 'MUTEX'"},
           {"SKERRY_OMP_LOCK", "mutex", "queue", "lock=queue", "SKERRY_OMP_LOCK = 'QUEUE'"},
           {"SKERRY_OMP_TASKS", "deque", "srq", "tasks=srq", "SKERRY_OMP_TASKS = 'SRQ'"}};

// Runs the program with NAME=VALUE and requires `lines` lines of warnings, the first of which has both texts.
static void run(const char *name, const char *value, int lines, const char *text1, const char *text2) {
    struct child child;
    char variables[200];
    snprintf(variables, sizeof variables, "OMP_NUM_THREADS=3|%s=%s", name, value);
    child_run(&child, "region", variables);
    REQUIRE(WIFEXITED(child.status) && WEXITSTATUS(child.status) == 0, "%s: status %x: %s", variables,
            (unsigned)child.status, child.errors);
    REQUIRE(child_lines(child.errors) == lines, "%s: not %d lines: %s", variables, lines, child.errors);
    REQUIRE(strstr(child.errors, text1) && strstr(child.errors, text2), "%s: %s", variables, child.errors);
}

static void shows(const struct variable *variable, const char *value, bool is_chosen) {
    struct child child;
    char variables[200];
    snprintf(variables, sizeof variables, "OMP_DISPLAY_ENV=verbose|%s=%s", variable->name, value);
    child_run(&child, "nothing", variables);
    REQUIRE(!strstr(child.errors, variable->shown) == !is_chosen, "%s: %s", variables, child.errors);
    REQUIRE(strstr(child.errors, "SKERRY_OMP_TASKS = "), "%s: %s", variables, child.errors);
}

int main(int count, char **arguments) {
    const char *what = count > 1 ? arguments[1] : "default";
    if (!strcmp(what, "nothing")) return 0;
    if (!strcmp(what, "region")) {
        int ran = 0;
#pragma omp parallel reduction(+ : ran)
        ran++;
        REQUIRE(ran == 3, "%d threads", ran);
        return 0;
    }
    const bool has_variants = !strcmp(what, "variants");
    for (size_t i = 0; i < TEST_COUNT(all); i++) {
        const char *name = all[i].name;
        char text[100];
        run(name, all[i].usual, 0, "", "");
        if (has_variants) run(name, all[i].other, 0, "", "");
        else run(name, all[i].other, 1, "has no effect", all[i].hint);
        run(name, "nonsense", 1, "Invalid value", name);
        snprintf(text, sizeof text, "%s text", all[i].other);
        run(name, text, 1, "Invalid value", name);
        if (!has_variants) continue;
        shows(&all[i], all[i].other, true);
        shows(&all[i], all[i].usual, false);
        shows(&all[i], text, false);
    }
    if (has_variants) return 0;
    struct child child;
    child_run(&child, "nothing", "OMP_DISPLAY_ENV=verbose");
    REQUIRE(!strstr(child.errors, "SKERRY_OMP_"), "shown: %s", child.errors);
    return 0;
}
