// SPDX-License-Identifier: BSD-3-Clause
// Runs the server of a PE on the last core of its cluster, the resource manager. It executes the jobs of other PEs
// (jobs.h), and sleeps while there are none. To execute a job it never waits for a core: its packets need only the data
// network.
#pragma GCC optimize "O2"
#include "jobs.h"
#include "start.h"

SKERRY_MPPA_COMMON("always.jobs") volatile struct skerry_mppa_job skerry_jobs[SKERRY_MPPA_JOB_SLOTS];
SKERRY_MPPA_COMMON("always.jobs") volatile struct skerry_mppa_job skerry_replies[SKERRY_MPPA_REPLY_SLOTS];
volatile uint32_t skerry_server_ended;

// Bytes from which on a micro-core answers a get.
#define BY_MICRO_CORE 192u

static uint32_t answers_by_micro_core[SKERRY_MPPA_UNITS_OF_IO_NODE]; // numbers of such answers by each unit

static uint32_t tag_of(uint32_t source) {
    return source >> SKERRY_MPPA_JOB_TAG_SHIFT & 0xff;
}

static uint32_t pe_of(uint32_t source) {
    return source >> SKERRY_MPPA_JOB_PE_SHIFT;
}

// Answers to a job by a micro-core. The route is that of the asking PE. The unit's headers are used in turn (network.h).
static inline __attribute__((always_inline)) void start_answer(const struct skerry_blocks *copy, uint32_t source) {
    const uint32_t way = skerry_answer_routes[pe_of(source)], unit = way >> SKERRY_MPPA_ANSWER_UNIT_SHIFT;
    const uint32_t number = answers_by_micro_core[unit]++;
    const uint32_t header = SKERRY_MPPA_HEADER_ANSWERS_BY_MICRO_CORE + number % SKERRY_MPPA_ANSWERS_BY_MICRO_CORE;
    const uint32_t at =
        unit * SKERRY_MPPA_REGISTERS_BYTES + SKERRY_MPPA_HEADERS_BASE + header * SKERRY_MPPA_HEADER_BYTES;
    SKERRY_MPPA_REGISTER(uint32_t, at + SKERRY_MPPA_HEADER_ROUTE) = way & SKERRY_MPPA_ANSWER_ROUTE;
    SKERRY_MPPA_REGISTER(uint32_t, at + SKERRY_MPPA_HEADER_TARGET) = SKERRY_MPPA_HEADER_VALID | tag_of(source);
    skerry_micro_answer(copy, header, number % SKERRY_MPPA_SERVER_MICRO_CORES, unit);
}

// The memory that a job is about.
static void *place_of(const volatile struct skerry_mppa_job *job) {
    return (void *)(uintptr_t)(job->place + SKERRY_MPPA_MEMORY);
}

static inline __attribute__((always_inline)) void answer_without_data(uint32_t source) {
    SKERRY_MPPA_REGISTER(uint32_t, SKERRY_MPPA_END_BASE + 4 * skerry_answer_header(source)) = 0;
}

static uint32_t answer_place(uint32_t source) {
    return skerry_offset(&skerry_answers[tag_of(source) - SKERRY_MPPA_TAG_ANSWERS]);
}

static void answer_32(uint32_t source, uint32_t value) {
    const uint32_t header = skerry_answer_header(source);
    skerry_packet_offset(answer_place(source));
    *(volatile uint32_t *)(void *)skerry_send_end_address(header) = value;
}

static void answer_64(uint32_t source, uint64_t value) {
    const uint32_t header = skerry_answer_header(source);
    skerry_packet_offset(answer_place(source));
    *(volatile uint32_t *)(void *)skerry_push_address() = (uint32_t)value;
    *(volatile uint32_t *)(void *)(skerry_send_end_address(header) + 4) = (uint32_t)(value >> 32);
}

// -- Gets --------------------------------------------------------------------------------------------------------------

static __attribute__((noinline)) void answer_by_micro_core(const volatile struct skerry_mppa_job *job, uint32_t source,
                                                           bool strided) {
    struct skerry_blocks copy = {place_of(job), job->to, job->block_bytes, 1, 0, 0};
    if (strided)
        copy.blocks = job->blocks, copy.source_stride = job->source_stride, copy.offset_stride = job->to_stride;
    start_answer(&copy, source);
}

// Calls other functions at its end, so it saves no registers.
static void answer_get(const volatile struct skerry_mppa_job *job, uint32_t source, bool strided) {
    const uint32_t bytes = job->block_bytes;
    if (strided || bytes >= BY_MICRO_CORE) answer_by_micro_core(job, source, strided);
    else skerry_send_bytes(skerry_answer_header(source), job->to, place_of(job), bytes, true);
}

// -- Atomic operations -------------------------------------------------------------------------------------------------

// Not inlined, because the server would save registers for each job, as the next function.
static __attribute__((noinline)) void change_32(const volatile struct skerry_mppa_job *job, uint32_t kind,
                                                uint32_t source) {
    uint32_t *word = place_of(job);
    const uint32_t value = job->value[0];
    uint32_t old = 0;
    switch ((enum skerry_far_operation)kind) {
    case SKERRY_FAR_LOAD: old = *(volatile uint32_t *)word; break;
    case SKERRY_FAR_SWAP: old = __atomic_exchange_n(word, value, __ATOMIC_RELAXED); break;
    case SKERRY_FAR_COMPARE_SWAP: old = skerry_near_compare_swap_32(word, job->expected[0], value); break;
    case SKERRY_FAR_FETCH_ADD:
    case SKERRY_FAR_ADD: old = __atomic_fetch_add(word, value, __ATOMIC_RELAXED); break;
    case SKERRY_FAR_FETCH_AND:
    case SKERRY_FAR_AND: old = __atomic_fetch_and(word, value, __ATOMIC_RELAXED); break;
    case SKERRY_FAR_FETCH_OR:
    case SKERRY_FAR_OR: old = __atomic_fetch_or(word, value, __ATOMIC_RELAXED); break;
    case SKERRY_FAR_FETCH_XOR:
    case SKERRY_FAR_XOR: old = __atomic_fetch_xor(word, value, __ATOMIC_RELAXED); break;
    case SKERRY_FAR_STORE: *(volatile uint32_t *)word = value; break;
    }
    if (kind >= SKERRY_FAR_STORE) answer_without_data(source);
    else answer_32(source, old);
}

static __attribute__((noinline)) void change_64(const volatile struct skerry_mppa_job *job, uint32_t kind,
                                                uint32_t source) {
    void *word = place_of(job);
    const uint64_t value = (uint64_t)job->value[1] << 32 | job->value[0];
    const uint64_t expected = (uint64_t)job->expected[1] << 32 | job->expected[0];
    const uint64_t old = skerry_near_change_64((enum skerry_far_operation)kind, word, value, expected);
    if (kind >= SKERRY_FAR_STORE) answer_without_data(source);
    else answer_64(source, old);
}

// Bits of the registers MIE and MIP: the DMA unit, or a mailbox, has notified this core; another core of the cluster has
// interrupted it. The interrupts are enabled in MIE but not in MSTATUS, so they end a sleep and call no handler.
#define NOTIFIED (1u << 16)
#define SOFTWARE (1u << 3)
#define SKERRY_INTERRUPT_REGISTER 0xf0000u // MSIP of this core (../cluster/internal.h)

// -- The loop ----------------------------------------------------------------------------------------------------------

static __attribute__((noinline)) void note_end(uint32_t source) {
    const uint32_t bit = 1u << (source >> SKERRY_MPPA_JOB_PE_SHIFT);
    __atomic_fetch_and((uint32_t *)(uintptr_t)&skerry_running_pes, ~bit, __ATOMIC_RELEASE);
    answer_without_data(source);
}

// Ends this server: another program will be started on this cluster. Jobs that arrive from now on are executed by its server.
// A thread that still runs could send a job behind the counts that are kept (test/model/mppa_programs.pml).
static __attribute__((noinline)) void stop(uint32_t source) {
    const uint32_t threads = &skerry_threads_running ? SKERRY_LOAD_ACQUIRE(&skerry_threads_running) : 0;
    if (threads > 0)
        skerry_fail_values("mppa_power_base_spawn",
                           "another program is started on this PE, but threads of the earlier one still run: #",
                           (long[]){(long)threads}, 1);
    skerry_keep();
    answer_without_data(source);
    __asm__ volatile("csrw mie, zero");
    for (;;) __asm__ volatile("wfi" ::: "memory");
}

static __attribute__((noinline)) void execute_rare(const volatile struct skerry_mppa_job *job, uint32_t kind,
                                                   uint32_t source) {
    if (kind == SKERRY_MPPA_JOB_SWAP_UPPER) answer_32(source, skerry_near_swap_upper_32(place_of(job), job->value[0]));
    else if (kind == SKERRY_MPPA_JOB_ENDED) note_end(source);
    else stop(source);
}

// Used in a program that has no messages. Another PE can send one only to an earlier program of this PE, which has ended.
__attribute__((weak, noinline)) void skerry_execute_message(const volatile struct skerry_mppa_job *job) {
    skerry_fail_values("a message to a queue or segment",
                       "PE # has sent it to this PE's program, which has none: the program that had it has ended",
                       (long[]){(long)pe_of(job->kind_and_source)}, 1);
}

// The handlers of messages know what an ended program means for their model.
static inline void execute(const volatile struct skerry_mppa_job *job) {
    const uint32_t source = job->kind_and_source, kind = source & SKERRY_MPPA_JOB_KIND;
    if (kind == SKERRY_MPPA_JOB_SEND) skerry_execute_message(job); // the first test, because it has the longest way
    else if (kind < SKERRY_MPPA_JOB_WIDE) change_32(job, kind, source);
    else if (kind < SKERRY_MPPA_JOB_GET) change_64(job, kind - SKERRY_MPPA_JOB_WIDE, source);
    else if (__builtin_expect(kind == SKERRY_MPPA_JOB_CONFIRM, true)) answer_without_data(source);
    else if (kind <= SKERRY_MPPA_JOB_GET_STRIDED) answer_get(job, source, kind == SKERRY_MPPA_JOB_GET_STRIDED);
    else if (kind >= SKERRY_MPPA_JOB_ENDED) execute_rare(job, kind, source);
    else skerry_execute_message(job);
}

// -- Replies -----------------------------------------------------------------------------------------------------------

static uint16_t replies_done; // modulo 2^16
static uint32_t reply_slot;

// The slot is advanced first, because the message's execution can call this function again.
__attribute__((noinline)) void skerry_server_run_replies(void) {
    while (replies_done != skerry_tag_transfers(SKERRY_MPPA_TAG_REPLIES)) {
        const volatile struct skerry_mppa_job *job = &skerry_replies[reply_slot];
        reply_slot = (reply_slot + 1) % SKERRY_MPPA_REPLY_SLOTS;
        replies_done++;
        skerry_execute_message(job);
    }
}

// Jobs that have arrived, when the tag's count was last loaded, and that have not been executed. The count is loaded again only
// when there is none, because a load of a register takes as long as a fifth of a short job. While a job is executed, an inner
// call of run_jobs can execute any number of further jobs, more than the count's 16 bits tell. It does so with the same variables,
// so they are right for the outer call too. test/model/mppa_counts.pml has this loop.
static uint32_t jobs_left;
static uint32_t jobs_counted; // the count; its lower 16 bits are valid
static const volatile struct skerry_mppa_job *next_job = skerry_jobs;

// Returns the number of jobs that have arrived and have not been executed, or fewer, but 0 only if there is none.
static inline __attribute__((always_inline)) uint32_t find_jobs(void) {
    const uint32_t left = jobs_left;
    if (left > 0) return left;
    const uint32_t count = *skerry_tag_register(SKERRY_MPPA_TAG_JOBS, SKERRY_MPPA_TAG_TRANSFERS);
    __asm__ volatile("fence r, rw" ::: "memory");
    const uint32_t arrived = (uint16_t)(count - jobs_counted);
    jobs_counted = count;
    return arrived;
}

// Executes the next one of `jobs` that have been found. The variables are changed first, because the execution can execute
// further jobs, while a function of a remote procedure call waits (skerry_serve_while_waiting). The functions that execute it
// are called last, so this function saves no registers.
static __attribute__((noinline)) void run_next_job(uint32_t jobs) {
    const volatile struct skerry_mppa_job *const job = next_job;
    jobs_left = jobs - 1;
    next_job = job + 1 == skerry_jobs + SKERRY_MPPA_JOB_SLOTS ? skerry_jobs : job + 1;
    execute(job);
}

// Executes at most JOBS_AT_ONCE jobs, and returns their number. Some PEs that wait for answers can send jobs as fast as a server
// executes them. The rest of the server's work must not wait until they stop, because they may wait for it.
#define JOBS_AT_ONCE 32u
static inline __attribute__((always_inline)) uint32_t run_jobs(void) {
    uint32_t more = JOBS_AT_ONCE;
    for (uint32_t jobs; more > 0 && (jobs = find_jobs()) > 0; more--) run_next_job(jobs);
    return JOBS_AT_ONCE - more;
}

void skerry_server_keep(struct skerry_mppa_kept *kept) {
    kept->job_slot = (uint32_t)(next_job - skerry_jobs);
    kept->jobs_done = jobs_counted - jobs_left; // the next server counts those that are left again
    kept->reply_slot = reply_slot;
    kept->replies_done = replies_done;
}

void skerry_server_take_over(const struct skerry_mppa_kept *kept) {
    next_job = &skerry_jobs[kept->job_slot];
    jobs_counted = kept->jobs_done;
    reply_slot = kept->reply_slot;
    replies_done = (uint16_t)kept->replies_done;
}

void skerry_server_run_jobs(void) {
    skerry_server_run_replies();
    run_jobs();
}

// The interrupts are cleared before the counts are loaded. A job that comes after the load raises one again, and then the
// instruction WFI does not sleep.
void skerry_server_run(void) {
    __asm__ volatile("csrs mie, %0" : : "r"(NOTIFIED | SOFTWARE));
    for (;;) {
        __asm__ volatile("csrc mip, %0" : : "r"(NOTIFIED) : "memory");
        const uint32_t jobs = run_jobs();
        bool is_idle = jobs == 0;
        if (replies_done != skerry_tag_transfers(SKERRY_MPPA_TAG_REPLIES)) {
            skerry_server_run_replies();
            is_idle = false;
        }
        if (!is_idle && jobs < JOBS_AT_ONCE) continue;
        *(volatile uint32_t *)SKERRY_INTERRUPT_REGISTER = 0;
        if (skerry_all_have_ended()) skerry_end_all();
        if (skerry_server_run_requests && skerry_server_run_requests()) continue;
        if (skerry_server_run_noc_handlers && skerry_server_run_noc_handlers()) continue;
        if (skerry_server_watch && skerry_server_watch()) continue;
        if (is_idle) __asm__ volatile("wfi" ::: "memory");
    }
}
