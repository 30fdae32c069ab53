// SPDX-License-Identifier: BSD-3-Clause
// Runs the helper thread. While the PE computes or sleeps, the helper thread progresses UCX's worker (calls
// ucp_worker_progress). So messages for all PEs of this node are executed.
//
// While the PE itself progresses the worker, in waits and operations, the helper thread must not use processor time:
// * On a machine where every processor runs a PE, the helper would preempt a PE at each message.
// * A PE does not say when it returns to its program. A system call at the end of each wait would cost more than the
//   wait. Instead the PE counts in `moves` how often it has progressed the worker.
// * If `moves` has changed since the helper's last nap (a sleep of limited length), the helper takes another nap. Each
//   nap is longer, up to NAP_MOST.
// * If a thread of the PE sleeps at the worker's descriptor (network.is_waiting, wait.c), that thread executes the
//   messages. The helper naps, also if other threads of the PE sleep.
// * If `moves` has not changed, the helper executes the messages that have arrived. Then it arms the worker (asks UCX
//   to report the next message at a descriptor), and sleeps until the next message.
// * If a thread of the PE sleeps, the helper polls for some time after a message. The PE's processor is then free, and
//   the next message often follows soon.
//
// Which PEs have a helper thread:
// * A port (a PE that receives the messages for its node) has one from shmem_init on. Messages for all PEs of its node
//   arrive while it computes.
// * Any other PE has one from its first far operation on. Such a PE receives no messages for other PEs. But it collects
//   small operations before it sends them, and a send can wait for a connection or for space in a socket. The
//   specification requires that these operations proceed although the PE only computes. Without a helper thread, a put
//   without a quiet would stay in this process until the PE's next call.
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
// After this time the helper sends the operations that the PE has collected, even if the PE never calls the library.
#define POLL_MILLISECONDS 10
#define MOVES_AT_ONCE 16       // number of calls of ucp_worker_progress for which the helper holds the lock
#define SPIN_NANOSECONDS 50000 // how long the helper polls after a message, if the PE sleeps

// If the helper naps: can a thread of the PE end the nap because it sleeps itself?
enum nap { NAP_NONE, NAP_ENDS_AT_SLEEP, NAP_LASTS };

static bool helper_ends = true; // true: the helper thread must end, or does not run
static pthread_t helper;
static uint32_t sleepers; // number of this PE's threads that sleep
static uint32_t napping;  // enum nap; the helper thread naps at `naps`
static uint32_t naps;     // the helper naps in a futex at this word; a change of the word ends the nap

// Relaxed order is enough: the word tells the helper only to return, and pthread_join orders everything else.
static bool must_end(void) {
    return __atomic_load_n(&helper_ends, __ATOMIC_RELAXED);
}

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
    if (__atomic_load_n(&napping, __ATOMIC_SEQ_CST) == NAP_ENDS_AT_SLEEP) end_nap();
    const struct skerry_node *here = &skerry_nodes(network.host->wire_up)[network.host->node];
    return skerry_node_sleep_most(here);
}

// Sleeps for at most this time. A thread of the PE calls network_sleep before it sleeps in a wait. During that sleep
// the helper must execute messages, because possibly only a message can wake the thread:
//     sleeper (network_sleep): S1 add 1 to sleepers            S2 load napping; if NAP_ENDS_AT_SLEEP: end the nap
//     helper (nap):            H1 napping = NAP_ENDS_AT_SLEEP  H2 load sleepers; if it is not 0: do not nap
// All four accesses are sequentially consistent. So the sleeper sees `napping`, or the helper sees `sleepers`. So the
// helper never begins such a nap that no thread ends.
//
// NAP_LASTS: another thread of the PE executes messages while it waits for a reply. So the helper naps although threads
// sleep, and a thread that begins to sleep does not end the nap. If the other thread gets its reply and then computes,
// the nap delays the next message by at most NAP_MOST. (If the helper did not nap, it would poll network.is_waiting
// during the whole wait. In a job with four threads in each of 16 PEs on four nodes, which shared two processors, helper
// threads used half of the processor time in this way.)
static void nap(enum nap kind, long nanoseconds) {
    const uint32_t seen = __atomic_load_n(&naps, __ATOMIC_SEQ_CST);
    const struct timespec limit = {.tv_nsec = nanoseconds};
    __atomic_store_n(&napping, kind, __ATOMIC_SEQ_CST);
    const bool may_nap = kind == NAP_LASTS || !__atomic_load_n(&sleepers, __ATOMIC_SEQ_CST);
    if (may_nap && !must_end()) syscall(SYS_futex, &naps, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, seen, &limit, NULL, 0);
    else if (network.host->oversubscribed) sched_yield(); // possibly to the thread that has the lock
    __atomic_store_n(&napping, NAP_NONE, __ATOMIC_SEQ_CST);
}

enum landed { LANDED_SOME, LANDED_NONE, ARMED };

// Executes messages that have arrived. If no message is left and `may_arm` is true, arms the worker: the next message
// then makes the worker's descriptor readable. The caller has the lock (network.lock).
static enum landed land(bool may_arm) {
    for (int i = 0; i < MOVES_AT_ONCE; i++)
        if (!progress_worker()) {
            if (i > 0) return LANDED_SOME;
            if (!may_arm) return LANDED_NONE;
            return arm_worker() ? ARMED : LANDED_NONE;
        }
    return LANDED_SOME;
}

// Progresses the worker (calls ucp_worker_progress), and sends the operations that the PE has collected, until the PE
// progresses the worker itself. Returns true if this function progressed the worker at least once. `moves_seen` is the
// value of network.moves at the helper's last check. Stores in *next which nap must follow.
static bool stand_in(uint64_t *moves_seen, enum nap *next) {
    uint64_t spins_until = 0;
    bool has_stood_in = false;
    *next = NAP_ENDS_AT_SLEEP;
    while (!must_end() && pthread_mutex_trylock(&network.lock) == 0) {
        const bool pe_sleeps = __atomic_load_n(&sleepers, __ATOMIC_SEQ_CST) != 0;
        const bool pe_moves = network.is_waiting || (network.moves != *moves_seen && !pe_sleeps);
        enum landed landed = LANDED_NONE;
        if (!pe_moves) {
            send_batches();
            begin_flushes(); // so that the launcher learns that the puts have landed (count.c)
            landed = land(!pe_sleeps || nanoseconds() >= spins_until);
        }
        *moves_seen = network.moves; // because send_batches can also change network.moves
        *next = network.is_waiting ? NAP_LASTS : NAP_ENDS_AT_SLEEP;
        pthread_mutex_unlock(&network.lock);
        if (pe_moves) break;
        has_stood_in = true;
        if (landed == LANDED_SOME) spins_until = nanoseconds() + SPIN_NANOSECONDS;
        else if (landed == ARMED) sleep_at_descriptor(POLL_MILLISECONDS);
        else if (network.host->oversubscribed) sched_yield();
    }
    return has_stood_in;
}

// The launcher binds a PE and its threads to one processor. The helper removes this binding for itself. The helper
// should run on the processor that handles the network's interrupts, or on an idle processor. If another thread
// computes on the helper's processor, a wake-up of the helper takes 25 us instead of 7 us. (Measured as the time of a
// byte to a thread that sleeps in poll(), and back, on an AMD EPYC in a virtual machine.)
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
    while (!must_end()) {
        enum nap next;
        if (stand_in(&moves_seen, &next)) nap_length = NAP_LEAST;
        else nap_length = nap_length < NAP_MOST / 2 ? 2 * nap_length : NAP_MOST;
        nap(next, nap_length);
        watch_connection();
    }
    return NULL;
}

void start_helper(void) {
    if (!must_end() || !network.worker) return;
    __atomic_store_n(&helper_ends, false, __ATOMIC_RELAXED);
    sigset_t all, before;
    sigfillset(&all); // the program's own threads must handle all signals
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&helper, NULL, help, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error) network.host->fail("network (UCX): cannot start the thread that handles messages");
}

// Ends the helper thread. Must be called before UCX's destructors run at the end of the process, because the helper
// must not use UCX after them.
void stop_helper(void) {
    if (must_end() || pthread_equal(pthread_self(), helper)) return;
    __atomic_store_n(&helper_ends, true, __ATOMIC_RELAXED);
    end_nap();
    ucp_worker_signal(network.worker); // ends the helper's sleep
    pthread_join(helper, NULL);
}
