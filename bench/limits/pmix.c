// SPDX-License-Identifier: BSD-3-Clause
// Connects to the PMIx launcher, executes a fence of all processes and disconnects, without any other library. The
// measured time is the limit of the start and the end of a job that a PMIx launcher starts. Process 0 prints the times
// of its own calls. The time must include the launcher, so measure the whole command:
//     time mpirun -n 16 pmix        (srun --mpi=pmix -n 16 pmix)
#include "limits.h"

#include <pmix.h>

static void check(const char *what, pmix_status_t status) {
    if (status == PMIX_SUCCESS) return;
    fprintf(stderr, "%s: %s\n", what, PMIx_Error_string(status));
    exit(1);
}

int main(void) {
    pmix_proc_t self;
    const double begin = limit_now();
    check("PMIx_Init", PMIx_Init(&self, NULL, 0));
    const double connected = limit_now();
    check("PMIx_Fence", PMIx_Fence(NULL, 0, NULL, 0));
    const double met = limit_now();
    check("PMIx_Finalize", PMIx_Finalize(NULL, 0));
    const double end = limit_now();
    if (self.rank != 0) return 0;
    const struct {
        const char *name;
        double nanoseconds;
    } figures[] = {{"pmix_init", connected - begin}, {"pmix_fence", met - connected}, {"pmix_finalize", end - met}};
    for (int i = 0; i < 3; i++)
        printf("limit %s 0 %.4g ns %.4g %.4g 1\n", figures[i].name, figures[i].nanoseconds, figures[i].nanoseconds,
               figures[i].nanoseconds);
    return 0;
}
