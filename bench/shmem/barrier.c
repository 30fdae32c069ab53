// SPDX-License-Identifier: BSD-3-Clause
// Measures barriers of all PEs, one directly after the other.
#include "measure.h"

static void loop_barrier_all(const struct measurement *m, long count) {
    (void)m;
    for (long i = 0; i < count; ++i) shmem_barrier_all();
}

static void loop_sync_all(const struct measurement *m, long count) {
    (void)m;
    for (long i = 0; i < count; ++i) shmem_sync_all();
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    if (measure_wanted("barrier_all"))
        measure((struct measurement){.name = "barrier_all", .who = who_all, .loop = loop_barrier_all});
    if (measure_wanted("sync_all"))
        measure((struct measurement){.name = "sync_all", .who = who_all, .loop = loop_sync_all});
    measure_end();
    return 0;
}
