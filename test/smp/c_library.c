// SPDX-License-Identifier: BSD-3-Clause
// All threads use the C library at the same time: memory, files, error numbers, formats, exit handlers, the environment. Arguments and
// environment come from the command line.
// args: one two
// env: COLOUR=blue
// threads: 1 16 20
#include "test.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>

#define BLOCKS 12

static void use_memory(unsigned seed) {
    char *blocks[BLOCKS] = {0};
    size_t sizes[BLOCKS] = {0};
    uint64_t random = seed;
    for (int round = 0; round < 5 * BLOCKS; round++) {
        const size_t i = test_random(&random) % BLOCKS;
        for (size_t k = 0; k < sizes[i]; k++) REQUIRE(blocks[i][k] == (char)(seed + i), "block %d changed", (int)i);
        free(blocks[i]);
        sizes[i] = test_random(&random) % 300 + 1;
        blocks[i] = malloc(sizes[i]);
        REQUIRE(blocks[i], "no memory");
        memset(blocks[i], (char)(seed + i), sizes[i]);
    }
    for (size_t i = 0; i < BLOCKS; i++) free(blocks[i]);
    void *aligned = aligned_alloc(128, 256);
    REQUIRE(aligned && (uintptr_t)aligned % 128 == 0, "aligned_alloc: %p", aligned);
    free(aligned);
}

static void use_files(void) {
    for (int i = 0; i < 5; i++) printf("thread %02d, line %d of five, whole\n", omp_get_thread_num(), i);
}

// A thread's errno is its own, also if the C library itself stores it.
static void use_errno(void) {
    const int own = omp_get_thread_num() % 2 ? ERANGE : ENOENT;
    errno = 0;
#pragma omp barrier
    if (own == ERANGE) REQUIRE(strtol("99999999999999", NULL, 10) == LONG_MAX, "a number that is too large");
    else REQUIRE(!fopen("/no/such/file", "r"), "a file that does not exist");
#pragma omp barrier
    REQUIRE(errno == own, "errno is %d instead of %d", errno, own);
}

static void use_formats(void) {
    char text[80];
    snprintf(text, sizeof text, "%lld %zu %jd %hhu %llx %.2f", -12345678901LL, sizeof text, (intmax_t)-3, 257,
             0xfedcba9876543210ULL, 1.25);
    REQUIRE(!strcmp(text, "-12345678901 80 -3 1 fedcba9876543210 1.25"), "%s", text);
}

int main(int count, char **arguments) {
    REQUIRE(count == 3 && !strcmp(arguments[1], "one") && !strcmp(arguments[2], "two"), "%d arguments", count);
    REQUIRE(getenv("COLOUR") && !strcmp(getenv("COLOUR"), "blue"), "the environment");
    REQUIRE(omp_get_num_procs() == 16, "%d cores", omp_get_num_procs());
#pragma omp parallel
    {
        use_memory((unsigned)omp_get_thread_num() + 1);
        use_files();
        use_errno();
        use_formats();
        REQUIRE(getenv("COLOUR") && !strcmp(getenv("COLOUR"), "blue"), "the environment in a thread");
    }
    double began = omp_get_wtime();
    usleep(1000);
    REQUIRE(omp_get_wtime() - began >= 1e-3 && omp_get_wtime() - began < 2e-3, "a millisecond");
    return 0;
}
