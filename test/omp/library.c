// SPDX-License-Identifier: BSD-3-Clause
// A library that uses OpenMP, opened by a program that has regions already: from outside them, from within, and closed and
// opened again.
// smp-16 has no shared libraries.
// threads: 1 2 4
// skip: smp
#include "test.h"

#include <dlfcn.h>

int main(void) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 40);
    REQUIRE(length > 0, "who am I?");
    path[length] = 0;
    strcpy(strrchr(path, '/') + 1, "libomp_test_library.so");
    for (int round = 0; round < 10; round++) {
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        REQUIRE(library, "%s", dlerror());
        int (*library_sum)(int);
        *(void **)&library_sum = dlsym(library, "library_sum");
        REQUIRE(library_sum, "%s", dlerror());
        REQUIRE(library_sum(100) == 4950, "from outside: %d", library_sum(100));
        omp_set_max_active_levels(2);
        int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
        {
            omp_set_num_threads(2);
            wrong += library_sum(100) != 4950;
        }
        REQUIRE(wrong == 0, "from within a region: %d", wrong);
        REQUIRE(dlclose(library) == 0, "%s", dlerror());
        int ran = 0;
#pragma omp parallel reduction(+ : ran)
        ran++;
        REQUIRE(ran == omp_get_max_threads(), "afterwards %d threads", ran);
    }
    return 0;
}
