// SPDX-License-Identifier: BSD-3-Clause
// The helper thread. It moves the worker while the PE computes or sleeps, so that messages for all PEs of this node land.
//
// While the PE itself moves the worker, in waits and operations, the helper thread must not take processor time: on a
// machine where all processors have a PE it would preempt one at each message. The PE does not tell when it returns to
// the program, because a system call at the end of each wait would cost more than the wait. So the helper naps while
// `moves` has changed since its last nap, each time for longer up to NAP_MOST. If `moves` is unchanged, it lands what
// has arrived, arms the worker and sleeps until the next message.
//
// A thread of the PE that sleeps in a wait says so (network_sleep), because its wake-up can depend on a message:
//     sleeper: S1 add 1 to sleepers    S2 load napping; if set: end the nap
//     helper:  H1 store napping = 1    H2 load sleepers; if not 0: do not nap
// All four are sequentially consistent, so the sleeper sees `napping` or the helper sees `sleepers`, and no nap begins
// that nobody ends.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

#define NAP_LEAST 200000 // nanoseconds
#define NAP_MOST 1000000
#define POLL_MILLISECONDS 10 // then what the PE has gathered is sent, even if the PE never calls the library
#define MOVES_AT_ONCE 16     // moves of the worker for which the helper holds the lock

static volatile bool helper_ends = true; // true: the helper thread must end, or does not run
static pthread_t helper;
static uint32_t sleepers; // number of this PE's threads that sleep
static uint32_t napping;  // 1: the helper thread naps at `naps`
static uint32_t naps;     // changes when the nap must end

static void end_nap(void) {
    __atomic_fetch_add(&naps, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &naps, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 0);
}

void network_sleep(bool begins) {
    if (begins) {
        __atomic_fetch_add(&sleepers, 1, __ATOMIC_SEQ_CST);
        if (__atomic_load_n(&napping, __ATOMIC_SEQ_CST)) end_nap();
    } else {
        __atomic_fetch_sub(&sleepers, 1, __ATOMIC_SEQ_CST);
    }
}

static void nap(long nanoseconds) {
    const uint32_t seen = __atomic_load_n(&naps, __ATOMIC_SEQ_CST);
    const struct timespec limit = {.tv_nsec = nanoseconds};
    __atomic_store_n(&napping, 1, __ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&sleepers, __ATOMIC_SEQ_CST) && !helper_ends)
        syscall(SYS_futex, &naps, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, seen, &limit, NULL, 0);
    __atomic_store_n(&napping, 0, __ATOMIC_SEQ_CST);
}

// Lands what has arrived. Returns true if nothing is left and the worker's descriptor becomes readable with the next
// message.
static bool land_and_arm(void) {
    for (int i = 0; i < MOVES_AT_ONCE; i++)
        if (!move_worker()) {
            ucs_status_t status = ucp_worker_arm(network.worker);
            if (status != UCS_OK && status != UCS_ERR_BUSY) fail("ucp_worker_arm", status);
            return status == UCS_OK;
        }
    return false;
}

static void *help(void *unused) {
    (void)unused;
    int descriptor = -1;
    check_status("ucp_worker_get_efd", ucp_worker_get_efd(network.worker, &descriptor));
    uint64_t moves_seen = 0;
    long nap_length = NAP_LEAST;
    while (!helper_ends) {
        bool is_armed = false, stays_away = true;
        if (pthread_mutex_trylock(&network.lock) == 0) {
            stays_away = network.moves != moves_seen && !__atomic_load_n(&sleepers, __ATOMIC_SEQ_CST);
            moves_seen = network.moves;
            if (!stays_away) {
                send_batches();
                is_armed = land_and_arm();
                moves_seen = network.moves; // sending can count moves
            }
            pthread_mutex_unlock(&network.lock);
        }
        if (stays_away) {
            nap(nap_length);
            nap_length = nap_length < NAP_MOST / 2 ? 2 * nap_length : NAP_MOST;
        } else {
            nap_length = NAP_LEAST;
            if (is_armed) poll(&(struct pollfd){.fd = descriptor, .events = POLLIN}, 1, POLL_MILLISECONDS);
        }
    }
    return NULL;
}

void start_helper(void) {
    if (!helper_ends) return;
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
