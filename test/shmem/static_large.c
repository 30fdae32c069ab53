// SPDX-License-Identifier: BSD-3-Clause
// A large static array costs nothing until it is touched: neither memory nor time at start-up; its far end is as
// accessible as its beginning.
// pes: 1 2 16
// skip: epiphany
// ways: 4:2:remote
#define _GNU_SOURCE
#include "test.h"

#include <sys/resource.h>

#define BYTES ((size_t)256 << 20)

static char large[BYTES];
static char touched[5 << 20] = {1}; // in .data

static long resident_kilobytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

int main(void) {
    test_begin();
    shmem_barrier_all();
    REQUIRE(resident_kilobytes() < 100 * 1024, "%ld KB are resident, of an untouched array", resident_kilobytes());
    for (size_t at = 0; at < BYTES; at += BYTES / 8 - 1) shmem_char_p(&large[at], (char)(me + 1), right_of(me));
    shmem_char_p(&large[BYTES - 1], (char)(me + 1), right_of(me));
    shmem_char_p(&touched[sizeof touched - 1], (char)(me + 1), right_of(me));
    shmem_barrier_all();
    for (size_t at = 0; at < BYTES; at += BYTES / 8 - 1) REQUIRE(large[at] == left_of(me) + 1, "byte %zu", at);
    REQUIRE(large[BYTES - 1] == left_of(me) + 1 && touched[sizeof touched - 1] == left_of(me) + 1, "the last byte");
    REQUIRE(large[1] == 0 && large[BYTES - 2] == 0 && touched[0] == 1, "bytes beside those that were put");
    shmem_barrier_all();
    return test_end();
}
