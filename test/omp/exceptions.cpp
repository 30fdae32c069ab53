// SPDX-License-Identifier: BSD-3-Clause
// Exceptions thrown and caught inside regions, loops, tasks and critical sections.
// sarc-64 has no C++ library.
// skip: sarc
#include "test.h"

#include <stdexcept>
#include <string>

static int destroyed;

struct guard {
    ~guard() {
        test_add(&destroyed, 1);
    }
};

static void throw_at(int i) {
    guard one;
    if (i % 3 == 0) throw std::runtime_error(std::to_string(i));
}

int main() {
    int caught = 0, tasks = 0;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 300; i++) {
            try {
                throw_at(i);
            } catch (const std::runtime_error &error) {
                REQUIRE(error.what() == std::to_string(i), "another's: %s", error.what());
                test_add(&caught, 1);
            }
        }
#pragma omp critical
        {
            try {
                throw_at(0);
            } catch (...) {
                test_add(&caught, 1);
            }
        }
#pragma omp single
        for (int i = 0; i < 99; i++) {
#pragma omp task shared(tasks)
            {
                try {
                    throw_at(i);
                } catch (const std::exception &) {
                    test_add(&tasks, 1);
                }
            }
        }
    }
    int threads = omp_get_max_threads();
    REQUIRE(caught == 100 + threads && tasks == 33, "%d and %d caught", caught, tasks);
    REQUIRE(destroyed == 300 + threads + 99, "%d objects destroyed", destroyed);
    return 0;
}
