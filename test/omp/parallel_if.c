// SPDX-License-Identifier: BSD-3-Clause
// if(0) makes a region of one thread that is not active, but counts as a level.
#include "test.h"

int main(void) {
    int wanted = omp_get_max_threads();
    for (int on = 0; on <= 1; on++) {
        int ran = 0;
#pragma omp parallel if (on) reduction(+ : ran)
        {
            ran++;
            REQUIRE(omp_get_level() == 1, "if(%d): level %d", on, omp_get_level());
            bool active = on && wanted > 1;
            REQUIRE(omp_in_parallel() == active && omp_get_active_level() == active,
                    "if(%d): in parallel %d, active level %d", on, omp_in_parallel(), omp_get_active_level());
        }
        REQUIRE(ran == (on ? wanted : 1), "if(%d): %d threads", on, ran);
    }
#pragma omp parallel if (0) num_threads(4)
    REQUIRE(omp_get_num_threads() == 1, "if(0) num_threads(4): %d", omp_get_num_threads());
    return 0;
}
