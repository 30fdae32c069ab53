// SPDX-License-Identifier: BSD-3-Clause
// Makes a thread wait for a message. The thread calls ucp_worker_progress for some steps. Then it sleeps until the
// worker's descriptor is readable. (The worker is the object by which UCX sends and receives.)
//
// Why a thread must not poll and yield for ever: if there are more PEs than processors, such a thread takes processor
// time from the PEs for which it waits. In jobs that ssh had started on Linux 6.18, such threads took the processors
// for 6 to 60 s at a time (docs/design/clusters.md, "Who moves the messages"). Then oshrun and skerry-node got no
// processor either (test/hosts/many_pes.sh).
#define _GNU_SOURCE
#include <poll.h>
#include <sched.h>
#include <time.h>

#include "internal.h"

#define STEPS_MOST 4000 // number of steps without a message before a thread sleeps; they take 1 to 2 ms
#define YIELDS_MOST 32  // the same number if there are more PEs than processors
#define SLEEP_MILLISECONDS 10
#define NAP_NANOSECONDS 100000
#define SLEEPS_IN_VAIN_MOST 4

// Number of steps of this thread since the last message arrived. The beginning of a wait does not set this number to 0.
// The last wait usually ended when a message arrived, so the number usually is 0 already.
static _Thread_local unsigned idle_steps;

void wake_other_waiter(void) {
    if (network.is_waiting) ucp_worker_signal(network.worker);
}

bool arm_worker(void) {
    const ucs_status_t status = ucp_worker_arm(network.worker);
    if (status != UCS_OK && status != UCS_ERR_BUSY) fail("ucp_worker_arm", status);
    return status == UCS_OK;
}

// While a connection over TCP is being made, UCX 1.13 waits until it can write to the socket, which is always so. Then
// the descriptor is readable, although there is nothing to do until the other side has answered. If many PEs start at
// the same time, threads that polled for this answer would keep the other side from answering. So after some sleeps that
// have ended at once, a thread sleeps for NAP_NANOSECONDS.
void sleep_at_descriptor(int milliseconds) {
    static _Thread_local unsigned sleeps_in_vain;
    static _Thread_local uint64_t seen;
    const uint64_t work = __atomic_load_n(&network.work, __ATOMIC_RELAXED);
    if (seen != work) sleeps_in_vain = 0;
    seen = work;
    if (sleeps_in_vain >= SLEEPS_IN_VAIN_MOST) nanosleep(&(struct timespec){.tv_nsec = NAP_NANOSECONDS}, NULL);
    else if (poll(&(struct pollfd){.fd = network.descriptor, .events = POLLIN}, 1, milliseconds) > 0) sleeps_in_vain++;
    else sleeps_in_vain = 0;
}

// Sleeps until a message arrives. The caller has the lock, which is released during the sleep.
// * ucp_worker_arm consumes the events for all threads. So at most one thread of the PE sleeps at the descriptor. This
//   thread has set network.is_waiting, under the lock. Other threads that wait sleep for NAP_NANOSECONDS at a time.
// * The helper thread does not progress the worker during this sleep.
// * A message wakes the sleeping thread. The thread arms the worker before it releases the lock, and arming fails if a
//   message has arrived before.
// * Another thread of the program can progress the worker during the sleep, and handle the reply for which the sleeping
//   thread waits. That other thread then makes the descriptor readable (wake_other_waiter).
// * The length of a sleep is limited nevertheless, because UCX has timers of its own.
// * The launcher must not mistake this sleep for a wait for another PE (count.c). So the thread sleeps in poll() and
//   not in a futex.
static void sleep_until_message(void) {
    if (network.is_waiting) {
        pthread_mutex_unlock(&network.lock);
        nanosleep(&(struct timespec){.tv_nsec = NAP_NANOSECONDS}, NULL);
        pthread_mutex_lock(&network.lock);
        return;
    }
    if (!arm_worker()) return;
    network.is_waiting = true;
    pthread_mutex_unlock(&network.lock);
    sleep_at_descriptor(SLEEP_MILLISECONDS);
    pthread_mutex_lock(&network.lock);
    network.is_waiting = false;
}

void step(void) {
    network.moves++;
    idle_steps = progress_worker() ? 0 : idle_steps + 1;
    if (idle_steps > (network.host->oversubscribed ? YIELDS_MOST : STEPS_MOST)) {
        sleep_until_message();
        return;
    }
    pthread_mutex_unlock(&network.lock);
    if (idle_steps && network.host->oversubscribed) sched_yield();
    pthread_mutex_lock(&network.lock);
}
