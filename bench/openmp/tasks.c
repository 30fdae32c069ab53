// SPDX-License-Identifier: BSD-3-Clause
// Measures the cost of a task, after EPCC's taskbench. Also measures figure 2 of Tendulkar et al. (2011): the time
// to spawn 64 empty tasks and to wait for them.
#include "measure.h"

enum { tree_depth = 6, tree_tasks = (1 << tree_depth) - 1, tree_leaves = 1 << tree_depth, empty_tasks = 64 };

static char words[empty_tasks];

static void test_parallel(long count) {
#pragma omp parallel
    for (long i = 0; i < count; i++) {
#pragma omp task
        do_work();
    }
}

static void test_master(long count) {
#pragma omp parallel
#pragma omp master
    for (long i = 0; i < count; i++) {
#pragma omp task
        do_work();
    }
}

static void test_master_busy(long count) {
#pragma omp parallel
    for (long i = 0; i < count; i++) {
        if (omp_get_thread_num() == 0) {
#pragma omp task
            do_work();
        } else {
            do_work();
        }
    }
}

static void test_conditional(long count) {
    static volatile int never = 0;
#pragma omp parallel
    for (long i = 0; i < count; i++) {
#pragma omp task if (never)
        do_work();
    }
}

// Makes an outer task, which makes as many inner tasks as there are threads.
static void spawn_nested(void) {
    const int team = threads;
#pragma omp task
    {
        for (int k = 0; k < team; k++) {
#pragma omp task
            do_work();
        }
#pragma omp taskwait
    }
}

static void test_nested(long count) {
#pragma omp parallel
    for (long i = 0; i < count; i++) spawn_nested();
}

static void test_nested_master(long count) {
#pragma omp parallel
#pragma omp master
    for (long i = 0; i < count; i++) spawn_nested();
}

static void branch(int level) {
    if (level == 0) return;
#pragma omp task
    {
        branch(level - 1);
        branch(level - 1);
        do_work();
    }
}

static void test_branch(long count) {
#pragma omp parallel
    for (long i = 0; i < count; i++) branch(tree_depth);
}

static void leaf(int level) {
    if (level == 0) {
        do_work();
        return;
    }
#pragma omp task
    {
        leaf(level - 1);
        leaf(level - 1);
    }
}

static void test_leaf(long count) {
#pragma omp parallel
    for (long i = 0; i < count; i++) leaf(tree_depth);
}

static void test_taskwait(long count) {
#pragma omp parallel
    for (long i = 0; i < count; i++) {
#pragma omp task
        do_work();
#pragma omp taskwait
    }
}

static void test_barrier(long count) {
#pragma omp parallel
    for (long i = 0; i < count; i++) {
#pragma omp task
        do_work();
#pragma omp barrier
    }
}

// Makes a chain of tasks: each task depends on the task before it.
static void test_depend_chain(long count) {
#pragma omp parallel
#pragma omp master
    for (long i = 0; i < count; i++) {
#pragma omp task depend(inout : words[0])
        do_work();
    }
}

// Makes 64 independent chains of tasks: each task depends on the task that was made 64 tasks before it.
static void test_depend(long count) {
#pragma omp parallel
#pragma omp master
    for (long i = 0; i < count; i++) {
#pragma omp task depend(inout : words[i % empty_tasks])
        do_work();
    }
}

static double timed_empty(long count, bool waiting) {
    double total = 0;
#pragma omp parallel
#pragma omp master
    for (long i = 0; i < count; i++) {
        double began = measure_now();
        for (int k = 0; k < empty_tasks; k++) {
#pragma omp task
            __asm__ volatile("");
        }
        double spawned = measure_now();
#pragma omp taskwait
        total += (waiting ? measure_now() - spawned : spawned - began) - measure_clock;
    }
    return total;
}

static double timed_spawn(long count) {
    return timed_empty(count, false);
}

static double timed_wait(long count) {
    return timed_empty(count, true);
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    const double team = threads;
    measure((struct measurement){.name = "task_parallel", .test = test_parallel, .works = 1});
    measure((struct measurement){.name = "task_master", .test = test_master, .works = 1 / team});
    measure((struct measurement){.name = "task_master_busy", .test = test_master_busy, .works = 1});
    measure((struct measurement){.name = "task_conditional", .test = test_conditional, .works = 1});
    measure((struct measurement){.name = "task_nested", .test = test_nested, .works = team, .operations = team});
    measure(
        (struct measurement){.name = "task_nested_master", .test = test_nested_master, .works = 1, .operations = team});
    measure((struct measurement){
        .name = "task_branch", .test = test_branch, .works = tree_tasks, .operations = tree_tasks});
    measure(
        (struct measurement){.name = "task_leaf", .test = test_leaf, .works = tree_leaves, .operations = tree_tasks});
    measure((struct measurement){.name = "taskwait", .test = test_taskwait, .works = 1});
    measure((struct measurement){.name = "task_barrier", .test = test_barrier, .works = 1});
    measure((struct measurement){.name = "task_depend", .test = test_depend, .works = 1 / team});
    measure((struct measurement){.name = "task_depend_chain", .test = test_depend_chain, .works = 1});
    measure((struct measurement){
        .name = "task_spawn", .parameter = empty_tasks, .timed = timed_spawn, .operations = empty_tasks});
    measure((struct measurement){
        .name = "task_wait", .parameter = empty_tasks, .timed = timed_wait, .operations = empty_tasks});
    return 0;
}
