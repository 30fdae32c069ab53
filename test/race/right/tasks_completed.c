// SPDX-License-Identifier: BSD-3-Clause
// Right: tasks with events, waits for some tasks, and tasks with reductions. GCC 12 believes, when it optimises, that the library
// does not write the handles of events.
// flags: -O0
#include <omp.h>
#include <stdio.h>

#define TASKS 32

static int x, y, result, of_task, sum, largest, cells[TASKS];

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        omp_event_handle_t first, second, third;
        // The fulfilling task comes before the wait for the detached one, and before the task that depends on it.
#pragma omp task detach(first)
        of_task = 1;
#pragma omp task
        {
            result = 5;
            omp_fulfill_event(first);
        }
#pragma omp taskwait
        x = result + of_task;
#pragma omp task depend(out : y) detach(second)
        y = 1;
#pragma omp task depend(inout : y)
        y += result;
        result = 6;
        omp_fulfill_event(second); // by the maker, before or after the task
#pragma omp taskwait depend(in : y)
        x += y;
#pragma omp taskgroup
        {
#pragma omp task detach(third)
            {
                of_task = 2;
                omp_fulfill_event(third);
            }
        }
        x += of_task;
        // A wait for the tasks of one variable does not wait for those of the other.
#pragma omp task depend(out : x)
        x++;
#pragma omp task depend(out : y)
        y++;
#pragma omp taskwait depend(in : x)
        x++;
#pragma omp taskwait depend(inout : y)
        y += x;
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(max : largest)
        for (int i = 0; i < TASKS; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(max : largest)
            {
                sum += i;
                largest = largest > i ? largest : i;
                cells[i] = i;
            }
        }
        x += sum + largest;
#pragma omp taskloop reduction(+ : sum)
        for (int i = 0; i < TASKS; i++) sum += cells[i];
        y += sum;
    }
#pragma omp parallel for num_threads(4) reduction(task, + : sum)
    for (int i = 0; i < TASKS; i++) {
#pragma omp task in_reduction(+ : sum)
        sum += cells[i];
    }
    printf("%d %d %d\n", x, y, sum);
}
