// SPDX-License-Identifier: BSD-3-Clause
// Tasks of the master's implicit task whose data are a few words or none, more of them than a queue of tasks holds. The
// other threads run them at a barrier, at the end of the region, or not at all because they do something else.
// threads: 1 2 4 16
#include "test.h"

#define TASKS 150

static int runs[TASKS], sum, children;

static void check(const char *where) {
    for (int i = 0; i < TASKS; i++) {
        REQUIRE(runs[i] == 1, "%s: task %d ran %d times", where, i, runs[i]);
        runs[i] = 0;
    }
}

// Each task has as data the addresses of its count and of what else it needs, and values of different sizes.
static void make(int first, int count) {
    for (int i = first; i < first + count; i++) {
        int *run = &runs[i];
        if (i % 3 == 0) {
            double half = i / 2.0;
            char letter = 'x';
#pragma omp task firstprivate(half, letter, run)
            if (half == i / 2.0 && letter == 'x') test_add(run, 1);
        } else {
#pragma omp task firstprivate(run)
            test_add(run, 1);
        }
    }
}

static void count_child(void) {
#pragma omp task
    test_add(&children, 1);
}

int main(void) {
    // The tasks end before a barrier, before the end of the region, and before the taskwait. The regions follow each
    // other, so a request for a task that no barrier needed can be answered in the next region.
    for (int i = 0; i < 3; i++) {
#pragma omp parallel
        {
#pragma omp master
            make(0, TASKS);
#pragma omp barrier
#pragma omp master
            {
                check("barrier");
                make(0, TASKS);
            }
        }
        check("region");
#pragma omp parallel
#pragma omp master
        {
            make(0, TASKS);
#pragma omp taskwait
            check("taskwait");
        }
    }

    // The threads have run tasks at a barrier. Afterwards they wait until the master's tasks have ended, and run none.
    static int is_over;
#pragma omp parallel
    {
#pragma omp master
        make(0, TASKS);
#pragma omp barrier
#pragma omp master
        {
            check("barrier before");
            make(0, TASKS);
#pragma omp taskwait
            check("taskwait of the master alone");
            test_set(&is_over, 1);
        }
        test_wait(&is_over, 1);
    }

    // Tasks in a group, tasks that make tasks, and tasks of a nested region.
#pragma omp parallel
#pragma omp master
    {
        make(0, TASKS / 2);
#pragma omp taskgroup
        {
            make(TASKS / 2, TASKS - TASKS / 2);
            for (int i = 0; i < TASKS; i++) {
#pragma omp task
                count_child();
            }
        }
        for (int i = TASKS / 2; i < TASKS; i++) REQUIRE(runs[i] == 1, "group: task %d ran %d times", i, runs[i]);
        REQUIRE(test_get(&children) == TASKS, "%d of %d children ran", children, TASKS);
        static int nested[TASKS];
#pragma omp task
        test_add(&sum, 1);
#pragma omp parallel num_threads(2)
#pragma omp master
        for (int i = 0; i < TASKS; i++) {
#pragma omp task
            test_add(&nested[i], 1);
        }
        for (int i = 0; i < TASKS; i++) REQUIRE(nested[i] == 1, "nested: task %d ran %d times", i, nested[i]);
#pragma omp task
        test_add(&sum, 1);
#pragma omp taskwait
        check("tasks around a nested region");
        REQUIRE(test_get(&sum) == 2, "%d of 2 tasks around a nested region ran", sum);
        // A task keeps the value that the control variable has when it is made.
        omp_set_num_threads(3);
#pragma omp task
        REQUIRE(omp_get_max_threads() == 3, "%d threads in a task", omp_get_max_threads());
    }
    return 0;
}
