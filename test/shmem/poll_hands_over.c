// SPDX-License-Identifier: BSD-3-Clause
// With more PEs than processors a program that polls its own buffer by a routine that does not wait (g, get, atomics that fetch, test)
// hands the processor to the PE that will store there. It takes some hundredths of the time of plain loads, without that about as long.
// pes: 16
// alone: yes
// skip: epiphany aarch64 asan ubsan tsan
// timeout: 120
#include "polls.h"

#define TRIES 6
#define TIME_MOST 0.25 // of that with plain loads

static void by_g(long number) {
    while (shmem_long_g(&word, me) < number) continue;
}

static long get_one(void) {
    long value;
    shmem_getmem(&value, &word, sizeof value, me);
    return value;
}

static void by_get(long number) {
    while (get_one() < number) continue;
}

static void by_fetch(long number) {
    while (shmem_long_atomic_fetch(&word, me) < number) continue;
}

static void by_compare_swap(long number) {
    while (shmem_long_atomic_compare_swap(&word, -1, -1, me) < number) continue;
}

static void by_test(long number) {
    while (!shmem_long_test(&word, SHMEM_CMP_GE, number)) continue;
}

int main(void) {
    static const struct {
        const char *name;
        void (*poll_until)(long number);
    } ways[] = {{"shmem_long_g", by_g},
                {"shmem_getmem", by_get},
                {"shmem_long_atomic_fetch", by_fetch},
                {"shmem_long_atomic_compare_swap", by_compare_swap},
                {"shmem_long_test", by_test}};
    polls_begin();
    for (size_t way = 0; way < TEST_COUNT(ways); way++) {
        double loads = 0, polls = 1;
        for (int i = 0; i < TRIES && polls > TIME_MOST * loads; i++) {
            loads = polls_measure(polls_by_loads).exchange;
            polls = polls_measure(ways[way].poll_until).exchange;
        }
        REQUIRE(me != 0 || polls <= TIME_MOST * loads, "%s: an exchange takes %.3f ms, with plain loads %.3f",
                ways[way].name, polls * 1e3, loads * 1e3);
    }
    return test_end();
}
