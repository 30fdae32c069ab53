// SPDX-License-Identifier: BSD-3-Clause
// Heat in a rod whose ends are kept cold: a one-dimensional stencil. Every PE has a piece of the rod with one more cell
// at each end. Its neighbours put their outermost temperatures into these cells after every step, together with a
// signal. There is no barrier. The rod begins as half a sine wave, which keeps its shape and shrinks by the same factor
// in every step.
#include <math.h>
#include <shmem.h>
#include <stdio.h>

enum { cells = 32, steps = 2000 };

static double rod[2][cells + 2];       // symmetric: the cells before and after a step, used alternately
static uint64_t from_left, from_right; // symmetric: the last step whose temperature has arrived from that side
static double my_error, error;         // symmetric

static void send_ends(double *piece, uint64_t step, int me, int pes) {
    if (me > 0) shmem_double_put_signal(&piece[cells + 1], &piece[1], 1, &from_right, step, SHMEM_SIGNAL_SET, me - 1);
    if (me < pes - 1) shmem_double_put_signal(&piece[0], &piece[cells], 1, &from_left, step, SHMEM_SIGNAL_SET, me + 1);
}

static void wait_for_ends(uint64_t step, int me, int pes) {
    if (me > 0) shmem_signal_wait_until(&from_left, SHMEM_CMP_GE, step);
    if (me < pes - 1) shmem_signal_wait_until(&from_right, SHMEM_CMP_GE, step);
}

int main(void) {
    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    const double pi = acos(-1.0), angle = pi / (pes * cells + 1), rate = 0.25;
    for (int i = 0; i <= cells + 1; i++) rod[0][i] = sin(angle * (me * cells + i));
    for (uint64_t step = 1; step <= steps; step++) {
        const double *before = rod[(step - 1) % 2];
        double *after = rod[step % 2];
        for (int i = 1; i <= cells; i++) after[i] = before[i] + rate * (before[i - 1] - 2 * before[i] + before[i + 1]);
        send_ends(after, step, me, pes);
        wait_for_ends(step, me, pes);
    }
    const double factor = pow(1 - 2 * rate * (1 - cos(angle)), steps);
    for (int i = 1; i <= cells; i++)
        my_error = fmax(my_error, fabs(rod[steps % 2][i] - factor * sin(angle * (me * cells + i))));
    shmem_double_max_reduce(SHMEM_TEAM_WORLD, &error, &my_error, 1);
    const int right = error < 1e-12;
    if (me == 0)
        printf("rod: %d cells on %d PEs, %d steps: %.2e of the heat is left in the middle; largest error %.1e, %s\n",
               pes * cells, pes, steps, factor, error, right ? "right" : "WRONG");
    shmem_finalize();
    return right ? 0 : 1;
}
