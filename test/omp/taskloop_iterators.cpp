// SPDX-License-Identifier: BSD-3-Clause
// Loops over random access iterators of C++ and range loops, shared and as tasks; objects in taskloop's data.
// sarc-64 has no C++ library.
// skip: sarc
#include "test.h"

#include <deque>
#include <numeric>
#include <string>
#include <vector>

static int alive;

struct counted {
    int value;
    counted() : value(0) {
        test_add(&alive, 1);
    }
    counted(const counted &other) : value(other.value) {
        test_add(&alive, 1);
    }
    counted &operator=(const counted &other) = default;
    ~counted() {
        test_add(&alive, -1);
    }
};

static void iterators() {
    std::vector<int> numbers(500, 1);
    std::deque<int> queue(500, 1);
#pragma omp parallel for schedule(dynamic, 7)
    for (auto at = numbers.begin(); at < numbers.end(); at += 2) *at += 10;
#pragma omp parallel for schedule(guided)
    for (auto at = queue.rbegin(); at != queue.rend(); ++at) *at += 10;
#pragma omp parallel for
    for (int &number : numbers) number += 100;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(9)
        for (auto at = numbers.begin(); at < numbers.end(); ++at) *at += 1000;
#pragma omp taskloop num_tasks(5)
        for (auto at = queue.begin(); at != queue.end(); ++at) *at += 1000;
    }
    for (std::size_t i = 0; i < 500; i++)
        REQUIRE(numbers[i] == (i % 2 ? 1101 : 1111) && queue[i] == 1011, "element %zu: %d, %d", i, numbers[i],
                queue[i]);
}

static void objects() {
    counted object, last;
    object.value = 5;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop firstprivate(object) lastprivate(last) grainsize(3)
        for (int i = 0; i < 100; i++) {
            REQUIRE(object.value == 5, "an object of %d", object.value);
            last.value = i;
        }
    }
    REQUIRE(last.value == 99, "lastprivate is %d", last.value);
}

#pragma omp declare reduction(join : std::string : omp_out += omp_in) initializer(omp_priv = std::string())

static void user_reductions() {
    std::string text = "x";
#pragma omp parallel reduction(join : text)
    text += std::string(20, 'a');
    REQUIRE(text.size() == 1 + 20 * static_cast<std::size_t>(omp_get_max_threads()), "%zu characters", text.size());
    std::string tasks;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop reduction(join : tasks) grainsize(2)
        for (int i = 0; i < 60; i++) tasks += 'b';
    }
    REQUIRE(tasks == std::string(60, 'b'), "by tasks: %s", tasks.c_str());
}

int main() {
    iterators();
    objects();
    user_reductions();
    REQUIRE(alive == 0, "%d objects left", alive);
    return 0;
}
