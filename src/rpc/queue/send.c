// SPDX-License-Identifier: BSD-3-Clause
// Makes calls, at the caller: puts a call into the queue of the target (the PE that has the data), or runs the function
// itself. Thunks, which the macro RPC adds to the program (function.h), reach the functions here through entries.c. The
// arguments arrive as the values of all registers that can hold arguments.
#include "internal.h"

// Number of polls for a reply after which the caller assumes that the target computes (is not in a library call). These
// polls take about twice as long as the answer of a target that waits in the library. They take much less time than a
// signal.
#define POLLS_BEFORE_INTERRUPTING 64
// Number of polls of the target's queue, for a caller that does not wait for the reply now. After these polls the
// caller assumes that the target does not take the call by itself.
#define POLLS_OF_QUEUE 8
#define TEAM_WINDOW 64 // number of calls to a team that are under way at a time

SKERRY_PER_THREAD int skerry_rpc_last_status;
static SKERRY_PER_THREAD int class_of_thread = SHMEMX_RPC_NORMAL;
static SKERRY_PER_THREAD int when_full = SHMEMX_RPC_RUN;

// `kept`: the call that a thunk (the program's code for a call) has kept for the routine that this thread calls next.
// `kept_before`: a copy of the program's kept call. The copy is used while a function that runs for another PE in this
// thread keeps calls of its own.
static SKERRY_PER_THREAD struct kept {
    const struct skerry_function *function;
    struct skerry_arguments arguments;
} kept, kept_before;
static SKERRY_PER_THREAD bool has_kept_before;

static struct skerry_queue_end ends[SKERRY_RPC_CLASSES][SKERRY_PES_MAX];

struct skerry_queue_end *skerry_rpc_end_of(int class, int pe) {
    struct skerry_queue_end *end = &ends[class][pe];
    // The queue of a PE that has no function yet has capacity 0. Such a queue is opened again at each call, because
    // that PE can load a library with functions later.
    if (__builtin_expect(SKERRY_LOAD_ACQUIRE(&end->capacity) == 0, 0))
        skerry_queue_open(end, skerry_rpc_queue(class), pe);
    return end;
}

static int run_here(const struct skerry_function *function, const struct skerry_arguments *arguments,
                    struct skerry_results *results) {
    skerry_apply(function->code, arguments->integers, &arguments->vectors, SKERRY_CALL_LOW | SKERRY_CALL_HIGH, results);
    return SHMEMX_RPC_RUN_BY_CALLER;
}

static bool take_ticket(struct skerry_queue_end *end, skerry_word *ticket) {
    if (skerry_queue_try_ticket(end, ticket)) return true;
    if (when_full != SHMEMX_RPC_WAIT || skerry_in_handler()) return false;
    // The wait runs calls of other PEs, so two PEs with full queues cannot deadlock.
    SKERRY_PAUSE(pause);
    skerry_interrupt_pe(end->owner);
    while (!skerry_queue_try_ticket(end, ticket)) {
        if (!skerry_is_running(end->owner) || end->capacity == 0) return false;
        skerry_pause(&pause, end->owner);
    }
    return true;
}

static unsigned any_of(const uint64_t halves[8]) {
    uint64_t any = 0;
    for (int i = 0; i < 8; i++) any |= halves[i];
    return any != 0;
}

// Element i is a copy of the record (vector registers, message.h) that this PE wrote last to the memory of PE i.
static struct skerry_rpc_record on_record[SKERRY_PES_MAX];

static void keep_on_record(const uint64_t low[8], int pe) {
    struct skerry_rpc_record *known = &on_record[pe];
    uint64_t differences = 0;
    for (int i = 0; i < 8; i++) differences |= known->low[i] ^ low[i];
    if (!differences) return;
    __builtin_memcpy(known->low, low, sizeof known->low);
    struct skerry_rpc_record *there = skerry_global(&skerry_rpc_records()[skerry_my_pe()], pe);
    __builtin_memcpy(there->low, low, sizeof there->low);
}

// Stores the vector registers to the message or to this PE's record at the target (message.h). Returns the flags that
// say which halves of the registers are stored, and where.
static unsigned fill_vectors(struct skerry_rpc_message *message, const struct skerry_vectors *vectors, int pe,
                             int event) {
    struct skerry_vectors *there = &message->arguments.vectors;
    if (any_of(vectors->high)) {
        *there = *vectors;
        return SKERRY_CALL_LOW | SKERRY_CALL_HIGH;
    }
    if (!any_of(vectors->low)) return 0;
    if (event == SKERRY_RPC_RECORD_EVENT) {
        keep_on_record(vectors->low, pe);
        return SKERRY_CALL_LOW | SKERRY_RPC_ON_RECORD;
    }
    __builtin_memcpy(there->low, vectors->low, sizeof there->low);
    return SKERRY_CALL_LOW;
}

// Writes a call into the slot of a ticket (the number of a message in the target's queue). Writes the slot's first
// cache line last, by consecutive stores. The target possibly polls this line, and could fetch it between two stores
// that are not consecutive.
static void fill(const struct skerry_queue_end *end, struct skerry_queue_slot *slot, skerry_word ticket,
                 const struct skerry_function *function, const struct skerry_arguments *arguments, int event,
                 int class) {
    struct skerry_rpc_message *message = (struct skerry_rpc_message *)(void *)slot->message;
    struct skerry_rpc_caller caller = {.pe = (uint16_t)skerry_my_pe()};
    unsigned flags = fill_vectors(message, &arguments->vectors, end->owner, event);
    if (function->takes_block) {
        flags |= SKERRY_RPC_HAS_BLOCK;
        skerry_copy(skerry_global(skerry_rpc_block(class, ticket & end->mask), end->owner),
                    (const void *)(uintptr_t)arguments->integers[1], (size_t)arguments->integers[2]);
    }
    if (event < 0) flags |= SKERRY_RPC_NO_REPLY;
    else caller.event = (uint16_t)event, caller.number = skerry_rpc_next_reply(event);
    caller.flags = (uint16_t)flags;
    message->caller = caller;
    __builtin_memcpy(message->arguments.integers, arguments->integers, sizeof arguments->integers);
}

// Puts the call into the queue of PE `pe`. If `event` is below 0, the call gets no reply.
static enum skerry_rpc_outcome send(int pe, const struct skerry_function *function,
                                    const struct skerry_arguments *arguments, int event, skerry_word *ticket) {
    int class = class_of_thread;
    struct skerry_queue_end *end = skerry_rpc_end_of(class, pe);
    if (!skerry_is_running(pe) || !skerry_is_running(skerry_my_pe())) return SKERRY_RPC_LEFT;
    if (!take_ticket(end, ticket)) return SKERRY_RPC_FULL;
    struct skerry_queue_slot *slot = skerry_queue_slot_of(end, *ticket);
    fill(end, slot, *ticket, function, arguments, event, class);
    skerry_queue_publish_slot(end, slot, *ticket, function->id);
    skerry_rpc_count(&skerry_rpc_counts.sent);
    return SKERRY_RPC_SENT;
}

static int status_of_refusal(enum skerry_rpc_outcome outcome) {
    if (outcome == SKERRY_RPC_LEFT) return SHMEMX_RPC_GONE;
    skerry_rpc_count(&skerry_rpc_counts.refused);
    return SHMEMX_RPC_REFUSED;
}

// Ends a call that was not sent: runs the function here, or returns the status that says why the function was not run.
static int end_here(enum skerry_rpc_outcome outcome, const struct skerry_function *function,
                    const struct skerry_arguments *arguments, struct skerry_results *results) {
    if (outcome == SKERRY_RPC_LEFT || (when_full == SHMEMX_RPC_REFUSE && !skerry_in_handler())) {
        *results = (struct skerry_results){0};
        return status_of_refusal(outcome);
    }
    skerry_rpc_count(&skerry_rpc_counts.run_by_caller);
    return run_here(function, arguments, results);
}

// Ends a call whose target has left the job: no reply will arrive any more. Sets the results to zero.
static int give_up(int event) {
    skerry_rpc_replies()[event].results = (struct skerry_results){0};
    return SHMEMX_RPC_GONE;
}

// -- Calls to far PEs --------------------------------------------------------------------------------------------------

// Returns the status of a call to a PE of another node. This PE cannot load from or store to the data of such a PE, so
// it never runs the call itself. If the target's queue is full, the caller waits, even with the policy SHMEMX_RPC_RUN.
// A handler must not wait:
// * Its posted or asynchronous call is refused if the queue is full.
// * Its call that would wait for a reply ends the job with a message (refuse_in_handler).

static int status_of_far(enum skerry_rpc_outcome outcome) {
    switch (outcome) {
    case SKERRY_RPC_SENT: return SHMEMX_RPC_SERVED;
    case SKERRY_RPC_NO_FUNCTION: return SHMEMX_RPC_UNKNOWN;
    default: return status_of_refusal(outcome);
    }
}

static enum skerry_rpc_outcome send_far(int pe, const struct skerry_function *function,
                                        const struct skerry_arguments *arguments, int event) {
    struct skerry_rpc_caller caller = {.pe = (uint16_t)skerry_my_pe()};
    if (event < 0) caller.flags = SKERRY_RPC_NO_REPLY;
    else caller.event = (uint16_t)event, caller.number = skerry_rpc_next_reply(event);
    bool waits = when_full != SHMEMX_RPC_REFUSE && !skerry_in_handler();
    return skerry_rpc_send_far(pe, function, arguments, class_of_thread, caller, waits);
}

static SKERRY_NORETURN void refuse_in_handler(const struct skerry_function *function, int pe) {
    skerry_fail_values(
        function->name,
        "RPC: a remote procedure or a handler must not wait for a reply from another node, and PE # is on "
        "another node; use shmemx_rpc_post or shmemx_rpc_async",
        (long[]){pe}, 1);
}

// Makes a call to a PE of another node and waits for its results.
static void call_far(int pe, const struct skerry_function *function, const struct skerry_arguments *arguments,
                     struct skerry_results *results) {
    if (skerry_in_handler()) refuse_in_handler(function, pe);
    int event = skerry_rpc_take_event_for_wait(), status = SHMEMX_RPC_GONE;
    skerry_rpc_pending[event].pe = (int16_t)pe;
    bool waits = when_full != SHMEMX_RPC_REFUSE;
    enum skerry_rpc_outcome outcome =
        skerry_rpc_call_far(pe, function, arguments, class_of_thread, event, waits, &status);
    *results = (struct skerry_results){0};
    if (outcome == SKERRY_RPC_SENT && status >= 0) skerry_rpc_results(event, results);
    skerry_rpc_last_status = outcome == SKERRY_RPC_SENT ? status : status_of_far(outcome);
    skerry_rpc_free_event(event);
}

// Begins a call to a PE of another node; this thread does not wait for its reply now. Returns SHMEMX_RPC_SERVED if the
// target has the call. If not, the call has ended, and the function returns its status.
static int begin_far(int pe, const struct skerry_function *function, const struct skerry_arguments *arguments,
                     int event) {
    if (event >= 0) skerry_rpc_pending[event].pe = (int16_t)pe;
    return status_of_far(send_far(pe, function, arguments, event));
}

// Waits for the reply of a PE of another node. The process that put the call into the queue has already interrupted the
// target. If this PE leaves the job, it gets no replies any more, and the wait ends.
static int await_far(int event) {
    SKERRY_PAUSE(pause);
    int status;
    while (!skerry_rpc_has_ended(event, &status)) {
        if (!skerry_is_running(skerry_my_pe())) return skerry_rpc_has_ended(event, &status) ? status : give_up(event);
        skerry_pause(&pause, skerry_my_pe());
    }
    return status;
}

// -- Calls -------------------------------------------------------------------------------------------------------------

static void check(const struct skerry_function *function, const struct skerry_arguments *arguments) {
    const void *first = (const void *)(uintptr_t)arguments->integers[0];
    if (skerry_checking && !skerry_job_is_open())
        skerry_fail(function->name, "RPC: called before shmem_init or aos_init");
    if (function->takes_block && arguments->integers[2] > SKERRY_RPC_BLOCK_BYTES)
        skerry_fail_values(function->name, "RPC: the block has # bytes; it must have at most #",
                           (long[]){(long)arguments->integers[2], SKERRY_RPC_BLOCK_BYTES}, 2);
    if (skerry_checking && function->takes_block && !arguments->integers[1] && arguments->integers[2])
        skerry_fail_values(function->name, "RPC: block: must not be NULL, because its size is # bytes",
                           (long[]){(long)arguments->integers[2]}, 1);
    if (skerry_checking && !skerry_is_symmetric(first, 1))
        skerry_fail_values(function->name,
                           "RPC: the first argument, @, must be an address in the symmetric memory of a PE",
                           (long[]){(long)(uintptr_t)first}, 1);
}

// Checks a call. Called by the thunks of programs that are compiled with SKERRY_CHECK, before the thunks test whether
// the data is this PE's own.
const struct skerry_function *skerry_rpc_check(const struct skerry_function *function,
                                               const struct skerry_arguments *arguments);
const struct skerry_function *skerry_rpc_check(const struct skerry_function *function,
                                               const struct skerry_arguments *arguments) {
    check(function, arguments);
    return function;
}

// Returns the PE in whose memory the first argument points. If the argument is not a global address (which names a PE),
// the result is not the number of a PE.
static int target_of(const struct skerry_arguments *arguments) {
    return skerry_owner((const void *)(uintptr_t)arguments->integers[0]);
}

// Makes the target of a call run the call: wakes a target that sleeps in a wait, and interrupts a target that computes.
// A background call does not interrupt a target that computes.
static void interrupt(int pe, int class) {
    if (class == SHMEMX_RPC_BACKGROUND && !skerry_is_polling_requests(pe)) return;
    if (skerry_interrupt_pe(pe)) skerry_rpc_count(&skerry_rpc_counts.interrupting);
}

int skerry_rpc_await(int event) {
    if (!skerry_is_near(skerry_rpc_pending[event].pe)) return await_far(event);
    SKERRY_PAUSE(pause);
    int polls = skerry_is_oversubscribed() ? POLLS_BEFORE_INTERRUPTING : 0;
    int status;
    while (!skerry_rpc_has_ended(event, &status)) {
        int pe = skerry_rpc_pending[event].pe;
        if (polls == POLLS_BEFORE_INTERRUPTING) {
            interrupt(pe, class_of_thread);
            skerry_pause_again(&pause); // spins again from the start, because the target begins the call only now
        }
        if (polls <= POLLS_BEFORE_INTERRUPTING) polls++; // so `polls` cannot overflow
        if (polls > POLLS_BEFORE_INTERRUPTING && !skerry_is_running(pe))
            return skerry_rpc_has_ended(event, &status) ? status : give_up(event);
        skerry_pause(&pause, skerry_my_pe());
    }
    return status;
}

// skerry_rpc_call and skerry_rpc_call_checked make a call and wait for its results. The thunk f_rpc calls one of them
// if the first argument points into another PE's memory. skerry_rpc_call checks the arguments first. The thunks of
// programs that are compiled with SKERRY_CHECK have already called skerry_rpc_check, and use skerry_rpc_call_checked.
void skerry_rpc_call(const struct skerry_function *function, const struct skerry_arguments *arguments,
                     struct skerry_results *results);
void skerry_rpc_call_checked(const struct skerry_function *function, const struct skerry_arguments *arguments,
                             struct skerry_results *results);
void skerry_rpc_call(const struct skerry_function *function, const struct skerry_arguments *arguments,
                     struct skerry_results *results) {
    check(function, arguments);
    skerry_rpc_call_checked(function, arguments, results);
}
void skerry_rpc_call_checked(const struct skerry_function *function, const struct skerry_arguments *arguments,
                             struct skerry_results *results) {
    int pe = target_of(arguments);
    if (!skerry_is_near(pe)) {
        call_far(pe, function, arguments, results);
        return;
    }
    skerry_word ticket;
    // A function that runs for another PE (in a handler) must not wait for a third PE. Its call therefore gets no event
    // and runs here.
    int event = skerry_in_handler() ? -1 : skerry_rpc_take_event();
    if (event >= 0) skerry_rpc_pending[event].pe = (int16_t)pe;
    enum skerry_rpc_outcome outcome = event < 0 ? SKERRY_RPC_FULL : send(pe, function, arguments, event, &ticket);
    if (outcome == SKERRY_RPC_SENT) {
        skerry_rpc_last_status = skerry_rpc_await(event);
        skerry_rpc_results(event, results);
    } else {
        skerry_rpc_last_status = end_here(outcome, function, arguments, results);
    }
    if (event >= 0) skerry_rpc_free_event(event);
}

// Makes the target run a call whose caller does not wait for the reply now:
// * If the target has waited for some time, a notification is enough, because such a target polls for calls.
// * If the target has just begun to wait, it takes the call soon. This function therefore polls the target's queue a
//   few times.
// * If the target has not taken the call after these polls, this function interrupts the target.
static void make_target_run(int pe, skerry_word ticket) {
    int class = class_of_thread;
    if (skerry_notify_pe(pe)) return;
    struct skerry_queue_end *end = skerry_rpc_end_of(class, pe);
    if (!skerry_is_oversubscribed()) {
        for (int poll = 0; poll < POLLS_OF_QUEUE; poll++) {
            end->seen = skerry_atomic_poll(&end->queue->head, pe);
            if (skerry_reached(&end->seen, ticket + 1)) return;
            skerry_relax();
        }
    }
    interrupt(pe, class);
}

static int begin(const struct skerry_function *function, const struct skerry_arguments *arguments, int event) {
    int pe = target_of(arguments);
    skerry_word ticket = 0;
    struct skerry_results nowhere;
    struct skerry_results *results = event < 0 ? &nowhere : &skerry_rpc_replies()[event].results;
    int status;
    check(function, arguments);
    if (pe < 0 || pe >= skerry_pe_count() || pe == skerry_my_pe()) {
        status = run_here(function, arguments, results);
    } else if (!skerry_is_near(pe)) {
        status = begin_far(pe, function, arguments, event);
        if (status == SHMEMX_RPC_SERVED) return status;
        *results = (struct skerry_results){0};
    } else {
        if (event >= 0) skerry_rpc_pending[event].pe = (int16_t)pe;
        enum skerry_rpc_outcome outcome = send(pe, function, arguments, event, &ticket);
        if (outcome == SKERRY_RPC_SENT) {
            make_target_run(pe, ticket);
            return SHMEMX_RPC_SERVED;
        }
        status = end_here(outcome, function, arguments, results);
    }
    if (event < 0) return status;
    skerry_rpc_pending[event].status = status;
    skerry_rpc_pending[event].is_over = 1;
    return status;
}

// Keeps a function and its arguments for the routine that this thread calls next. Called by the thunks skerry_keep_f.
uint32_t skerry_rpc_keep(const struct skerry_function *function, const struct skerry_arguments *arguments);
uint32_t skerry_rpc_keep(const struct skerry_function *function, const struct skerry_arguments *arguments) {
    if (skerry_in_handler() && !has_kept_before) {
        kept_before = kept;
        has_kept_before = true;
    }
    kept.function = function;
    kept.arguments = *arguments;
    return function->stacked;
}

void skerry_rpc_restore_kept(void) {
    if (has_kept_before) kept = kept_before;
    has_kept_before = false;
}

shmemx_rpc_event_t skerry_rpc_async(int kind, size_t bytes) {
    int event = skerry_rpc_take_event();
    if (event < 0) {
        skerry_rpc_count(&skerry_rpc_counts.refused);
        return (shmemx_rpc_event_t){0};
    }
    struct skerry_rpc_pending *pending = &skerry_rpc_pending[event];
    pending->is_open = 1;
    pending->result_kind = (uint8_t)kind;
    pending->result_bytes = (uint16_t)bytes;
    begin(kept.function, &kept.arguments, event);
    return (shmemx_rpc_event_t){(uint32_t)pending->number << 16 | ((uint32_t)event + 1)};
}

int skerry_rpc_post(void) {
    skerry_rpc_last_status = begin(kept.function, &kept.arguments, -1);
    return skerry_rpc_last_status;
}

// Sends the kept call (the function and arguments that skerry_rpc_keep has stored) to every PE of the team. Up to
// TEAM_WINDOW calls are under way at a time: the function waits for the oldest call before it begins the next call.
int skerry_rpc_team(shmem_team_t team, void *results, int kind, size_t bytes) {
    struct kept call = kept;
    void *first = (void *)(uintptr_t)call.arguments.integers[0];
    int members = shmem_team_n_pes(team);
    if (members < 0) skerry_fail("shmemx_rpc_team", "team: must not be SHMEM_TEAM_INVALID");
    int outcome = 0;
    shmemx_rpc_event_t events[TEAM_WINDOW];
    for (int i = 0; i < members + TEAM_WINDOW; i++) {
        shmemx_rpc_event_t *event = &events[i % TEAM_WINDOW];
        int before = i - TEAM_WINDOW;
        if (before >= 0 && before < members) {
            int status = shmemx_rpc_wait(event, results ? (char *)results + (size_t)(unsigned)before * bytes : 0);
            if (status < 0 && outcome == 0) outcome = status;
        }
        if (i >= members) continue;
        kept = call;
        int pe = shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD);
        kept.arguments.integers[0] = (uintptr_t)shmemx_global(first, pe);
        *event = skerry_rpc_async(kind, bytes);
    }
    return outcome;
}

int shmemx_rpc_status(void) {
    return skerry_rpc_last_status;
}

int shmemx_rpc_class(int class) {
    int before = class_of_thread;
    if (class < 0 || class >= SKERRY_RPC_CLASSES)
        skerry_fail_values(__func__,
                           "class #: must be SHMEMX_RPC_URGENT (0), SHMEMX_RPC_NORMAL (1) or SHMEMX_RPC_BACKGROUND (2)",
                           (long[]){class}, 1);
    class_of_thread = class;
    return before;
}

int shmemx_rpc_when_full(int policy) {
    int before = when_full;
    if (policy < SHMEMX_RPC_RUN || policy > SHMEMX_RPC_REFUSE)
        skerry_fail_values(__func__,
                           "policy #: must be SHMEMX_RPC_RUN (0), SHMEMX_RPC_WAIT (1) or SHMEMX_RPC_REFUSE (2)",
                           (long[]){policy}, 1);
    when_full = policy;
    return before;
}
