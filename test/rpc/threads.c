// SPDX-License-Identifier: BSD-3-Clause
// Threads of a PE call at the same time, each with its own class and policy, while others of them compute or wait; every
// call runs once and every thread gets its own results.
// threads: yes
// The thread sanitizer does not see that a slot was read by another process before it is written again.
// skip: tsan
#include "../shmem/threads.h"
#include "rpc.h"

static long count;
static int rounds;

static long add(long *at, long number, long thread) {
    __atomic_fetch_add(localize(at), 1, __ATOMIC_RELAXED);
    return number * 10 + thread;
}
RPC_ASYNC(add, (long *at, long number, long thread), (at, number, thread))

static void call(int thread) {
    shmemx_rpc_class(thread % 2 ? SHMEMX_RPC_URGENT : SHMEMX_RPC_NORMAL);
    shmemx_rpc_when_full(thread / 2 ? SHMEMX_RPC_WAIT : SHMEMX_RPC_RUN);
    for (long i = 0; i < rounds; i++) {
        long *at = address_at(&count, (int)((me + i + thread) % pes));
        REQUIRE(add_rpc(at, i, thread) == i * 10 + thread, "thread %d", thread);
        long result = -1;
        shmemx_rpc_event_t event = add_async(at, i, thread);
        REQUIRE(shmemx_rpc_wait(&event, &result) >= 0 && result == i * 10 + thread, "thread %d: event", thread);
    }
}

int main(void) {
    test_begin_threads();
    rounds = test_rounds(1500);
    for (int how = SHMEMX_RPC_BY_SIGNAL; how <= SHMEMX_RPC_BY_THREAD; how++) {
        REQUIRE(shmemx_rpc_attention(how) == 0, "attention %d", how);
        test_run_threads(call);
        shmem_barrier_all();
    }
    REQUIRE(shmemx_rpc_class(SHMEMX_RPC_NORMAL) == SHMEMX_RPC_NORMAL, "the class is this thread's");
    long calls = 0;
    for (int pe = 0; pe < pes; pe++) calls += shmem_long_atomic_fetch(&count, pe);
    REQUIRE(calls == 4L * THREADS * rounds * pes, "%ld calls, not %ld", calls, 4L * THREADS * rounds * pes);
    return test_end();
}
