// SPDX-License-Identifier: BSD-3-Clause
// threadprivate objects of C++: made in each thread, copied in, and thread_local ones that workers keep.
// sarc-64 has no C++ library.
// skip: sarc
#include "test.h"

#include <string>

static int made;

struct counted {
    std::string text;
    counted() : text("new") {
        test_add(&made, 1);
    }
};

extern counted object;
#pragma omp threadprivate(object)
counted object;
static thread_local std::string own = "begin";

int main() {
    object.text = "a text that is too long to be kept inside the object";
#pragma omp parallel
    if (omp_get_thread_num() != 0) REQUIRE(object.text == "new", "a worker's begins as %s", object.text.c_str());
#pragma omp parallel copyin(object)
    {
        REQUIRE(object.text.size() == 52, "copied in: %s", object.text.c_str());
        object.text = std::to_string(omp_get_thread_num());
        own += std::to_string(omp_get_thread_num());
    }
#pragma omp parallel
    {
        REQUIRE(object.text == std::to_string(omp_get_thread_num()), "the next region has %s", object.text.c_str());
        REQUIRE(own == "begin" + std::to_string(omp_get_thread_num()), "thread_local: %s", own.c_str());
    }
    REQUIRE(made == omp_get_max_threads(), "%d made", made);
    return 0;
}
