// SPDX-License-Identifier: BSD-3-Clause
// Computes dot products on the PEs whose memory has the vectors (after J. Ross and D. Richie, "Remote Procedure Calls
// for Improved Data Locality with the Epiphany Architecture"). Every PE has a part of two vectors. A remote procedure
// call runs on the PE to whose memory its first argument points.
//     dotprod_rpc [ELEMENTS OF A PE]
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>

static float dotprod(float *a, float *b, int n) {
    a = localize(a); // a global address of this PE's own memory becomes a local address; others stay unchanged
    b = localize(b);
    float sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}
RPC_ASYNC(dotprod, (float *a, float *b, int n), (a, b, n)) // dotprod_rpc, dotprod_async, dotprod_post

static double whole, mine; // symmetric

// Returns a[i] * b[i] on PE `pe`. Every product is a small integer, so a float holds the sum of a PE's products
// exactly.
static float product_of(int pe, int i) {
    return (float)((pe + i) % 3 * (i % 2 + 1));
}

int main(int argument_count, char **arguments) {
    int n = argument_count > 1 ? atoi(arguments[1]) : 100000;
    shmem_init();
    int me = shmem_my_pe(), pes = shmem_n_pes();
    float *a = shmem_malloc((size_t)(n > 0 ? n : 1) * sizeof *a),
          *b = shmem_malloc((size_t)(n > 0 ? n : 1) * sizeof *b);
    if (n < 1 || a == NULL || b == NULL) {
        fprintf(stderr, "dotprod_rpc: PE %d: %d elements are too few or too many\n", me, n);
        shmem_global_exit(1);
    }
    for (int i = 0; i < n; i++) a[i] = (float)((me + i) % 3), b[i] = (float)(i % 2 + 1);
    shmem_barrier_all();

    // Makes one call, to the next PE. Both addresses are global, so they are valid on every PE: if the next PE's queue
    // of calls is full, this PE runs the function itself.
    int next = (me + 1) % pes;
    float one = dotprod_rpc(shmemx_global(a, next), shmemx_global(b, next), n);
    float expected = 0;
    for (int i = 0; i < n; i++) expected += product_of(next, i);
    int right = one == expected;

    // PE 0 calls all PEs at once. The other PEs run the calls while they wait in the barrier.
    if (me == 0) {
        shmemx_rpc_event_t *calls = calloc((size_t)pes, sizeof *calls);
        float *parts = calloc((size_t)pes, sizeof *parts);
        for (int pe = 0; pe < pes; pe++) calls[pe] = dotprod_async(shmemx_global(a, pe), shmemx_global(b, pe), n);
        right = right && shmemx_rpc_wait_all(calls, (size_t)pes, parts) == 0;
        for (int pe = 0; pe < pes; pe++) whole += parts[pe];
        free(parts);
        free(calls);
    }
    shmem_barrier_all();

    // Computes the same sum by a reduction, to check the sum of the calls.
    mine = dotprod(a, b, n);
    double *by_reduction = shmem_malloc(sizeof *by_reduction);
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, by_reduction, &mine, 1);
    if (me == 0) right = right && whole == *by_reduction;

    shmemx_rpc_counters_t counters;
    shmemx_rpc_get_counters(&counters);
    if (me == 0)
        printf("dotprod_rpc: %d PEs, %d elements each: %.0f; PE 0 sent %lu calls and served %lu: %s\n", pes, n, whole,
               counters.sent, counters.served, right ? "right" : "WRONG");
    else if (!right) fprintf(stderr, "dotprod_rpc: PE %d: got %g, expected %g\n", me, (double)one, (double)expected);
    if (!right) shmem_global_exit(1);
    shmem_finalize();
    return 0;
}
