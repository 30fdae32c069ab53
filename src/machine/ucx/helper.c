// SPDX-License-Identifier: BSD-3-Clause
// The helper thread. It moves the worker while the PE computes or sleeps, so that messages for all PEs of this node land.
//
// While the PE itself moves the worker, in waits and operations, the helper thread must not take processor time: on a
// machine where all processors have a PE it would preempt one at each message. The PE does not tell when it returns to
// the program, because a system call at the end of each wait would cost more than the wait. So the helper naps while
// `moves` has changed since its last nap, each time for longer up to NAP_MOST. If `moves` is unchanged, it lands what
// has arrived, arms the worker and sleeps until the next message. If a thread of the PE sleeps, the helper polls for some
// time after a message: the PE's processor is free, and the next message often follows soon.
//
// The launcher binds a PE to a processor, and the PE's threads with it. The helper undoes this for itself, because its
// place is the processor that gets the network's interrupts, or an idle one: to wake a thread on another processor that
// computes took 25 us in place of 7 (a byte to a thread in poll and back, AMD EPYC, virtual machine).
//
// A port has a helper thread from shmem_init on, because messages for all PEs of its node arrive there while it computes.
// Another PE has one from its first far operation on. It gets no messages for others, but it gathers small operations
// and has sends that wait for a connection or for room in a socket. The specification expects these to proceed although
// the PE only computes. Without a helper thread, a put without a quiet would stay here until the PE's next call.
//
// A thread of the PE that sleeps in a wait says so (network_sleep), because its wake-up can depend on a message:
//     sleeper: S1 add 1 to sleepers    S2 load napping; if set: end the nap
//     helper:  H1 store napping = 1    H2 load sleepers; if not 0: do not nap
// All four are sequentially consistent, so the sleeper sees `napping` or the helper sees `sleepers`, and no nap begins
// that nobody ends.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

#define NAP_LEAST 200000 // nanoseconds
#define NAP_MOST 1000000
#define POLL_MILLISECONDS 10   // then what the PE has gathered is sent, even if the PE never calls the library
#define MOVES_AT_ONCE 16       // moves of the worker for which the helper holds the lock
#define SPIN_NANOSECONDS 50000 // time of polling after a message, if the PE sleeps

static volatile bool helper_ends = true; // true: the helper thread must end, or does not run
static pthread_t helper;
static uint32_t sleepers; // number of this PE's threads that sleep
static uint32_t napping;  // 1: the helper thread naps at `naps`
static uint32_t naps;     // changes when the nap must end

static void end_nap(void) {
    __atomic_fetch_add(&naps, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &naps, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 0);
}

uint64_t network_sleep(bool begins) {
    if (!begins) {
        __atomic_fetch_sub(&sleepers, 1, __ATOMIC_SEQ_CST);
        return 0;
    }
    __atomic_fetch_add(&sleepers, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&napping, __ATOMIC_SEQ_CST)) end_nap();
    const struct skerry_node *here = &skerry_nodes(network.host->wire_up)[network.host->node];
    return __atomic_load_n(&here->written_remotely, __ATOMIC_RELAXED) ? SLEEP_MOST : UINT64_MAX;
}

static void nap(long nanoseconds) {
    const uint32_t seen = __atomic_load_n(&naps, __ATOMIC_SEQ_CST);
    const struct timespec limit = {.tv_nsec = nanoseconds};
    __atomic_store_n(&napping, 1, __ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&sleepers, __ATOMIC_SEQ_CST) && !helper_ends)
        syscall(SYS_futex, &naps, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, seen, &limit, NULL, 0);
    __atomic_store_n(&napping, 0, __ATOMIC_SEQ_CST);
}

enum landed { LANDED_SOME, LANDED_NONE, ARMED };

// Lands what has arrived. If nothing is left, and `may_arm` is true, makes the worker's descriptor readable with the next
// message. The caller has the lock.
static enum landed land(bool may_arm) {
    for (int i = 0; i < MOVES_AT_ONCE; i++)
        if (!move_worker()) {
            if (i > 0) return LANDED_SOME;
            if (!may_arm) return LANDED_NONE;
            return arm_worker() ? ARMED : LANDED_NONE;
        }
    return LANDED_SOME;
}

// Lands messages, and sends what the PE has gathered, as long as the PE does not move the worker. Returns true if it
// did so at least once. `moves_seen`: value of `moves` when the helper looked last.
static bool stand_in(uint64_t *moves_seen) {
    uint64_t spins_until = 0;
    bool has_stood_in = false;
    while (!helper_ends && pthread_mutex_trylock(&network.lock) == 0) {
        const bool pe_sleeps = __atomic_load_n(&sleepers, __ATOMIC_SEQ_CST) != 0;
        const bool pe_moves = network.is_waiting || (network.moves != *moves_seen && !pe_sleeps);
        enum landed landed = LANDED_NONE;
        if (!pe_moves) {
            send_batches();
            begin_flushes(); // so that the launcher learns that the puts have landed (count.c)
            landed = land(!pe_sleeps || nanoseconds() >= spins_until);
        }
        *moves_seen = network.moves; // sending can count moves
        pthread_mutex_unlock(&network.lock);
        if (pe_moves) break;
        has_stood_in = true;
        if (landed == LANDED_SOME) spins_until = nanoseconds() + SPIN_NANOSECONDS;
        else if (landed == ARMED)
            poll(&(struct pollfd){.fd = network.descriptor, .events = POLLIN}, 1, POLL_MILLISECONDS);
        else if (network.host->oversubscribed) sched_yield();
    }
    return has_stood_in;
}

static void leave_own_processor(void) {
    cpu_set_t allowed;
    if (network.host->bound && sched_getaffinity(getppid(), sizeof allowed, &allowed) == 0)
        sched_setaffinity(0, sizeof allowed, &allowed);
}

static void *help(void *unused) {
    (void)unused;
    prctl(PR_SET_NAME, SKERRY_NETWORK_THREAD);
    leave_own_processor();
    uint64_t moves_seen = 0;
    long nap_length = NAP_LEAST;
    while (!helper_ends) {
        if (stand_in(&moves_seen)) nap_length = NAP_LEAST;
        else nap_length = nap_length < NAP_MOST / 2 ? 2 * nap_length : NAP_MOST;
        nap(nap_length);
    }
    return NULL;
}

void start_helper(void) {
    if (!helper_ends || !network.worker) return;
    helper_ends = false;
    sigset_t all, before;
    sigfillset(&all); // signals are for the program's threads
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&helper, NULL, help, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error) network.host->fail("network (UCX): no thread for messages");
}

// Ends the helper thread. It must not use UCX when UCX's destructors run, at the end of the process.
void stop_helper(void) {
    if (helper_ends || pthread_equal(pthread_self(), helper)) return;
    helper_ends = true;
    end_nap();
    ucp_worker_signal(network.worker); // ends the helper's sleep
    pthread_join(helper, NULL);
}
