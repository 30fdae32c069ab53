// SPDX-License-Identifier: BSD-3-Clause
// Regions as old compilers began and ended them, and what GOMP_parallel's arguments mean.
#include "test.h"
#include "gomp.h"

static int ran, threads, sections_ran[4];

static void body(void *data) {
    REQUIRE(*(int *)data == 77, "the argument is %d", *(int *)data);
    REQUIRE(omp_get_num_threads() == threads, "%d threads, not %d", omp_get_num_threads(), threads);
    test_add(&ran, 1);
    GOMP_barrier();
    REQUIRE(test_get(&ran) == threads, "past the barrier with %d", test_get(&ran));
}

static void sections(void *data) {
    (void)data;
    for (unsigned section = GOMP_sections_next(); section; section = GOMP_sections_next())
        test_add(&sections_ran[section - 1], 1);
    GOMP_sections_end_nowait();
}

static void sections_started(void *data) {
    (void)data;
    for (unsigned section = GOMP_sections_start(4); section; section = GOMP_sections_next())
        test_add(&sections_ran[section - 1], 1);
    GOMP_sections_end();
    for (int i = 0; i < 4; i++) REQUIRE(test_get(&sections_ran[i]) >= 1, "past the sections without %d", i);
}

static void check_sections(const char *what) {
    for (int i = 0; i < 4; i++) REQUIRE(sections_ran[i] == 1, "%s: section %d ran %d times", what, i, sections_ran[i]);
    memset(sections_ran, 0, sizeof sections_ran);
}

int main(void) {
    int data = 77, usual = omp_get_max_threads();
    for (unsigned wanted = 0; wanted <= 9; wanted++) {
        threads = wanted ? (int)wanted : usual; // 0: what the variables say; 1: if(0)
        ran = 0;
        GOMP_parallel(body, &data, wanted, 0);
        REQUIRE(ran == threads, "GOMP_parallel(%u): %d ran", wanted, ran);
        ran = 0;
        GOMP_parallel_start(body, &data, wanted);
        REQUIRE(omp_get_level() == 1 && omp_get_num_threads() == threads, "GOMP_parallel_start: not inside");
        body(&data);
        GOMP_parallel_end();
        REQUIRE(ran == threads && omp_get_level() == 0, "GOMP_parallel_start(%u): %d ran", wanted, ran);
        GOMP_parallel_sections(sections, NULL, wanted, 4, 0);
        check_sections("GOMP_parallel_sections");
        GOMP_parallel_sections_start(sections, NULL, wanted, 4);
        sections(NULL);
        GOMP_parallel_end();
        check_sections("GOMP_parallel_sections_start");
        GOMP_parallel(sections_started, NULL, wanted, 0);
        check_sections("GOMP_sections_start");
    }
    return 0;
}
