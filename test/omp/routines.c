// SPDX-License-Identifier: BSD-3-Clause
// The routines that ask and set: defaults, what a region inherits, values out of range, and time.
#include "test.h"

#include <unistd.h>

int main(void) {
    int threads = omp_get_max_threads();
    REQUIRE(omp_get_num_procs() >= 1 && omp_get_num_procs() <= 4096, "%d processors", omp_get_num_procs());
    REQUIRE(omp_get_thread_limit() >= 16, "thread limit %d", omp_get_thread_limit());
    REQUIRE(omp_get_supported_active_levels() >= 16, "%d levels", omp_get_supported_active_levels());
    REQUIRE(omp_get_max_active_levels() >= 1, "max active levels %d", omp_get_max_active_levels());
    REQUIRE(!omp_in_final() && omp_get_max_task_priority() == 0, "final, or a priority");
    REQUIRE(omp_get_proc_bind() == omp_proc_bind_false, "bound: %d", (int)omp_get_proc_bind());
    omp_set_dynamic(1);
    REQUIRE(omp_get_dynamic(), "dynamic");
#pragma omp parallel
    REQUIRE(omp_get_num_threads() <= threads && omp_get_dynamic(), "dynamic: %d threads", omp_get_num_threads());
    omp_set_dynamic(0);
    REQUIRE(!omp_get_dynamic(), "not dynamic");
    omp_set_max_active_levels(7);
    REQUIRE(omp_get_max_active_levels() == 7, "levels %d", omp_get_max_active_levels());
    omp_set_max_active_levels(-1);
    REQUIRE(omp_get_max_active_levels() == 7, "a negative number of levels was taken");
    omp_set_max_active_levels(INT_MAX);
    REQUIRE(omp_get_max_active_levels() <= omp_get_supported_active_levels(), "more levels than are supported");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    omp_set_nested(1);
    REQUIRE(omp_get_nested() && omp_get_max_active_levels() > 1, "nested");
    omp_set_nested(0);
    REQUIRE(!omp_get_nested() && omp_get_max_active_levels() == 1, "not nested");
#pragma GCC diagnostic pop
    double tick = omp_get_wtick(), before = omp_get_wtime();
    usleep(2000);
    double after = omp_get_wtime();
    REQUIRE(tick > 0 && tick < 0.1, "a tick of %g s", tick);
    REQUIRE(after - before >= 0.0019, "2 ms lasted %g s", after - before);
    int sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        omp_set_num_threads(omp_get_thread_num() + 20); // each thread its own
#pragma omp barrier
        REQUIRE(omp_get_max_threads() == omp_get_thread_num() + 20, "another thread's value");
        sum += 1;
    }
    REQUIRE(omp_get_max_threads() == threads && sum == threads, "%d threads after, %d ran", omp_get_max_threads(), sum);
    return 0;
}
