// SPDX-License-Identifier: BSD-3-Clause
// task_reduction on a taskgroup with in_reduction in its tasks and their descendants; reductions with the task modifier of
// parallel, for, sections, scope and taskloop.
#include "test.h"

#define COUNT 100
#define SUM (COUNT * (COUNT - 1) / 2)

struct pair {
    int sum, product;
};

static void pair_add(struct pair *into, const struct pair *from) {
    into->sum += from->sum;
    into->product *= from->product;
}
#pragma omp declare reduction(both                                                                                     \
                              : struct pair                                                                            \
                              : pair_add(&omp_out, &omp_in)) initializer(omp_priv = (struct pair){0, 1})

static void group(void) {
    int sum = 7;
    long section[10] = {0};
    struct pair pair = {1, 2};
#pragma omp taskgroup task_reduction(+ : sum, section) task_reduction(both : pair)
    {
        for (int i = 0; i < COUNT; i++) {
#pragma omp task in_reduction(+ : sum, section) in_reduction(both : pair)
            {
                sum += i;
                section[i % 10] += i;
                pair.sum += 1;
                if (i % 50 == 0) pair.product *= 3;
#pragma omp task in_reduction(+ : sum)
                sum += 1000;
            }
        }
#pragma omp taskloop in_reduction(+ : sum)
        for (int i = 0; i < 10; i++) sum += 100000;
    }
    REQUIRE(sum == 7 + SUM + COUNT * 1000 + 1000000, "taskgroup: sum %d", sum);
    for (int i = 0; i < 10; i++) REQUIRE(section[i] == 450 + 10 * i, "taskgroup: element %d is %ld", i, section[i]);
    REQUIRE(pair.sum == 1 + COUNT && pair.product == 18, "taskgroup: pair %d %d", pair.sum, pair.product);
}

static void nested_groups(void) {
    int outer = 0, inner_total = 0;
#pragma omp taskgroup task_reduction(+ : outer)
    {
        for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : outer) shared(inner_total)
            {
                int inner = 0;
#pragma omp taskgroup task_reduction(+ : inner)
                {
                    for (int k = 0; k < 5; k++) {
#pragma omp task in_reduction(+ : inner, outer)
                        {
                            inner += k;
                            outer += 1;
                        }
                    }
                }
                REQUIRE(inner == 10, "an inner group has %d", inner);
                test_add(&inner_total, inner);
            }
        }
    }
    REQUIRE(outer == 50 && inner_total == 100, "outer %d, inner %d", outer, inner_total);
}

static void modifiers(int threads) {
    int sum = 3, all = 0, again = 0;
    long most = 0;
#pragma omp parallel reduction(task, + : sum)
    {
        sum += 1;
        for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
            sum += 10;
        }
    }
    REQUIRE(sum == 3 + 101 * threads, "parallel: %d", sum);
#pragma omp parallel for reduction(task, + : all) schedule(dynamic, 3)
    for (int i = 0; i < COUNT; i++) {
#pragma omp task in_reduction(+ : all)
        all += i;
    }
    REQUIRE(all == SUM, "parallel for: %d", all);
#pragma omp parallel
    {
#pragma omp for reduction(task, + : again) reduction(task, max : most)
        for (int i = 0; i < COUNT; i++) {
#pragma omp task in_reduction(+ : again) in_reduction(max : most)
            {
                again += i;
                if (i > most) most = i;
            }
        }
        REQUIRE(again == SUM && most == COUNT - 1, "for: %d, %ld", again, most);
#pragma omp barrier
#pragma omp for reduction(task, + : again) schedule(static, 2)
        for (unsigned long long i = ULLONG_MAX - COUNT; i < ULLONG_MAX; i++) {
#pragma omp task in_reduction(+ : again)
            again += 1;
        }
        REQUIRE(again == SUM + COUNT, "for, unsigned: %d", again);
#pragma omp barrier
#pragma omp for reduction(task, + : again) ordered schedule(guided)
        for (int i = 0; i < COUNT; i++) {
#pragma omp ordered
            {
#pragma omp task in_reduction(+ : again)
                again += 1;
            }
        }
        REQUIRE(again == SUM + 2 * COUNT, "for, ordered: %d", again);
#pragma omp barrier
#pragma omp sections reduction(task, + : again)
        {
#pragma omp section
            {
#pragma omp task in_reduction(+ : again)
                again += 1;
            }
#pragma omp section
            {
#pragma omp task in_reduction(+ : again)
                again += 10;
            }
#pragma omp section
            again += 100;
        }
        REQUIRE(again == SUM + 2 * COUNT + 111, "sections: %d", again);
#pragma omp barrier
#pragma omp scope reduction(task, + : again)
        {
#pragma omp task in_reduction(+ : again)
            again += 1;
        }
        REQUIRE(again == SUM + 2 * COUNT + 111 + threads, "scope: %d", again);
    }
#pragma omp parallel sections reduction(task, + : sum)
    {
#pragma omp section
        {
#pragma omp task in_reduction(+ : sum)
            sum += 5;
        }
#pragma omp section
        sum += 6;
    }
    REQUIRE(sum == 14 + 101 * threads, "parallel sections: %d", sum);
}

static void doacross(void) {
    static int order;
    int sum = 0;
    order = 0;
#pragma omp parallel
    {
#pragma omp for reduction(task, + : sum) ordered(1) schedule(dynamic)
        for (int i = 0; i < COUNT; i++) {
#pragma omp ordered depend(sink : i - 1)
            REQUIRE(order == i, "doacross: %d where %d should be", i, order);
            order++;
#pragma omp ordered depend(source)
#pragma omp task in_reduction(+ : sum)
            sum += i;
        }
    }
    REQUIRE(sum == SUM, "doacross: %d", sum);
}

int main(void) {
    int threads = omp_get_max_threads();
    for (int round = 0; round < 20; round++) {
#pragma omp parallel
#pragma omp single
        {
            group();
            nested_groups();
        }
        modifiers(threads);
        doacross();
    }
#pragma omp parallel
    group(); // every thread its own, at the same time
    return 0;
}
