// SPDX-License-Identifier: BSD-3-Clause
// Nobody fulfills the event of a detached task. The threads search deques, which such a task uses.
// expect-exit: 124
// expect-stderr: deadlock in cycle .* every core waits
#include <omp.h>
#include <stdio.h>

static int count;

int main(void) {
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event)
        count++;
#pragma omp task
        count++;
#pragma omp taskwait
    }
    puts("no deadlock");
    return 0;
}
