// SPDX-License-Identifier: BSD-3-Clause
// A program that uses SIGURG itself: it chooses the thread instead and keeps its handler; or it loses interruptions by a signal,
// but no call.
// threads: yes
// pes: 2 4
#include "rpc.h"

#include <signal.h>

static long flag, second_flag;
static volatile sig_atomic_t own_signals;

static void raise_flag(long *at) {
    __atomic_store_n(localize(at), 1, __ATOMIC_RELEASE);
}
RPC(raise_flag)

static void own_handler(int number) {
    (void)number;
    own_signals++;
}

int main(void) {
    test_begin();
    signal(SIGURG, own_handler);
    REQUIRE(shmemx_rpc_attention(SHMEMX_RPC_BY_THREAD) == 0, "no thread");
    shmem_barrier_all();
    if (me == 0) REQUIRE(compute_until(&flag, 30), "no call has come");
    if (me == 1) raise_flag_rpc(address_at(&flag, 0));
    shmem_barrier_all();
    REQUIRE(own_signals == 0, "the library has sent %d signals", (int)own_signals);
    raise(SIGURG);
    REQUIRE(own_signals == 1, "the program's handler has run %d times", (int)own_signals);

    shmemx_rpc_attention(SHMEMX_RPC_BY_SIGNAL); // takes the signal
    signal(SIGURG, own_handler);                // and loses it again
    shmem_barrier_all();
    if (me == 0) test_sleep_ms(20);
    if (me == 1) raise_flag_rpc(address_at(&second_flag, 0));
    shmem_barrier_all();
    REQUIRE(me != 0 || second_flag == 1, "a call was lost");
    return test_end();
}
