// SPDX-License-Identifier: BSD-3-Clause
// Right: tasks of one core that use the same memory one after the other: stacks, data of tasks, malloc, variables of the
// thread; and tasks that a lock, a critical section, taskwait, taskgroup, dependences or their kind order.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count, locked, sum, chain, undeferred, grouped, loops[16], of_thread[64], own;
#pragma omp threadprivate(own)
static omp_lock_t lock;

struct block {
    int words[12];
};

static int fib(int n) {
    if (n < 2) return n;
    int first, second;
#pragma omp task shared(first)
    first = fib(n - 1);
#pragma omp task shared(second)
    second = fib(n - 2);
#pragma omp taskwait
    return first + second;
}

static int on_stack(int n) {
    int room[20];
    for (int i = 0; i < 20; i++) room[i] = i * n;
    int total = 0;
#pragma omp task shared(room, total)
    for (int i = 0; i < 20; i++) total += room[i];
#pragma omp taskwait
    return total;
}

static void make(int i) {
    struct block block = {{i}};
#pragma omp task firstprivate(block)
    {
        for (int k = 1; k < 12; k++) block.words[k] = block.words[k - 1] + 1;
#pragma omp atomic
        sum += block.words[11];
    }
#pragma omp task
    {
        int *memory = malloc(64);
        memset(memory, i, 64);
        of_thread[omp_get_thread_num()] += memory[3] != 0;
        own++;
        free(memory);
#pragma omp critical
        count++;
    }
#pragma omp task depend(inout : chain)
    chain = chain * 3 + i;
#pragma omp task if (0)
    undeferred++;
#pragma omp task final(1)
    {
        int inside = 0;
#pragma omp task shared(inside)
        inside++;
        inside++;
        omp_set_lock(&lock);
        locked += inside;
        omp_unset_lock(&lock);
    }
}

int main(void) {
    int result = 0, other = 0;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
    {
#pragma omp single
        {
            for (int i = 0; i < 6; i++) make(i);
#pragma omp taskgroup
            {
#pragma omp task
                {
#pragma omp task
                    grouped++;
                }
            }
            grouped++;
#pragma omp taskloop num_tasks(4)
            for (int i = 0; i < 16; i++) loops[i] = i;
            for (int i = 0; i < 16; i++) loops[i]++;
#pragma omp task shared(result)
            result = fib(7) + on_stack(1) + on_stack(2);
#pragma omp task shared(other)
            other = fib(6) + on_stack(3);
        }
#pragma omp single
        result += other + count + locked;
    }
    printf("%d %d %d %d %d %d\n", result, sum, chain, undeferred, grouped, loops[15]);
    return 0;
}
