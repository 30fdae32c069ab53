// SPDX-License-Identifier: BSD-3-Clause
// Runs the copy thread: a thread of this process that does transfers while the program's threads compute. It is started
// when the first transfer needs it, sleeps while there is none, and ends when the program leaves the model. The model is
// test/model/copy_thread.pml.
//
// Why no work is forgotten while the thread sleeps:
// * The caller of skerry_copy_thread_notify has made its work visible (it has released the lock of the list of work), and
//   then adds 1 to `notified`.
// * The thread loads `notified` before it looks for work, and sleeps only while `notified` has the loaded value.
// * If the addition comes after this load, the sleep ends at once. If it comes before, the load reads the new value. The
//   load is an acquire and the addition a release, so the thread then finds the work.
// * The same is true for `ends`, which is stored before an addition too.
// * Suppose that `notified` is increased exactly 2^32 times between the load and the sleep. So the length of a sleep is
//   limited.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

#define SLEEP_SECONDS 1       // longest sleep without a notification
#define POLLS_BEFORE_NAPS 100 // steps of a wait of the copy thread that only yield the processor
#define NAP_NANOSECONDS 50000 // length of each further step

static pthread_t thread;
static bool is_started, is_child; // is_child: this process was forked by a PE, and has no copy thread
static uint32_t start_lock;       // held by the thread that starts the copy thread
static uint32_t notified;         // number of notifications
static bool ends;
static bool (*do_work)(void);
static _Thread_local bool is_copy_thread;

bool skerry_in_copy_thread(void) {
    return is_copy_thread;
}

// Lets the thread run on any processor on which the launcher is allowed to run. The PE itself is bound to one processor,
// on which it computes meanwhile.
static void leave_own_processor(void) {
    cpu_set_t allowed;
    if (skerry_job.bound && sched_getaffinity(getppid(), sizeof allowed, &allowed) == 0)
        sched_setaffinity(0, sizeof allowed, &allowed);
}

// Does one step of the work. No handler of an interrupt runs in this thread, because handlers can be functions of the
// program. If this thread was to run one, it interrupts the PE afterwards, so that another thread runs it.
static bool work_once(void) {
    skerry_defer_handlers();
    const bool has_worked = do_work();
    skerry_leave_deferred_handlers();
    return has_worked;
}

static void *work(void *unused) {
    static const struct timespec limit = {.tv_sec = SLEEP_SECONDS};
    (void)unused;
    is_copy_thread = true;
    prctl(PR_SET_NAME, "skerry-copies");
    sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0}); // does not preempt the thread that wakes it
    leave_own_processor();
    for (;;) {
        const uint32_t seen = __atomic_load_n(&notified, __ATOMIC_ACQUIRE);
        while (work_once()) continue;
        if (__atomic_load_n(&ends, __ATOMIC_RELAXED)) return NULL;
        syscall(SYS_futex, &notified, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, seen, &limit, NULL, 0);
    }
}

static bool start(void) {
    sigset_t all, before;
    sigfillset(&all); // signals are for the program's threads
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(&thread, NULL, work, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started) skerry_note_own_threads(1);
    return started;
}

static void notify(void) {
    __atomic_fetch_add(&notified, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &notified, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 0);
}

bool skerry_copy_thread_notify(bool (*function)(void)) {
    if (!__atomic_load_n(&is_started, __ATOMIC_ACQUIRE)) {
        if (is_child) return false;
        // A handler of this thread could take the lock too, so none may run.
        skerry_defer_handlers();
        while (__atomic_exchange_n(&start_lock, 1, __ATOMIC_ACQUIRE)) sched_yield();
        if (!is_started) {
            do_work = function;
            __atomic_store_n(&is_started, start(), __ATOMIC_RELEASE);
        }
        __atomic_store_n(&start_lock, 0, __ATOMIC_RELEASE);
        skerry_run_deferred_handlers();
        if (!__atomic_load_n(&is_started, __ATOMIC_ACQUIRE)) return false;
    }
    notify();
    return true;
}

void skerry_copy_thread_end(void) {
    if (!is_started || is_copy_thread) return;
    __atomic_store_n(&ends, true, __ATOMIC_RELAXED);
    notify();
    skerry_note_own_threads(-1); // before it has ended: a thread of the program must never pass for it
    pthread_join(thread, NULL);
    ends = is_started = false;
}

void skerry_copy_thread_pause(uint32_t step) {
    if (skerry_has_far_pes()) skerry_far_progress();
    skerry_leave_deferred_handlers(); // the handlers must not wait for the end of this thread's wait
    if (step < POLLS_BEFORE_NAPS) sched_yield();
    else nanosleep(&(struct timespec){.tv_nsec = NAP_NANOSECONDS}, NULL);
    skerry_defer_handlers();
}

// Called in a child process that a PE has forked. The child has no copy thread, and ends none.
void skerry_forget_copy_thread(void) {
    is_started = false;
    is_child = true;
}
