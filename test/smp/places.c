// SPDX-License-Identifier: BSD-3-Clause
// Threads run on the cores of their places, also if there are more threads than cores, and move when a region binds them
// elsewhere.
// env: OMP_PLACES={1,2},{5},{8:4} OMP_PROC_BIND=spread
// threads: 3 12
#include "test.h"

static int core(void) {
    int hart;
    __asm__ volatile(".option push\n.option arch, +zicsr\ncsrr %0, mhartid\n.option pop" : "=r"(hart));
    return hart;
}

static void check(void) {
    int cores[16], place = omp_get_place_num(), own = core(), found = 0;
    REQUIRE(place >= 0 && place < 3, "place %d", place);
    omp_get_place_proc_ids(place, cores);
    for (int i = 0; i < omp_get_place_num_procs(place); i++) found |= cores[i] == own;
    REQUIRE(found, "thread %d: core %d is not in place %d", omp_get_thread_num(), own, place);
}

int main(void) {
    int used = 0, at_master = 0;
    check();
    for (int round = 0; round < 5; round++) {
#pragma omp parallel reduction(| : used)
        {
            check();
            used |= 1 << omp_get_place_num();
        }
        const int master = omp_get_place_num();
#pragma omp parallel proc_bind(primary) reduction(+ : at_master)
        {
            check();
            at_master += omp_get_place_num() == master;
        }
    }
    REQUIRE(used == 7, "used places: %x", used);
    REQUIRE(at_master == 5 * omp_get_max_threads(), "%d threads at the master's place", at_master);
    return 0;
}
