// SPDX-License-Identifier: BSD-3-Clause
// Runs requests of other PEs. A PE that waits in the library polls for requests. A PE that computes is interrupted by
// the PE that sends the request. The model is test/model/polling_requests.pml.
//
// The word `polling` of a PE contains the bit BUSY and a number of threads. These threads have waited for a while, and
// now poll for requests at each step of their waits.
//
// Why no request is lost:
// * The sender stores the request (in a word that is watched, or as a bit of `raised`), executes a full fence, and
//   loads `polling`. If `polling` is 0, the sender interrupts this PE. If not, the sender does nothing more.
// * A thread of this PE stops polling for requests in run_handlers or in skerry_stop_polling_requests. It clears the
//   bit BUSY of `polling`, or subtracts 1 from `polling`. Then it executes a full fence and polls for requests once
//   more.
// * One of the two fences is executed first. So either the sender loads 0 and interrupts, or this PE's last poll sees
//   the request.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

volatile uint32_t skerry_polls_requests;

#define BUSY 0x80000000u       // bit of `polling`: a thread of this PE runs handlers
#define HELPER_SLEEP_SECONDS 1 // after this time the helper thread polls for requests even if it was not notified

static skerry_handler *handlers[SKERRY_INTERRUPT_NUMBERS];
// A watch is a word and a value: if the word has this value, the handler with the watch's number must run. The program
// sets the first watches. After that only handlers change `watches`. During a change another thread can load a new word
// together with an old value, or an old word together with a new value. So this thread possibly decides wrongly whether
// the handler must run. This is harmless, because waits poll again when the handler has ended.
static struct {
    const uint32_t *word;
    uint32_t value;
    bool when_interrupted;
} watches[SKERRY_INTERRUPT_NUMBERS];
static int watches_used;    // only watches with a smaller index are in use
static uint32_t handled;    // bit n: number n has a handler
static uint32_t masked = 1; // number of masks in force; skerry_accept_requests ends the first one
static _Thread_local uint32_t handler_depth;
_Thread_local const char *skerry_handled_function;
static _Thread_local uint32_t interrupt_depth;
static _Thread_local volatile uint32_t deferrals; // number of calls of skerry_defer_handlers in force in this thread
static _Thread_local volatile bool was_deferred;  // this thread was interrupted while `deferrals` was not 0

static struct skerry_control *own(void) {
    return skerry_control_of(skerry_facts.my_pe);
}

static bool is_watched(int number) {
    const uint32_t *word = __atomic_load_n(&watches[number].word, __ATOMIC_RELAXED);
    uint32_t value = __atomic_load_n(&watches[number].value, __ATOMIC_RELAXED);
    if (!word || __atomic_load_n(word, __ATOMIC_ACQUIRE) != value) return false;
    return interrupt_depth == 0 || __atomic_load_n(&watches[number].when_interrupted, __ATOMIC_RELAXED);
}

static bool is_due(void) {
    int used = __atomic_load_n(&watches_used, __ATOMIC_RELAXED);
    for (int number = 0; number < used; number++)
        if (is_watched(number)) return true;
    return __atomic_load_n(&own()->raised, __ATOMIC_RELAXED) & __atomic_load_n(&handled, __ATOMIC_RELAXED);
}

static bool run_due_handlers(void) {
    bool any = false;
    uint32_t raised = __atomic_load_n(&own()->raised, __ATOMIC_RELAXED) & __atomic_load_n(&handled, __ATOMIC_RELAXED);
    if (raised) __atomic_fetch_and(&own()->raised, ~raised, __ATOMIC_ACQ_REL);
    for (int number = 0; number < SKERRY_INTERRUPT_NUMBERS; number++) {
        skerry_handler *handler = __atomic_load_n(&handlers[number], __ATOMIC_ACQUIRE);
        if (!handler || (!(raised >> number & 1) && !is_watched(number))) continue;
        handler();
        any = true;
    }
    return any;
}

// Runs the handlers whose requests have arrived. Handlers run one at a time. The thread that sets the bit BUSY runs
// them: any thread of this process, in a wait, in the signal's handler or in the helper thread. A thread that finds the
// bit set returns.
static bool run_handlers(void) {
    bool any = false;
    do {
        uint32_t *polling = &own()->polling;
        if (__atomic_load_n(polling, __ATOMIC_RELAXED) & BUSY) return any;
        if (__atomic_fetch_or(polling, BUSY, __ATOMIC_ACQUIRE) & BUSY) return any;
        handler_depth++;
        while (run_due_handlers()) any = true;
        handler_depth--;
        __atomic_fetch_and(polling, ~BUSY, __ATOMIC_SEQ_CST);
    } while (is_due());
    return any;
}

bool skerry_progress(void) {
    if (!is_due() || __atomic_load_n(&masked, __ATOMIC_RELAXED)) return false;
    if (deferrals) {
        was_deferred = true;
        return false;
    }
    return run_handlers();
}

bool skerry_progress_now(void) {
    return is_due() && run_handlers();
}

void skerry_begin_polling_requests(void) {
    __atomic_fetch_add(&own()->polling, 1, __ATOMIC_SEQ_CST);
}

void skerry_stop_polling_requests(void) {
    if (!skerry_polls_requests) return;
    __atomic_fetch_sub(&own()->polling, 1, __ATOMIC_SEQ_CST);
    skerry_progress();
}

// Runs handlers in the signal's handler or in the helper thread. After the first request, waits poll for requests too.
// So the next request needs no interrupt.
static void interrupted(void) {
    if (!skerry_polls_requests && is_due()) skerry_polls_requests = 1;
    if (deferrals) {
        was_deferred = true;
        return;
    }
    // A handler can interrupt a routine between its call of skerry_use_context and its operation, and can change the
    // context. So the context is restored.
    const uint32_t context = skerry_far_context;
    interrupt_depth++;
    skerry_progress();
    interrupt_depth--;
    skerry_far_context = context;
}

static void handle_signal(int number) {
    (void)number;
    int before = errno;
    interrupted();
    errno = before;
}

// The words `deferrals` and `was_deferred` belong to this thread. Only signal handlers that interrupt this thread also
// access them. So no fence is needed. The words are volatile, so the compiler keeps the order of the accesses.
void skerry_defer_handlers(void) {
    deferrals++;
    skerry_compiler_fence();
}

void skerry_run_deferred_handlers(void) {
    skerry_compiler_fence();
    if (--deferrals || !was_deferred) return;
    was_deferred = false;
    interrupted();
}

void skerry_leave_deferred_handlers(void) {
    skerry_compiler_fence();
    if (--deferrals || !was_deferred) return;
    was_deferred = false;
    skerry_interrupt_pe(skerry_facts.my_pe);
}

bool skerry_in_handler(void) {
    return handler_depth > 0;
}

bool skerry_in_interrupt(void) {
    return interrupt_depth > 0;
}

// -- Sending requests -------------------------------------------------------------------------------------------------

bool skerry_is_polling_requests(int pe) {
    return __atomic_load_n(&skerry_control_of(pe)->polling, __ATOMIC_ACQUIRE) != 0;
}

static void wake_helper(struct skerry_control *control) {
    __atomic_fetch_add(&control->helper_count, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &control->helper_count, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

bool skerry_notify_pe(int pe) {
    skerry_arch_full_fence();
    skerry_wake(pe);
    // PE `pe` sleeps at the eventcount of the PE whose word it waits for (wait.c). So that eventcount must be notified
    // too. PE `pe` has stored the number of that PE in `wait_target`, before the membarrier (../eventcount.h) for its
    // sleep. So the argument in ../eventcount.h also holds for `wait_target`: either this load returns the new value,
    // or the request is visible to the last poll before the sleep.
    uint32_t wait_target = __atomic_load_n(&skerry_control_of(pe)->wait_target, __ATOMIC_RELAXED);
    if (wait_target && (int)wait_target - 1 != pe) skerry_wake((int)wait_target - 1);
    return skerry_is_polling_requests(pe);
}

bool skerry_interrupt_pe(int pe) {
    struct skerry_control *control = skerry_control_of(pe);
    if (skerry_notify_pe(pe)) return false;
    switch (__atomic_load_n(&control->attention, __ATOMIC_ACQUIRE)) {
    case SKERRY_ATTENTION_SIGNAL:
        // This PE interrupts itself while its handlers are deferred, because this thread executes a message for this
        // PE. No signal is needed, because the thread runs the deferred handlers later.
        if (pe == skerry_facts.my_pe && deferrals) return was_deferred = true;
        return kill(control->process_id, SIGURG) == 0;
    case SKERRY_ATTENTION_THREAD: wake_helper(control); return true;
    default: return false;
    }
}

static void raise_interrupt(int pe, int number) {
    __atomic_fetch_or(&skerry_control_of(pe)->raised, 1u << number, __ATOMIC_SEQ_CST);
}

void skerry_interrupt(int pe, int number) {
    if (!skerry_is_near(pe)) {
        const uint64_t message = (uint64_t)(unsigned)number;
        skerry_far_send(pe, SKERRY_FAR_INTERRUPT, &message, sizeof message);
        return;
    }
    raise_interrupt(pe, number);
    if (pe == skerry_facts.my_pe && !deferrals) skerry_progress();
    else skerry_interrupt_pe(pe);
}

// Handles the message that raises an interrupt at PE `pe` of this node. The calling thread holds the lock of the
// network module. So, unlike skerry_interrupt, this function runs no handler of an interrupt itself.
static size_t on_far_interrupt(int pe, int from, const void *message, size_t bytes, void *answer) {
    uint64_t number;
    (void)from, (void)bytes, (void)answer;
    memcpy(&number, message, sizeof number);
    raise_interrupt(pe, (int)number);
    skerry_interrupt_pe(pe);
    return 0;
}

__attribute__((constructor)) static void accept_far_interrupts(void) {
    skerry_far_on_message(SKERRY_FAR_INTERRUPT, on_far_interrupt);
}

bool skerry_is_running(int pe) {
    // A PE of another node counts as running, because this PE does not know whether the other PE has left the job. The
    // caller can find out by a message to that PE. (If a PE ends before it leaves the job, the whole job ends.)
    if (!skerry_is_near(pe)) return (uint32_t)pe < (uint32_t)skerry_facts.pe_count;
    return __atomic_load_n(&skerry_control_of(pe)->state, __ATOMIC_ACQUIRE) <= SKERRY_PE_RUNNING;
}

// -- Receiving requests -----------------------------------------------------------------------------------------------

// The signal that interrupts a PE is SIGURG. A process ignores SIGURG by default. So a signal that arrives after the
// program has executed another program (exec) does no harm.
static void catch_signal(void) {
    struct sigaction action = {.sa_handler = handle_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGURG, &action, NULL);
}

// Main function of the helper thread: runs handlers, and sleeps until another PE increments helper_count. Suppose that
// other PEs increment helper_count exactly 2^32 times between this thread's load and its sleep. Then helper_count has
// its old value again, and the thread sleeps although requests have arrived. So the length of the sleep is limited.
static void *help(void *unused) {
    static const struct timespec limit = {.tv_sec = HELPER_SLEEP_SECONDS};
    struct skerry_control *control = own();
    (void)unused;
    for (;;) {
        uint32_t eventcount = __atomic_load_n(&control->helper_count, __ATOMIC_SEQ_CST);
        interrupted();
        syscall(SYS_futex, &control->helper_count, FUTEX_WAIT, eventcount, &limit, NULL, 0);
    }
    return NULL;
}

static bool start_helper(void) {
    static bool started;
    if (started) return true;
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all); // signals are for the program's threads
    pthread_sigmask(SIG_SETMASK, &all, &before);
    started = pthread_create(&thread, NULL, help, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!started) return false;
    pthread_detach(thread);
    skerry_note_own_threads(1);
    return true;
}

static bool attention_is_set;

bool skerry_set_attention(int how) {
    if (how == SKERRY_ATTENTION_THREAD && !start_helper()) return false;
    attention_is_set = true;
    if (how == SKERRY_ATTENTION_SIGNAL) catch_signal();
    __atomic_store_n(&own()->attention, (uint32_t)how, __ATOMIC_SEQ_CST);
    skerry_progress();
    return true;
}

static int attention_wanted(void) {
    static const char *const words[] = {"signal", "thread", "none"};
    static const int ways[] = {SKERRY_ATTENTION_SIGNAL, SKERRY_ATTENTION_THREAD, SKERRY_ATTENTION_NONE};
    const int word = skerry_word_setting("SKERRY_ATTENTION", words, 3, "signal, thread or none");
    return word < 0 ? SKERRY_ATTENTION_SIGNAL : ways[word];
}

// If the program has not set how other PEs interrupt this PE (SKERRY_ATTENTION), sets it.
static void begin_attention(void) {
    if (!attention_is_set) skerry_set_attention(attention_wanted());
}

void skerry_on_rare_interrupt(int number, skerry_handler *handler) {
    uint32_t bit = 1u << number;
    __atomic_store_n(&handlers[number], handler, __ATOMIC_RELEASE);
    if (handler) __atomic_fetch_or(&handled, bit, __ATOMIC_SEQ_CST);
    else __atomic_fetch_and(&handled, ~bit, __ATOMIC_SEQ_CST);
    begin_attention();
    skerry_progress();
}

void skerry_on_interrupt(int number, skerry_handler *handler) {
    if (handler) skerry_polls_requests = 1;
    skerry_on_rare_interrupt(number, handler);
}

void skerry_watch(int number, const uint32_t *word, uint32_t value, bool when_interrupted) {
    if (number >= watches_used) __atomic_store_n(&watches_used, number + 1, __ATOMIC_RELAXED);
    __atomic_store_n(&watches[number].value, value, __ATOMIC_RELAXED);
    __atomic_store_n(&watches[number].when_interrupted, when_interrupted, __ATOMIC_RELAXED);
    __atomic_store_n(&watches[number].word, word ? skerry_poll_address(word) : NULL, __ATOMIC_RELEASE);
}

// Called in a child process that a PE has forked. After this call no handlers run in the child, because all requests
// that arrive are for the parent.
void skerry_progress_no_more(void) {
    skerry_polls_requests = 0;
    handled = 0;
    watches_used = 0;
}

void skerry_relax(void) {
    skerry_arch_relax();
}

uint32_t skerry_mask_interrupts(void) {
    return __atomic_fetch_add(&masked, 1, __ATOMIC_ACQ_REL);
}

void skerry_unmask_interrupts(uint32_t mask) {
    (void)mask;
    if (__atomic_sub_fetch(&masked, 1, __ATOMIC_SEQ_CST) == 0) skerry_progress();
}

void skerry_accept_requests(void) {
    static bool accepted;
    if (accepted) return;
    accepted = true;
    skerry_unmask_interrupts(0);
}
