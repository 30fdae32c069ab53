// SPDX-License-Identifier: BSD-3-Clause
// A program of the oldest kind: start_pes, its number ignored and later calls without effect, and no finalize: the library
// ends by itself, after all PEs, with everything completed.
#include "test.h"

#include <unistd.h>

static long word;

// Runs after the library's own exit handler, which was registered later.
static void look_again(void) {
    if (word == 1000 + left_of(me)) return;
    fprintf(stderr, "PE %d: the implicit finalize lost a put\n", me);
    fflush(stderr);
    _exit(5);
}

int main(void) {
    atexit(look_again);
    start_pes(77);
    me = _my_pe();
    pes = _num_pes();
    REQUIRE(me == shmem_my_pe() && pes == shmem_n_pes() && me >= 0 && me < pes, "PE %d of %d", me, pes);
    start_pes(0);
    int initialized = 0;
    shmem_query_initialized(&initialized);
    REQUIRE(initialized, "start_pes did not initialise");
    shmem_barrier_all();
    if (me == 0) test_sleep_ms(30); // the others wait for it in the implicit finalize
    shmem_long_p(&word, 1000 + me, right_of(me));
    return 0;
}
