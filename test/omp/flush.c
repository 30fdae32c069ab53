// SPDX-License-Identifier: BSD-3-Clause
// flush orders: what is written before it is seen by a thread that sees what was written after it.
// The thread sanitizer knows no fences.
// skip: tsan
// threads: 2 4
#include "test.h"

int main(void) {
    static int data, turn;
#pragma omp parallel num_threads(2)
    for (int round = 1; round <= 2000; round++) {
        int me = omp_get_thread_num(), seen;
        if (me == round % 2) {
            data = round * 3;
#pragma omp flush
#pragma omp atomic write
            turn = round;
        } else {
            do {
#pragma omp atomic read
                seen = turn;
                if (seen < round) sched_yield();
            } while (seen < round);
#pragma omp flush(data)
            REQUIRE(data == round * 3, "round %d: data %d", round, data);
        }
#pragma omp flush acq_rel
#pragma omp barrier
    }
    return 0;
}
