// SPDX-License-Identifier: BSD-3-Clause
// A detached task whose event comes while children that it has not waited for are still running.
// threads: 1 2 4 7
// GCC 12 believes, when it optimises, that the library does not write the handle.
// flags: -O0
#include "test.h"

#define ROUNDS 300
#define CHILDREN 6

int main(void) {
    static int done;
#pragma omp parallel
#pragma omp single
    for (int round = 1; round <= ROUNDS; round++) {
#pragma omp taskgroup
        {
            omp_event_handle_t event;
#pragma omp task detach(event) firstprivate(round)
            for (int i = 0; i < CHILDREN; i++) {
#pragma omp task firstprivate(i, round)
                {
                    for (int j = 0; j < (i + round) % 4; j++) sched_yield();
                    test_add(&done, 1);
                }
            }
#pragma omp task firstprivate(event, round)
            {
                for (int i = 0; i < 50 && test_get(&done) < round * CHILDREN - round % CHILDREN; i++) sched_yield();
                omp_fulfill_event(event);
            }
        }
        REQUIRE(test_get(&done) == round * CHILDREN, "round %d: %d children", round, test_get(&done));
    }
    return 0;
}
