// SPDX-License-Identifier: BSD-3-Clause
// Global addresses (shmemx_global) are right in every routine that takes a symmetric address, also in a PE that has only received
// them, and in a function that runs for another PE. Checking must let them pass.
// pes: 1 2 4
// ways: 4:2:tcp 6:3:tcp
// check: yes
// skip: sarc mppa epiphany
#include <shmem.h>
#include <shmemx.h>

#define COUNT 8

static int me, pes;
static long words[COUNT], counts[2], sums[COUNT], lock;
static uint64_t signal;
static long *received, *names;

static void require(int holds) {
    if (!holds) shmem_global_exit(1);
}

static int right(void) {
    return (me + 1) % pes;
}

// PE 0 alone calls shmemx_global.
static void receive(void) {
    static uint64_t has_come;
    if (me == 0) {
        for (int pe = 0; pe < pes; pe++) {
            long *name = shmemx_global(&words[0], pe);
            shmem_putmem_signal(&received, &name, sizeof name, &has_come, 1, SHMEM_SIGNAL_SET, pe);
        }
    }
    shmem_signal_wait_until(&has_come, SHMEM_CMP_EQ, 1);
    require(shmem_long_g(received, me) == 10 * me);
    shmem_barrier_all();
}

static void transfer(long *there, int pe) {
    const long values[COUNT] = {1, 2, 3, 4, 5, 6, 7, 8};
    long copies[COUNT] = {0};
    shmem_long_put(there, values, COUNT, pe);
    shmem_quiet();
    shmem_long_get(copies, there, COUNT, pe);
    for (int i = 0; i < COUNT; i++) require(copies[i] == i + 1);
    shmem_long_iput(there, values, 2, 1, COUNT / 2, pe);
    shmem_quiet();
    shmem_long_iget(copies, there, 1, 2, COUNT / 2, pe);
    for (int i = 0; i < COUNT / 2; i++) require(copies[i] == i + 1);
    shmem_long_put_nbi(there, values, COUNT, pe);
    shmem_quiet();
    shmem_long_p(there, 20, pe);
    require(shmem_long_atomic_fetch_add(there + 1, 5, pe) == 2);
    require(shmem_long_atomic_compare_swap(there + 1, 7, 9, pe) == 7);
    shmem_long_atomic_set(there + 2, 30, pe);
    shmem_quiet();
    require(shmem_long_g(there, pe) == 20 && shmem_long_g(there + 1, pe) == 9 &&
            shmem_long_atomic_fetch(there + 2, pe) == 30);
}

static long relay(long *here, long *there, long by) {
    (void)here;
    shmem_long_atomic_add(there, by, shmemx_owner(there));
    shmem_quiet();
    return shmem_my_pe();
}
RPC(relay)

int main(void) {
    shmem_init();
    me = shmem_my_pe();
    pes = shmem_n_pes();
    words[0] = 10 * me;
    names = shmem_calloc(COUNT, sizeof *names);
    shmem_barrier_all();
    receive();
    for (int pe = 0; pe < pes; pe++) {
        const long *name = shmemx_global(&words[0], pe);
        require(shmem_long_g(name, shmemx_owner(name)) == 10 * pe);
    }
    shmem_barrier_all();
    transfer(shmemx_global(words, right()), right());
    transfer(shmemx_global(names, right()), right());
    const long one = 1;
    shmem_long_put_signal(shmemx_global(names, right()), &one, 1, shmemx_global(&signal, right()), 5, SHMEM_SIGNAL_SET,
                          right());
    require(shmem_signal_wait_until(shmemx_global(&signal, me), SHMEM_CMP_EQ, 5) == 5);
    require(shmem_signal_fetch(shmemx_global(&signal, me)) == 5);
    for (int i = 0; i < 5; i++)
        relay_rpc(shmemx_global(&counts[0], right()), shmemx_global(&counts[1], (me + 2) % pes), 3);
    shmem_barrier_all();
    require(counts[1] == 15);
    const long *own = shmemx_global(counts, me);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, shmemx_global(sums, me), own, 2);
    require(sums[1] == 15L * pes);
    shmem_set_lock(shmemx_global(&lock, me));
    shmem_clear_lock(shmemx_global(&lock, me));
    shmem_barrier_all();
    shmem_free(names);
    shmem_finalize();
    return 0;
}
