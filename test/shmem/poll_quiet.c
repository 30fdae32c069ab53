// SPDX-License-Identifier: BSD-3-Clause
// With more PEs than processors a program that polls its own buffer by loads with a shmem_quiet between them hands the processor over.
// The library cannot tell such a loop from puts that are made quiet, so it hands over less often than with a get, and hardly beside
// other programs, because a yield would give them a time slice. So the test is skipped while other programs use the processors.
// pes: 16
// alone: yes
// skip: epiphany aarch64 asan ubsan tsan
// timeout: 120
// ways: 4:2:remote
#include "polls.h"

#define TRIES 8
#define PROCESSOR_LEAST 0.8 // on the average; else others use the processors
#define TIME_MOST 0.25 // of that with plain loads; measured: 0.01 to 0.03, and 0.5 to 1.5 if quiet never hands over

static void by_quiet(long number) {
    while (!polls_have_arrived(number)) shmem_quiet();
}

// The shortest exchange and the average use of processors.
static struct polls_figures measure_best(void (*poll_until)(long number)) {
    struct polls_figures best = {1e9, 0};
    for (int i = 0; i < TRIES; i++) {
        struct polls_figures figures = polls_measure(poll_until);
        if (figures.exchange < best.exchange) best.exchange = figures.exchange;
        best.processor += figures.processor / TRIES;
    }
    return best;
}

int main(void) {
    polls_begin();
    struct polls_figures quiet = measure_best(by_quiet), loads = measure_best(polls_by_loads);
    if (quiet.exchange <= TIME_MOST * loads.exchange) return test_end();
    if (quiet.processor < PROCESSOR_LEAST || loads.processor < PROCESSOR_LEAST)
        polls_skip("other programs use the processors");
    REQUIRE(me != 0, "an exchange takes %.3f ms, with plain loads %.3f", quiet.exchange * 1e3, loads.exchange * 1e3);
    return test_end();
}
