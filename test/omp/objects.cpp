// SPDX-License-Identifier: BSD-3-Clause
// Objects of C++ without a C++ library: virtual functions, templates, lambdas, new and delete in regions and tasks, a
// reduction of objects, static objects, static variables that several threads initialise, and threadprivate objects.
#include "test.h"

static int alive, made_once, destroyed;

struct shape {
    shape() {
        test_add(&alive, 1);
    }
    shape(const shape &) {
        test_add(&alive, 1);
    }
    virtual ~shape() {
        test_add(&alive, -1);
    }
    virtual int area() const = 0;
};

struct square : shape {
    int side;
    explicit square(int s) : side(s) {
    }
    int area() const override {
        return side * side;
    }
};

struct line : shape {
    int area() const override {
        return 0;
    }
};

template <typename T> struct range {
    T low, high;
    void add(T value) {
        if (value < low) low = value;
        if (value > high) high = value;
    }
    void add(const range &other) {
        add(other.low);
        add(other.high);
    }
};
#pragma omp declare reduction(merge : range<int> : omp_out.add(omp_in)) initializer(omp_priv = range<int>{1000, -1000})

struct once {
    int value;
    once() : value(7) {
        test_add(&made_once, 1);
    }
};

static int value_of_once() {
    static once the_only;
    return the_only.value;
}

// `watcher` is constructed before `global`, so it is destroyed after it.
struct watching {
    ~watching() {
        if (destroyed == 1) return;
        fprintf(stderr, "at the end %d objects were destroyed\n", destroyed);
        fflush(stderr);
        _Exit(1);
    }
};
static watching watcher;

struct ending {
    int value;
    ending() : value(3) {
    }
    ~ending() {
        destroyed++;
    }
};
static ending global;

struct count {
    int value;
    count() : value(5) {
    }
};
extern count counted;
#pragma omp threadprivate(counted)
count counted;

int main() {
    const int threads = omp_get_max_threads();
    REQUIRE(global.value == 3, "the constructor of a static object has not run");

    int sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        shape *mine = omp_get_thread_num() % 2 ? static_cast<shape *>(new line) : new square(omp_get_thread_num() + 1);
        sum += mine->area();
        delete mine;
    }
    int wanted = 0;
    for (int i = 0; i < threads; i += 2) wanted += (i + 1) * (i + 1);
    REQUIRE(sum == wanted, "%d and not %d", sum, wanted);
    REQUIRE(alive == 0, "%d objects are alive", alive);

    range<int> all{1000, -1000};
#pragma omp parallel for reduction(merge : all)
    for (int i = -20; i < 50; i++) all.add(i);
    REQUIRE(all.low == -20 && all.high == 49, "%d to %d", all.low, all.high);

    sum = 0;
#pragma omp parallel
#pragma omp single
    {
        square first(2);
        for (int i = 0; i < 10; i++) {
            first.side = i;
#pragma omp task firstprivate(first) shared(sum)
            {
                const auto doubled = [&first](int times) { return times * first.area(); };
                test_add(&sum, doubled(2));
            }
        }
#pragma omp taskwait
    }
    REQUIRE(sum == 2 * 285, "the tasks' sum is %d", sum);
    REQUIRE(alive == 0, "%d objects are alive after the tasks", alive);

    sum = 0;
#pragma omp parallel reduction(+ : sum)
    sum += value_of_once();
    REQUIRE(sum == 7 * threads && made_once == 1, "a static variable: %d, made %d times", sum, made_once);

#pragma omp parallel
    {
        counted.value += omp_get_thread_num();
#pragma omp barrier
        REQUIRE(counted.value == 5 + omp_get_thread_num(), "thread %d has %d", omp_get_thread_num(), counted.value);
    }
    return 0;
}
