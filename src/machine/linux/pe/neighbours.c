// SPDX-License-Identifier: BSD-3-Clause
// Ends the job if one of its PEs fails, in a job that a process manager, such as srun, has started (managed.c). In
// other jobs oshrun notices how each PE ends. But srun does not end the job if a PE is killed. So the PEs of a node
// watch each other:
// * The PEs form a ring: each PE has a socket to the previous PE and a socket to the next PE of the node. So each PE
//   needs only two descriptors.
// * The kernel closes a socket when the process at its other end ends. A thread of this file waits for that.
// * The control block of the ended PE (its state in shared memory) tells the neighbours whether that PE has failed. A PE that
//   ends the job because of another PE or node stores that it has failed, too. So its neighbours end, and their neighbours,
//   although the process manager possibly does not reach this node: that of mpirun ends no process of a node that is cut off.
//
// If another thread of this process fails, the thread of this file asks the process manager to end the job. The failed
// thread must not do this itself, because it can be in a signal handler, or hold a lock of the C library.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "managed_internal.h"
#include "node_ring.h"

#define THREAD_STACK_BYTES ((size_t)128 << 10)
#define END_MILLISECONDS 1000    // limit of the time between the end of a process's socket and the end of the process
#define ABORT_SECONDS 2          // limit of the time for a request to the process manager to end the job
#define ASK_MILLISECONDS 1000    // until a process manager that does not answer counts as cut off
#define SLOW_MILLISECONDS 100    // the same, after which Slurm itself is asked too
#define KILL_MILLISECONDS 250    // if the launcher is ending the job, it ends this process within this time
#define RECHECK_MILLISECONDS 100 // time between two calls of judge_uninitialized
// Time after the end of the first PE of the node in which other nodes wait for the line of this node (node_ring.c), and for which
// this PE waits for the line of another node.
#define OWN_LINE_SECONDS 0.75
#define OTHER_LINE_MILLISECONDS 4000

static struct neighbour {
    int socket; // -1: not watched
    int pe;
    bool uninitialized; // ended before shmem_init
    double ended_at;    // then: the time at which this was noticed
} neighbours[2] = {{.socket = -1}, {.socket = -1}};

static pthread_t watcher;
static bool watching;
static int requests = -1;       // eventfd: wakes the watcher
static uint32_t requested_code; // 1 + the code with which a thread wants to end the job; written once
static uint32_t is_asked;       // 1: a thread has asked the process manager to end the job
static uint32_t is_leaving;     // 1: this process ends without shmem_init
static uint32_t is_judging;     // 1: the watcher possibly reports that a neighbour has ended without shmem_init

void skerry_set_neighbours(int previous, int next) {
    const int first = skerry_facts.near_first, count = (int)skerry_facts.near_count, own = skerry_facts.my_pe - first;
    neighbours[0] = (struct neighbour){.socket = previous, .pe = first + (own + count - 1) % count};
    neighbours[1] = (struct neighbour){.socket = next, .pe = first + (own + 1) % count};
}

// -- Ending the job ----------------------------------------------------------------------------------------------------

// Starts a timer. If the process manager (such as srun) does not answer within ABORT_SECONDS, the timer kills this
// process.
static void limit_abort(void) {
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGKILL;
    timer_t timer;
    const struct itimerspec limit = {.it_value = {.tv_sec = ABORT_SECONDS}};
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) timer_settime(timer, 0, &limit, NULL);
}

void skerry_wake_watcher(void) {
    const uint64_t one = 1;
    ssize_t wrote = write(requests, &one, sizeof one);
    (void)wrote;
}

void skerry_fail_managed_job(int code) {
    if (!skerry_job.managed) return;
    if (!watching || pthread_equal(pthread_self(), watcher)) {
        limit_abort();
        skerry_tell_nodes_of_end();
        skerry_managed_abort(code);
        return;
    }
    uint32_t none = 0;
    __atomic_compare_exchange_n(&requested_code, &none, (uint32_t)code + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    skerry_wake_watcher();
    for (int i = 0; i < ABORT_SECONDS * 1000 && !__atomic_load_n(&is_asked, __ATOMIC_ACQUIRE); i++)
        sleep_milliseconds(1);
}

bool skerry_may_tell(void) {
    return !__atomic_exchange_n(&skerry_first_control()->failure_told, 1, __ATOMIC_ACQ_REL);
}

void skerry_fail_by_signal(int signal_number) {
    if (!skerry_job.managed || skerry_facts.near_count > 1) return; // the PEs of this node see that this PE ends
    if (skerry_may_tell())
        skerry_say("process %d was killed by signal %d (%s); job stopped", getpid(), signal_number,
                   strsignal(signal_number));
    skerry_fail_managed_job(128 + signal_number);
}

// -- Watching ----------------------------------------------------------------------------------------------------------

// Returns the state of a process as a letter, such as 'S' (see proc(5)). Returns 0 if the state cannot be read.
static char state_of(int process) {
    char path[32], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    text[length > 0 ? length : 0] = 0;
    const char *name_end = strrchr(text, ')'); // the text is "NUMBER (NAME) STATE ..."
    return name_end && name_end[1] ? name_end[2] : 0;
}

// Returns true if the process has not ended. A process that has ended exists as a zombie until its parent notices.
static bool exists(int process) {
    if (process <= 0 || (kill(process, 0) != 0 && errno != EPERM)) return false;
    const char state = state_of(process);
    return state != 'Z' && state != 'X';
}

// Returns true if the process ends within END_MILLISECONDS. Returns false if the process still runs and has only closed
// its socket. For example, a process that becomes a daemon closes all its descriptors.
static bool has_ended(int process) {
    for (int i = 0; i < END_MILLISECONDS / 10 && exists(process); i++) sleep_milliseconds(10);
    return !exists(process);
}

static void note_failure(void) {
    __atomic_store_n(&skerry_control_of(skerry_facts.my_pe)->state, SKERRY_PE_ABORTED, __ATOMIC_RELEASE);
}

// The other nodes are told before the line is written. The error output of this process can be closed, and then the signal of the
// write ends this process.
void skerry_end_without_manager(void) {
    const bool tells = !skerry_job.attached || skerry_may_tell();
    if (skerry_job.attached) note_failure();
    if (watching) skerry_tell_nodes_of_end();
    if (tells) skerry_say("the launcher has ended; job stopped");
    _exit(1);
}

_Noreturn static void end_job(int code) {
    note_failure();
    skerry_fail_managed_job(code);
    _exit(code);
}

// Writes how the process of a neighbour has ended. In a job of several nodes the line names the node, which is this one.
static void report_kill(int pe, int process, int signal_number) {
    char node[HOST_NAME_MAX + 1] = "";
    if (skerry_has_far_pes()) gethostname(node, sizeof node - 1);
    const char *on = node[0] ? " on node " : "";
    if (signal_number)
        skerry_say("PE %d (process %d)%s%s was killed by signal %d (%s); job stopped", pe, process, on, node,
                   signal_number, strsignal(signal_number));
    else
        skerry_say("PE %d (process %d)%s%s was killed, or ended without shmem_finalize; job stopped", pe, process, on,
                   node);
}

// Called when the process of a neighbour has ended. Ends the job if that PE has failed. If that PE has ended before
// shmem_init, only records this fact. That end is a failure only if this PE calls shmem_init (judge_uninitialized).
static void judge(struct neighbour *neighbour) {
    const struct skerry_control *control = skerry_control_of(neighbour->pe);
    const uint32_t state = __atomic_load_n(&control->state, __ATOMIC_ACQUIRE);
    const int process = control->process_id, signal_number = (int)control->crash.signal;
    if (state == SKERRY_PE_FINALIZED) return;
    if (state == SKERRY_PE_GLOBAL_EXIT) end_job(control->exit_code & 0xff);
    if (state == SKERRY_PE_ABORTED) end_job(1);
    const bool has_begun = state == SKERRY_PE_RUNNING || state == SKERRY_PE_EXITING;
    if (signal_number == 0 && !has_begun) {
        neighbour->uninitialized = true;
        neighbour->ended_at = seconds_now();
        return;
    }
    // The PE's signal handler has recorded no signal in the PE's control block. So the launcher is possibly ending the
    // whole job, and has killed the PE for this reason. In this case the launcher also kills this process soon, and no
    // error line is needed.
    if (!signal_number) sleep_milliseconds(KILL_MILLISECONDS);
    if (skerry_may_tell()) report_kill(neighbour->pe, process, signal_number);
    end_job(signal_number ? 128 + signal_number : 1);
}

// Ends the job if the neighbour has ended before shmem_init, and this PE or another one waits for it in shmem_init. Without this, it
// would wait for ever. Other nodes notice the end of the first PE of this node too, and do not reach this node
// any more. They wait for a line of this node only for some time. After that, one of them possibly has written.
static void report_uninitialized(const struct neighbour *neighbour) {
    const uint32_t own = __atomic_load_n(&skerry_control_of(skerry_facts.my_pe)->state, __ATOMIC_ACQUIRE);
    const int waiting = own == SKERRY_PE_RUNNING ? skerry_facts.my_pe : skerry_find_waiting_pe();
    if (waiting < 0) return;
    const bool is_first = neighbour->pe == skerry_facts.near_first && skerry_has_far_pes();
    if (is_first && seconds_now() - neighbour->ended_at > OWN_LINE_SECONDS) {
        sleep_milliseconds(OTHER_LINE_MILLISECONDS);
        if (__atomic_load_n(&is_leaving, __ATOMIC_SEQ_CST)) return; // the program's thread possibly waits no longer
    }
    if (skerry_may_tell())
        skerry_say("PE %d has ended without shmem_init, and PE %d waits for it; job stopped", neighbour->pe, waiting);
    end_job(1);
}

// This process can itself be ending. If it ended after it has written the line, and before it has told the other nodes, they
// would write lines of their own. So a process that ends does not report, and one that reports does not end:
//     watcher: W1 is_judging = 1   W2 load is_leaving; if it is 1: do not report
//     end:     E1 is_leaving = 1   E2 load is_judging; if it is 1: wait
// All four accesses are sequentially consistent. So W2 sees E1, or E2 sees W1. The wait at E2 has a limit, which is longer than a report
// but shorter than the sleep in it. So the watcher repeats W2 after the sleep. Model: test/model/leave_early.pml.
static void judge_uninitialized(const struct neighbour *neighbour) {
    if (!neighbour->uninitialized) return;
    __atomic_store_n(&is_judging, 1, __ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&is_leaving, __ATOMIC_SEQ_CST)) report_uninitialized(neighbour);
    __atomic_store_n(&is_judging, 0, __ATOMIC_SEQ_CST);
}

void skerry_leave_neighbours_early(void) {
    __atomic_store_n(&is_leaving, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < ABORT_SECONDS * 1000 && __atomic_load_n(&is_judging, __ATOMIC_SEQ_CST); i++)
        sleep_milliseconds(1);
}

static void *ask_manager(void *unused) {
    (void)unused;
    skerry_managed_abort(1);
    __atomic_store_n(&is_asked, 1, __ATOMIC_RELEASE);
    return NULL;
}

static void *end_slurm_step(void *unused) {
    skerry_end_slurm_step();
    return unused;
}

// If this node is cut off from the process manager, the request to end the job does not return. Then this process ends the
// other PEs of its node itself. The request also waits if another node is cut off to which Slurm's daemon of this node sends
// something. So if it does not return soon, this process asks Slurm's controller too, in a thread, because that is possibly cut off.
void skerry_end_for_node(const char *line, bool in_any_case) {
    note_failure();
    if (skerry_may_tell() || in_any_case) {
        skerry_say("%s", line);
        skerry_tell_nodes_of_end();
    }
    pthread_t thread;
    limit_abort();
    if (pthread_create(&thread, NULL, ask_manager, NULL) != 0) end_job(1);
    for (int i = 0; i < ASK_MILLISECONDS && !__atomic_load_n(&is_asked, __ATOMIC_ACQUIRE); i++) {
        if (i == SLOW_MILLISECONDS) pthread_create(&thread, NULL, end_slurm_step, NULL);
        sleep_milliseconds(1);
    }
    const bool is_answered = __atomic_load_n(&is_asked, __ATOMIC_ACQUIRE);
    const int first = skerry_facts.near_first, end = first + (int)skerry_facts.near_count;
    for (int pe = first; pe < end && !is_answered; pe++) {
        const int process = skerry_control_of(pe)->process_id;
        if (process > 0 && process != getpid()) kill(process, SIGKILL);
    }
    _exit(1);
}

static void *watch(void *unused) {
    (void)unused;
    for (;;) {
        int wait;
        struct pollfd events[4] = {{.fd = requests, .events = POLLIN},
                                   {.fd = neighbours[0].socket, .events = POLLIN},
                                   {.fd = neighbours[1].socket, .events = POLLIN},
                                   {.fd = skerry_ring_descriptor(&wait), .events = POLLIN}};
        const bool rechecks = neighbours[0].uninitialized || neighbours[1].uninitialized;
        if (rechecks && (wait < 0 || wait > RECHECK_MILLISECONDS)) wait = RECHECK_MILLISECONDS;
        if (poll(events, 4, wait) < 0 && errno != EINTR) return NULL;
        const uint32_t wanted = __atomic_load_n(&requested_code, __ATOMIC_ACQUIRE);
        if (wanted) {
            skerry_fail_managed_job((int)wanted - 1);
            __atomic_store_n(&is_asked, 1, __ATOMIC_RELEASE);
            return NULL;
        }
        uint64_t count;
        ssize_t got = events[0].revents ? read(requests, &count, sizeof count) : 0;
        (void)got;
        for (int i = 0; i < 2; i++) {
            struct neighbour *neighbour = &neighbours[i];
            if (events[1 + i].revents) {
                neighbour->socket = -1; // stays open: closing it would tell the neighbour that this PE has ended
                const int process = skerry_control_of(neighbour->pe)->process_id;
                if (!(events[1 + i].revents & POLLNVAL) && has_ended(process)) judge(neighbour);
            }
            judge_uninitialized(neighbour);
        }
        skerry_judge_nodes();
    }
}

void skerry_watch_neighbours(void) {
    if (!skerry_job.managed) return;
    requests = eventfd(0, EFD_CLOEXEC);
    skerry_begin_ring();
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES);
    sigset_t all, before;
    sigfillset(&all); // signals are for the program's threads
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = requests < 0 ? errno : pthread_create(&watcher, &attributes, watch, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (error)
        skerry_refuse("the library cannot start the thread that watches the PEs of this node: %s", strerror(error));
    watching = true;
}

void skerry_forget_neighbours(void) {
    if (!skerry_job.managed) return;
    skerry_job.managed = false;
    watching = false;
    for (int i = 0; i < 2; i++)
        if (neighbours[i].socket >= 0) close(neighbours[i].socket);
    skerry_forget_nodes();
}
