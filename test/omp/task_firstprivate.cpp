// SPDX-License-Identifier: BSD-3-Clause
// firstprivate objects of C++ in tasks: as many destructors as constructors, the copy made before the task's maker goes on.
// sarc-64 has no C++ library.
// skip: sarc
#include "test.h"

#include <memory>
#include <string>
#include <vector>

static int alive, copies;

struct counted {
    int value;
    counted *self;
    explicit counted(int number) : value(number), self(this) {
        test_add(&alive, 1);
    }
    counted(const counted &other) : value(other.value), self(this) {
        REQUIRE(other.self == &other && other.value >= 0, "copied from what is no object");
        test_add(&alive, 1);
        test_add(&copies, 1);
    }
    counted &operator=(const counted &) = delete;
    ~counted() {
        REQUIRE(self == this, "an object was moved as bytes");
        value = -1;
        self = nullptr;
        test_add(&alive, -1);
    }
};

static int ran;

static void make(int count) {
    for (int i = 0; i < count; i++) {
        counted object(i);
        std::string text(40, static_cast<char>('a' + i % 26));
        std::vector<int> numbers(50, i);
        auto pointer = std::make_shared<int>(i);
#pragma omp task firstprivate(object, text, numbers, pointer)
        {
            REQUIRE(object.self == &object && object.value == i, "task %d has object %d", i, object.value);
            REQUIRE(text.size() == 40 && text[39] == 'a' + i % 26, "task %d: text %s", i, text.c_str());
            REQUIRE(numbers.size() == 50 && numbers[49] == i && *pointer == i, "task %d: numbers", i);
            test_add(&ran, 1);
        }
        object.value = 1000000;
        text = "another";
        numbers.clear();
    }
}

int main() {
#pragma omp parallel
#pragma omp single
    make(300);
    REQUIRE(ran == 300, "%d ran", ran);
    REQUIRE(alive == 0 && copies >= 300, "%d objects left, %d copies", alive, copies);
    counted outer(5);
#pragma omp parallel firstprivate(outer)
    {
        REQUIRE(outer.self == &outer && outer.value == 5, "a region's copy");
#pragma omp task firstprivate(outer) if (0)
        REQUIRE(outer.value == 5, "if(0)'s copy");
#pragma omp task firstprivate(outer) final(1)
        {
#pragma omp task firstprivate(outer)
            REQUIRE(outer.value == 5, "a final task's child's copy");
        }
    }
    REQUIRE(alive == 1, "%d objects left", alive - 1);
    return 0;
}
