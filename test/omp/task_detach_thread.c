// SPDX-License-Identifier: BSD-3-Clause
// An event fulfilled by a thread that OpenMP knows nothing of, while the whole team waits: at a barrier, at taskwait, at the
// region's end.
// The system's library of GCC 12 sleeps on when all threads do.
// smp-16 has no threads of POSIX.
// peer: no
// threads: 1 2 4
// GCC 12 believes, when it optimises, that the library does not write the handle.
// flags: -pthread -O0
// skip: smp
#include "test.h"

#include <pthread.h>

static omp_event_handle_t posted_event;
static int posted, taken;

static void *outsider(void *nothing) {
    (void)nothing;
    for (int round = 1; round <= 30; round++) {
        test_wait(&posted, round);
        usleep(2000); // so that the team sleeps
        test_set(&taken, round);
        omp_fulfill_event(posted_event);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    REQUIRE(pthread_create(&thread, NULL, outsider, NULL) == 0, "no thread");
    for (int round = 1; round <= 30; round++) {
#pragma omp parallel
        {
#pragma omp single nowait
            {
                omp_event_handle_t event;
#pragma omp task detach(event)
                {}
                posted_event = event;
                test_set(&posted, round);
                if (round % 3 == 0) {
#pragma omp taskwait
                    REQUIRE(test_get(&taken) == round, "past taskwait before it was fulfilled");
                }
            }
            if (round % 3 == 1) {
#pragma omp barrier
                REQUIRE(test_get(&taken) == round, "past the barrier before it was fulfilled");
            }
        }
        REQUIRE(test_get(&taken) == round, "past the region before it was fulfilled");
    }
    pthread_join(thread, NULL);
    return 0;
}
