// SPDX-License-Identifier: BSD-3-Clause
// Reductions that are the last action of a region, which a runtime can combine: floating-point numbers, all operations, several
// variables, static ones, loops whose threads end at different times, and an atomic construct for which another thread waits.
// threads: 1 2 4 7
#include "test.h"

#define TIMES 40

static int threads;
static double static_sum;
static int static_most = -1;
static double data[256];

// A number that has an exact sum in any order.
static int value(int region, int thread) {
    return (region % 7 - 3) * 100 + thread * thread;
}

static void doubles(void) {
    for (int i = 0; i < TIMES; i++) {
        double sum = 0.5, wanted = 0.5, most = -1e9, least = 1e9, product = 3, product_wanted = 3;
#pragma omp parallel reduction(+ : sum)
        {
            data[omp_get_thread_num()] = i;
            sum += value(i, omp_get_thread_num());
        }
        for (int t = 0; t < threads; t++)
            REQUIRE(data[t] == i, "region %d: thread %d's data is %d", i, t, (int)data[t]);
#pragma omp parallel reduction(max : most)
        most = value(i, omp_get_thread_num());
#pragma omp parallel reduction(min : least)
        least = value(i, omp_get_thread_num());
#pragma omp parallel reduction(* : product)
        product *= omp_get_thread_num() % 3 == 1 ? 2 : 1;
        double wanted_most = -1e9, wanted_least = 1e9;
        for (int t = 0; t < threads; t++) {
            const double v = value(i, t);
            wanted += v;
            wanted_most = v > wanted_most ? v : wanted_most;
            wanted_least = v < wanted_least ? v : wanted_least;
            product_wanted *= t % 3 == 1 ? 2 : 1;
        }
        REQUIRE(sum == wanted, "region %d: the sum is %d and not %d", i, (int)sum, (int)wanted);
        REQUIRE(most == wanted_most && least == wanted_least, "region %d: from %d to %d", i, (int)least, (int)most);
        REQUIRE(product == product_wanted, "region %d: the product is %d and not %d", i, (int)product,
                (int)product_wanted);
    }
}

static void several(void) {
    for (int i = 0; i < TIMES; i++) {
        int sum = 7, most = -1000000, least = 1000000, count = 0;
        unsigned most_unsigned = 1, least_unsigned = 4000000000u, bits = 1, common = 0xffff, odd = 5;
        double total = 1;
#pragma omp parallel reduction(+ : sum, count) reduction(max : most)
        {
            sum += value(i, omp_get_thread_num());
            most = value(i, omp_get_thread_num());
            count++;
        }
#pragma omp parallel reduction(min : least, least_unsigned) reduction(max : most_unsigned)
        {
            least = value(i, omp_get_thread_num());
            least_unsigned = 3000000000u + (unsigned)omp_get_thread_num();
            most_unsigned = 3000000000u + (unsigned)omp_get_thread_num();
        }
#pragma omp parallel reduction(| : bits) reduction(& : common) reduction(^ : odd)
        {
            bits |= 1u << omp_get_thread_num() % 32;
            common &= ~(1u << omp_get_thread_num() % 32);
            odd ^= (unsigned)omp_get_thread_num();
        }
#pragma omp parallel for schedule(static) reduction(+ : total, count)
        for (int k = 0; k < 50; k++) {
            total += k;
            count++;
        }
        int wanted = 7, wanted_most = -1000000, wanted_least = 1000000;
        unsigned wanted_bits = 1, wanted_common = 0xffff, wanted_odd = 5;
        for (int t = 0; t < threads; t++) {
            const int v = value(i, t);
            wanted += v;
            wanted_most = v > wanted_most ? v : wanted_most;
            wanted_least = v < wanted_least ? v : wanted_least;
            wanted_bits |= 1u << t % 32;
            wanted_common &= ~(1u << t % 32);
            wanted_odd ^= (unsigned)t;
        }
        REQUIRE(sum == wanted && count == threads + 50, "region %d: the sum is %d and not %d, the count is %d", i, sum,
                wanted, count);
        REQUIRE(most == wanted_most && least == wanted_least, "region %d: from %d to %d", i, least, most);
        REQUIRE(least_unsigned == 3000000000u && most_unsigned == 3000000000u + (unsigned)threads - 1,
                "region %d: from %u to %u", i, least_unsigned, most_unsigned);
        REQUIRE(bits == wanted_bits && common == wanted_common && odd == wanted_odd, "region %d: bits %x, %x, %x", i,
                bits, common, odd);
        REQUIRE(total == 1226, "region %d: the total is %d", i, (int)total);
    }
}

static void statics(void) {
    double wanted = 0;
    for (int i = 0; i < TIMES; i++) {
#pragma omp parallel for reduction(+ : static_sum) reduction(max : static_most)
        for (int k = 0; k < 20; k++) {
            static_sum += k;
            static_most = k > static_most ? k : static_most;
        }
        wanted += 190;
        REQUIRE(static_sum == wanted && static_most == 19, "region %d: %d and %d", i, (int)static_sum, static_most);
    }
}

// Reductions of one variable for which the compiler makes a loop with a compare-swap.
static float static_total = 1;
static int static_least;

static void singles(void) {
    for (int i = 0; i < TIMES / 5; i++) {
        float sum = 0.5f, most = -1e9f, least = 1e9f, product = 1;
        int highest = -1000000, lowest = 1000000, power = 1;
        unsigned highest_unsigned = 1, lowest_unsigned = 4000000000u;
#pragma omp parallel reduction(+ : sum)
        sum += (float)value(i, omp_get_thread_num());
#pragma omp parallel reduction(max : most)
        most = (float)value(i, omp_get_thread_num());
#pragma omp parallel reduction(min : least)
        least = (float)value(i, omp_get_thread_num());
#pragma omp parallel reduction(* : product)
        product *= omp_get_thread_num() % 3 == 1 ? 2 : 1;
#pragma omp parallel reduction(max : highest)
        highest = value(i, omp_get_thread_num());
#pragma omp parallel for schedule(static) reduction(min : lowest)
        for (int t = 0; t < threads; t++) {
            const int v = value(i, t);
            lowest = v < lowest ? v : lowest;
        }
#pragma omp parallel reduction(max : highest_unsigned)
        highest_unsigned = 3000000000u + (unsigned)omp_get_thread_num();
#pragma omp parallel reduction(min : lowest_unsigned)
        lowest_unsigned = 3000000000u + (unsigned)omp_get_thread_num();
#pragma omp parallel reduction(* : power)
        power *= omp_get_thread_num() % 5 == 1 ? 3 : 1;
#pragma omp parallel reduction(+ : static_total)
        static_total += 2;
#pragma omp parallel reduction(min : static_least)
        static_least = -i - omp_get_thread_num();
        float wanted = 0.5f, wanted_product = 1;
        int wanted_most = -1000000, wanted_least = 1000000, wanted_power = 1;
        for (int t = 0; t < threads; t++) {
            const int v = value(i, t);
            wanted += (float)v;
            wanted_most = v > wanted_most ? v : wanted_most;
            wanted_least = v < wanted_least ? v : wanted_least;
            wanted_product *= t % 3 == 1 ? 2 : 1;
            wanted_power *= t % 5 == 1 ? 3 : 1;
        }
        REQUIRE(sum == wanted, "region %d: the sum is %d and not %d", i, (int)sum, (int)wanted);
        REQUIRE(most == (float)wanted_most && least == (float)wanted_least, "region %d: from %d to %d", i, (int)least,
                (int)most);
        REQUIRE(highest == wanted_most && lowest == wanted_least, "region %d: from %d to %d", i, lowest, highest);
        REQUIRE(highest_unsigned == 3000000000u + (unsigned)threads - 1 && lowest_unsigned == 3000000000u,
                "region %d: from %u to %u", i, lowest_unsigned, highest_unsigned);
        REQUIRE(product == wanted_product && power == wanted_power, "region %d: products %d, %d", i, (int)product,
                power);
        REQUIRE(static_total == (float)(1 + 2 * threads * (i + 1)), "region %d: the total is %d", i, (int)static_total);
        REQUIRE(static_least == 1 - i - threads, "region %d: the least is %d", i, static_least);
    }
}

// Threads update the variable during the region too, and one waits for the updates with which the others end.
static void awaited_single(void) {
    for (int i = 0; i < TIMES / 8; i++) {
        float count = 0;
        const int waiter = (i * 5) % threads;
#pragma omp parallel
        {
            for (int k = 0; k < 2; k++) {
#pragma omp atomic
                count += 1;
            }
            if (omp_get_thread_num() == waiter) {
                float seen;
                do {
                    sched_yield();
#pragma omp atomic read
                    seen = count;
                } while (seen < (float)(3 * threads - 1));
            }
#pragma omp atomic
            count += 1;
        }
        REQUIRE(count == (float)(3 * threads), "region %d: the count is %d", i, (int)count);
    }
}

// Threads end at different times.
static void uneven(void) {
    for (int i = 0; i < TIMES; i++) {
        double sum = 0;
        int count = 0;
#pragma omp parallel reduction(+ : sum, count)
        {
            for (volatile int wait = (omp_get_thread_num() + i) % 4 * 150; wait > 0; wait--) {
            }
            sum += omp_get_thread_num();
            count++;
        }
        REQUIRE(count == threads && sum == threads * (threads - 1) / 2, "region %d: %d, %d", i, count, (int)sum);
    }
}

// One thread waits inside the region for the updates with which the others end, and all update the variable before.
static void awaited(void) {
    for (int i = 0; i < TIMES / 4; i++) {
        double count = 0;
        const int waiter = (i * 7) % threads;
#pragma omp parallel
        {
#pragma omp atomic
            count += 1;
            if (omp_get_thread_num() == waiter) {
                double seen;
                do {
                    sched_yield();
#pragma omp atomic read
                    seen = count;
                } while (seen < 2 * threads - 1);
            }
#pragma omp atomic
            count += 1;
        }
        REQUIRE(count == 2 * threads, "region %d: the count is %d", i, (int)count);
    }
}

static void tasks(void) {
    for (int i = 0; i < 5; i++) {
        double sum = 0, count = 0;
#pragma omp parallel reduction(+ : sum) shared(count)
        {
#pragma omp single nowait
            for (int k = 0; k < 20; k++) {
#pragma omp task shared(count)
                {
#pragma omp atomic
                    count += 1;
                }
            }
            sum += omp_get_thread_num();
        }
        REQUIRE(count == 20, "the tasks' count is %d and not 20", (int)count);
        REQUIRE(sum == threads * (threads - 1) / 2, "the sum beside tasks is %d", (int)sum);
    }
}

// Teams of other sizes in turn, and serial regions inside.
static void sizes(void) {
    for (int i = 0; i < TIMES; i++) {
        const int size = i % 3 == 0 ? threads : (threads + 1) / 2;
        double sum = 0, inner = 0;
#pragma omp parallel num_threads(size) reduction(+ : sum) shared(inner)
        {
#pragma omp parallel num_threads(1) shared(inner)
            {
#pragma omp atomic
                inner += 1;
            }
            sum += 1 + omp_get_thread_num();
        }
        REQUIRE(sum == size * (size + 1) / 2, "%d threads: the sum is %d", size, (int)sum);
        REQUIRE(inner == size, "%d threads: %d updates of regions inside", size, (int)inner);
    }
}

int main(void) {
#pragma omp parallel
    {
#pragma omp single
        threads = omp_get_num_threads();
    }
    doubles();
    several();
    statics();
    singles();
    awaited_single();
    uneven();
    if (threads > 1) awaited();
    tasks();
    sizes();
    return 0;
}
