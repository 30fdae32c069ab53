// SPDX-License-Identifier: BSD-3-Clause
// Measures which share of a put or a get of a segment is hidden behind computation. PE 0 begins a transfer with an
// event to or from PE 1, computes, and waits for the event. PE 1 sleeps. The memory is in the symmetric heap; with --private
// it is memory from malloc, and the operations are put_private and get_private. In the symmetric heap PEs 0 and 1 must be on
// different nodes:
//     SKERRY_NODES=2 UCX_TLS=tcp,self oshrun -n 2 hidden [--private] [ROUNDS]
//     oshrun -n 2 hidden --private [ROUNDS]
// Prints a line for each operation and size. Times are medians in us. SHARE has its quartiles after it:
//     hidden OPERATION BYTES TRANSFER COMPUTATION BOTH SHARE QUARTILE1 QUARTILE3 ROUNDS
// TRANSFER is the time of the transfer without computation, COMPUTATION that of the computation alone, which is made as
// long as TRANSFER, and BOTH that of both together. SHARE = (TRANSFER + COMPUTATION - BOTH) / TRANSFER, in each round.
// It is 1 if the transfer costs nothing, and 0 if transfer and computation only follow each other.
//
// The computation is a fixed number of steps, not a fixed time. So if the transfer takes processor time from PE 0, the
// computation takes longer and the share gets smaller.
#include "../limits/limits.h"

#include <aos.h>
#include <shmem.h>

enum { ROUNDS_MAX = 1000, LARGEST = 16 << 20, LARGEST_FAR = 1 << 20, LARGEST_SYMMETRIC = 4 << 20, TRIES = 5 };
#define SEGMENT_ID 4711u

static aos_segment_t segment; // on PE 0: of PE 1
static char *local;
static bool is_private;

static void require(int outcome, const char *what) {
    if (outcome == AOS_SUCCESS) return;
    fprintf(stderr, "hidden: %s: %s\n", what, aos_error_text(outcome));
    exit(1);
}

static void begin(bool put, size_t bytes, aos_event_t *event) {
    if (put) require(aos_put(local, &segment, 0, bytes, event), "aos_put");
    else require(aos_get(local, &segment, 0, bytes, event), "aos_get");
}

static volatile uint64_t sink;

static void compute(long steps) {
    uint64_t value = sink;
    for (long i = 0; i < steps; i++) value = value * UINT64_C(6364136223846793005) + 1442695040888963407;
    sink = value;
}

// Returns the time in ns of a transfer (if `bytes` is not 0) and of a computation (if `steps` is not 0).
static double together(bool put, size_t bytes, long steps) {
    aos_event_t event;
    const double began = limit_now();
    if (bytes) begin(put, bytes, &event);
    compute(steps);
    if (bytes) require(aos_event_wait(&event), "aos_event_wait");
    const double time = limit_now() - began;
    if (bytes && put) require(aos_fence(&segment, NULL), "aos_fence");
    return time;
}

static int compare(const void *one, const void *other) {
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static double quantile(double *samples, int count, double part) {
    qsort(samples, (size_t)count, sizeof *samples, compare);
    return samples[(int)(part * (count - 1) + 0.5)];
}

static void measure(bool put, size_t bytes, int rounds) {
    static double transfers[ROUNDS_MAX], computations[ROUNDS_MAX], both[ROUNDS_MAX], shares[ROUNDS_MAX];
    for (int i = 0; i < TRIES; i++) transfers[i] = together(put, bytes, 0);
    const double wanted = quantile(transfers, TRIES, 0.5);
    const long tried = 200000;
    for (int i = 0; i < TRIES; i++) computations[i] = together(put, 0, tried);
    const long steps = (long)(wanted / quantile(computations, TRIES, 0.5) * (double)tried) + 1;
    for (int i = 0; i < rounds; i++) {
        transfers[i] = together(put, bytes, 0);
        computations[i] = together(put, 0, steps);
        both[i] = together(put, bytes, steps);
        shares[i] = (transfers[i] + computations[i] - both[i]) / transfers[i];
    }
    printf("hidden %s%s %zu %.1f %.1f %.1f %.2f %.2f %.2f %d\n", put ? "put" : "get", is_private ? "_private" : "",
           bytes, quantile(transfers, rounds, 0.5) / 1e3, quantile(computations, rounds, 0.5) / 1e3,
           quantile(both, rounds, 0.5) / 1e3, quantile(shares, rounds, 0.5), quantile(shares, rounds, 0.25),
           quantile(shares, rounds, 0.75), rounds);
    fflush(stdout);
}

int main(int argument_count, char **arguments) {
    is_private = argument_count > 1 && strcmp(arguments[1], "--private") == 0;
    const int wanted = limit_batches(argument_count - is_private, arguments + is_private, 41);
    const int rounds = wanted < ROUNDS_MAX ? wanted : ROUNDS_MAX;
    shmem_init();
    require(aos_init(0), "aos_init");
    const bool is_near = shmem_ptr(&local, 1 - shmem_my_pe()) != NULL;
    const size_t first = is_private ? 1 << 14 : 1 << 10;
    const size_t largest = !is_private ? LARGEST_SYMMETRIC : is_near ? LARGEST : LARGEST_FAR;
    char *memory = is_private ? malloc(largest) : shmem_malloc(largest);
    local = malloc(largest);
    if (!memory || !local || shmem_n_pes() != 2) {
        if (shmem_my_pe() == 0) fprintf(stderr, "hidden: needs 2 PEs and %zu MB for each\n", 2 * (largest >> 20));
        shmem_global_exit(1);
    }
    memset(local, 1, largest);
    memset(memory, 2, largest);
    aos_segment_t own;
    require(aos_segment_create(&own, SEGMENT_ID + (unsigned)shmem_my_pe(), memory, largest, NULL),
            "aos_segment_create");
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        require(aos_segment_clone(&segment, SEGMENT_ID + 1, 0), "aos_segment_clone");
        for (int put = 1; put >= 0; put--)
            for (size_t bytes = first; bytes <= largest; bytes *= 4) measure(put, bytes, rounds);
    }
    shmem_barrier_all();
    require(aos_finalize(), "aos_finalize");
    shmem_finalize();
    return 0;
}
