// SPDX-License-Identifier: BSD-3-Clause
// if(0) runs at once in the same thread; final makes all tasks within final and immediate; mergeable and untied change nothing.
#include "test.h"

static int depth_ran;

static void nest(int depth) {
    if (depth == 0) return;
    int me = omp_get_thread_num(), ran = 0;
#pragma omp task shared(ran)
    {
        REQUIRE(omp_in_final(), "a child of a final task is not final");
        REQUIRE(omp_get_thread_num() == me, "a final task's child in another thread");
        ran = 1;
        depth_ran++;
        nest(depth - 1);
    }
    REQUIRE(ran, "a final task's child was put off");
}

int main(void) {
    int untied = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 100; i++) {
            int me = omp_get_thread_num(), ran = 0, children = 0;
            REQUIRE(!omp_in_final(), "a task that is not final says it is");
#pragma omp task if (0) shared(ran, children)
            {
                REQUIRE(omp_get_thread_num() == me && !omp_in_final(), "if(0): in another thread, or final");
                for (int k = 0; k < 3; k++) {
#pragma omp task shared(children)
                    test_add(&children, 1);
                }
#pragma omp taskwait
                ran = 1;
            }
            REQUIRE(ran == 1 && children == 3, "if(0) was put off: %d, %d children", ran, children);
            int final_ran = 0;
#pragma omp task final(1) shared(final_ran)
            {
                REQUIRE(omp_in_final(), "final(1) is not final");
                nest(3);
                final_ran = 1;
            }
#pragma omp task final(0) mergeable
            REQUIRE(!omp_in_final(), "final(0) is final");
#pragma omp task untied mergeable shared(untied)
            {
                test_add(&untied, 1);
#pragma omp taskyield
                test_add(&untied, 1);
            }
#pragma omp taskwait
            REQUIRE(final_ran == 1, "past taskwait without the final task");
        }
    }
    REQUIRE(untied == 200 && depth_ran == 300, "untied %d, in final tasks %d", untied, depth_ran);
    return 0;
}
