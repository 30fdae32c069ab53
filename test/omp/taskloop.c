// SPDX-License-Identifier: BSD-3-Clause
// taskloop: each iteration once, done at its end; as many tasks as num_tasks and as many iterations a task as grainsize say.
#include "test.h"

#define MOST 1000

static int runs[MOST], sizes[MOST], tasks;

// firstprivate objects are made once a task: how many iterations each task ran is counted by one that remembers its task.
struct task_number {
    int number;
};

static void note(int i, struct task_number *task) {
    if (task->number < 0) task->number = test_add(&tasks, 1);
    test_add(&sizes[task->number], 1);
    test_add(&runs[i], 1);
}

static void check(const char *what, int count, int least, int most, int tasks_least, int tasks_most) {
    for (int i = 0; i < MOST; i++)
        REQUIRE(runs[i] == (i < count), "%s: iteration %d of %d ran %d times", what, i, count, runs[i]);
    REQUIRE(tasks >= tasks_least && tasks <= tasks_most, "%s, %d: %d tasks", what, count, tasks);
    for (int i = 0; i < tasks; i++)
        REQUIRE((sizes[i] >= least && sizes[i] <= most) || (tasks == 1 && sizes[i] == count), "%s, %d: a task of %d",
                what, count, sizes[i]);
    memset(runs, 0, sizeof runs);
    memset(sizes, 0, sizeof sizes);
    tasks = 0;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

static void loops(int count, int amount) {
    struct task_number task = {-1};
#pragma omp taskloop firstprivate(task)
    for (int i = 0; i < count; i++) note(i, &task);
    check("taskloop", count, 0, MOST, 0, MOST);
#pragma omp taskloop grainsize(amount) firstprivate(task)
    for (int i = 0; i < count; i++) note(i, &task);
    check("grainsize", count, smaller(amount, count), 2 * amount - 1, 0, MOST);
#pragma omp taskloop num_tasks(amount) firstprivate(task)
    for (int i = count - 1; i >= 0; i--) note(i, &task);
    check("num_tasks", count, 0, MOST, 0, smaller(amount, count));
#pragma omp taskloop grainsize(strict : amount) firstprivate(task)
    for (int i = 0; i < count; i++) note(i, &task);
    check("grainsize(strict)", count, 1, amount, (count + amount - 1) / amount, (count + amount - 1) / amount);
#pragma omp taskloop num_tasks(strict : amount) firstprivate(task)
    for (int i = 0; i < count; i++) note(i, &task);
    check("num_tasks(strict)", count, 0, MOST, smaller(amount, count), smaller(amount, count));
#pragma omp taskloop if (0) firstprivate(task)
    for (int i = 0; i < count; i++) note(i, &task);
    check("if(0)", count, 0, MOST, 0, MOST);
#pragma omp taskloop final(1) untied mergeable priority(3) firstprivate(task)
    for (int i = 0; i < count; i++) {
        REQUIRE(omp_in_final(), "a final taskloop's task is not final");
        note(i, &task);
    }
    check("final", count, 0, MOST, 0, MOST);
}

int main(void) {
    static const int counts[] = {0, 1, 2, 7, 100, 999};
    static const int amounts[] = {1, 2, 5, 16, 64};
#pragma omp parallel
#pragma omp single
    for (size_t c = 0; c < TEST_COUNT(counts); c++)
        for (size_t a = 0; a < TEST_COUNT(amounts); a++) loops(counts[c], amounts[a]);
    loops(100, 7); // outside any region
    return 0;
}
