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

// -- Executing jobs -----------------------------------------------------------------------------------------------------

static __attribute__((noinline)) void note_end(uint32_t source) {
    const uint32_t bit = skerry_bit_of_program((int)pe_of(source));
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

// The handlers of messages know what an ended program means for their model. The functions that execute a job are called last,
// so this function saves no registers.
static __attribute__((noinline)) void run_job(const volatile struct skerry_mppa_job *job) {
    const uint32_t source = job->kind_and_source, kind = source & SKERRY_MPPA_JOB_KIND;
    if (kind == SKERRY_MPPA_JOB_SEND) skerry_execute_message(job); // the first test, because it has the longest way
    else if (kind < SKERRY_MPPA_JOB_WIDE) change_32(job, kind, source);
    else if (kind < SKERRY_MPPA_JOB_GET) change_64(job, kind - SKERRY_MPPA_JOB_WIDE, source);
    else if (__builtin_expect(kind == SKERRY_MPPA_JOB_CONFIRM, true)) answer_without_data(source);
    else if (kind <= SKERRY_MPPA_JOB_GET_STRIDED) answer_get(job, source, kind == SKERRY_MPPA_JOB_GET_STRIDED);
    else if (kind >= SKERRY_MPPA_JOB_ENDED) execute_rare(job, kind, source);
    else skerry_execute_message(job);
}

// -- Rings -------------------------------------------------------------------------------------------------------------

// A ring of jobs or replies, which arrive by one DMA unit. `left` have arrived, when the tag's count was last loaded, and have
// not been executed. The count is loaded again only when there is none, because a load of a register takes as long as a
// fifth of a short job. While a job is executed, an inner call of run_jobs can execute any number of further jobs, more than
// the count's 16 bits tell. It does so with the same variables, so they are right for the outer call too.
// test/model/mppa_counts.pml has this loop.
struct ring {
    const volatile struct skerry_mppa_job *next;
    uint32_t counted; // the count; its lower 16 bits are valid
    uint32_t left;
};

// What does not change in a ring. For the only unit of a cluster the compiler knows it, so its server loads nothing for it.
struct place_of_ring {
    const volatile struct skerry_mppa_job *first, *end;
    const volatile uint32_t *count; // of the unit's tag
};

static struct ring job_rings[SKERRY_MPPA_UNITS_OF_IO_NODE], reply_rings[SKERRY_MPPA_UNITS_OF_IO_NODE];
static uint32_t units = 1;    // of this node
static uint32_t current_unit; // whose jobs an I/O node executes now

static inline __attribute__((always_inline)) struct place_of_ring place_of_jobs(uint32_t unit, uint32_t of) {
    const struct skerry_mppa_ring_slots slots = skerry_ring_slots(unit, of, SKERRY_MPPA_JOBS_OF_PE);
    return (struct place_of_ring){skerry_jobs + slots.first, skerry_jobs + slots.first + slots.count,
                                  skerry_tag_register_of(unit, SKERRY_MPPA_TAG_JOBS, SKERRY_MPPA_TAG_TRANSFERS)};
}

static inline __attribute__((always_inline)) struct place_of_ring place_of_replies(uint32_t unit, uint32_t of) {
    const struct skerry_mppa_ring_slots slots = skerry_ring_slots(unit, of, SKERRY_MPPA_CREDIT_OF_SERVER);
    return (struct place_of_ring){skerry_replies + slots.first, skerry_replies + slots.first + slots.count,
                                  skerry_tag_register_of(unit, SKERRY_MPPA_TAG_REPLIES, SKERRY_MPPA_TAG_TRANSFERS)};
}

void skerry_server_begin(uint32_t units_of_node) {
    units = units_of_node;
    for (uint32_t unit = 0; unit < units; unit++) {
        job_rings[unit].next = place_of_jobs(unit, units).first;
        reply_rings[unit].next = place_of_replies(unit, units).first;
    }
}

// Returns the number of jobs that have arrived and have not been executed, or fewer, but 0 only if there is none.
static inline __attribute__((always_inline)) uint32_t find_in(struct ring *ring, struct place_of_ring place) {
    const uint32_t left = ring->left;
    if (left > 0) return left;
    const uint32_t count = *place.count;
    __asm__ volatile("fence r, rw" ::: "memory");
    const uint32_t arrived = (uint16_t)(count - ring->counted);
    ring->counted = count;
    return arrived;
}

// Returns the next one of `found` jobs, and advances the ring. This comes before the job's execution, because that can
// execute further jobs.
static inline __attribute__((always_inline)) const volatile struct skerry_mppa_job *
take_next(struct ring *ring, struct place_of_ring place, uint32_t found) {
    const volatile struct skerry_mppa_job *const job = ring->next;
    ring->left = found - 1;
    ring->next = job + 1 == place.end ? place.first : job + 1;
    return job;
}

static void keep_ring(const struct ring *ring, struct place_of_ring place, struct skerry_mppa_kept_ring *kept) {
    kept->slot = (uint32_t)(ring->next - place.first);
    kept->counted = ring->counted - ring->left; // the next server counts those that are left again
}

void skerry_server_keep(struct skerry_mppa_kept *kept) {
    for (uint32_t unit = 0; unit < units; unit++) {
        keep_ring(&job_rings[unit], place_of_jobs(unit, units), &kept->job_rings[unit]);
        keep_ring(&reply_rings[unit], place_of_replies(unit, units), &kept->reply_rings[unit]);
    }
}

void skerry_server_take_over(const struct skerry_mppa_kept *kept) {
    for (uint32_t unit = 0; unit < units; unit++) {
        job_rings[unit].next += kept->job_rings[unit].slot;
        job_rings[unit].counted = kept->job_rings[unit].counted;
        reply_rings[unit].next += kept->reply_rings[unit].slot;
        reply_rings[unit].counted = kept->reply_rings[unit].counted;
    }
}

// -- Replies -----------------------------------------------------------------------------------------------------------

// `of` is the number of the node's units, 1 as a constant for a cluster.
static inline __attribute__((always_inline)) bool run_replies(uint32_t of) {
    bool any = false;
    for (uint32_t unit = 0; unit < of; unit++) {
        const struct place_of_ring place = place_of_replies(unit, of);
        for (uint32_t found; (found = find_in(&reply_rings[unit], place)) > 0; any = true)
            skerry_execute_message(take_next(&reply_rings[unit], place, found));
    }
    return any;
}

static __attribute__((noinline)) bool run_replies_of_io_node(void) {
    return run_replies(SKERRY_MPPA_UNITS_OF_IO_NODE);
}

void skerry_server_run_replies(void) {
    if (units == 1) run_replies(1);
    else run_replies_of_io_node();
}

// -- Jobs --------------------------------------------------------------------------------------------------------------

// Looks for jobs in the ring of the current unit, and then in those of the others. The first one that has jobs becomes the
// current unit. test/model/mppa_rings.pml is a model of it.
static inline uint32_t find_jobs_of_io_node(void) {
    for (uint32_t i = 0; i < SKERRY_MPPA_UNITS_OF_IO_NODE; i++) {
        const uint32_t unit = current_unit;
        const uint32_t found = find_in(&job_rings[unit], place_of_jobs(unit, SKERRY_MPPA_UNITS_OF_IO_NODE));
        if (found > 0) return found;
        current_unit = (unit + 1) % SKERRY_MPPA_UNITS_OF_IO_NODE;
    }
    return 0;
}

// Executes at most JOBS_AT_ONCE jobs, and returns their number. Some PEs that wait for answers can send jobs as fast as a server
// executes them. The rest of the server's work, and the jobs of the other units, must not wait until they stop, because they
// may wait for it.
#define JOBS_AT_ONCE 32u
static inline __attribute__((always_inline)) uint32_t run_jobs(void) {
    uint32_t more = JOBS_AT_ONCE;
    for (uint32_t found; more > 0 && (found = find_in(&job_rings[0], place_of_jobs(0, 1))) > 0; more--)
        run_job(take_next(&job_rings[0], place_of_jobs(0, 1), found));
    return JOBS_AT_ONCE - more;
}

static __attribute__((noinline)) uint32_t run_jobs_of_io_node(void) {
    uint32_t more = JOBS_AT_ONCE;
    for (uint32_t found; more > 0 && (found = find_jobs_of_io_node()) > 0; more--) {
        const uint32_t unit = current_unit;
        run_job(take_next(&job_rings[unit], place_of_jobs(unit, SKERRY_MPPA_UNITS_OF_IO_NODE), found));
    }
    if (more == 0) current_unit = (current_unit + 1) % SKERRY_MPPA_UNITS_OF_IO_NODE;
    return JOBS_AT_ONCE - more;
}

void skerry_server_run_jobs(void) {
    skerry_server_run_replies();
    if (units == 1) run_jobs();
    else run_jobs_of_io_node();
}

// -- The loop ----------------------------------------------------------------------------------------------------------

// The interrupts are cleared before the counts are loaded. A job that comes after the load raises one again, and then the
// instruction WFI does not sleep.
static inline SKERRY_NORETURN __attribute__((always_inline)) void serve(bool is_io_node) {
    __asm__ volatile("csrs mie, %0" : : "r"(NOTIFIED | SOFTWARE));
    for (;;) {
        __asm__ volatile("csrc mip, %0" : : "r"(NOTIFIED) : "memory");
        const uint32_t jobs = is_io_node ? run_jobs_of_io_node() : run_jobs();
        bool is_idle = jobs == 0;
        if (is_io_node ? run_replies_of_io_node() : run_replies(1)) is_idle = false;
        if (!is_idle && jobs < JOBS_AT_ONCE) continue;
        *(volatile uint32_t *)SKERRY_INTERRUPT_REGISTER = 0;
        if (skerry_all_have_ended()) skerry_end_all();
        if (skerry_server_run_requests && skerry_server_run_requests()) continue;
        if (skerry_server_run_noc_handlers && skerry_server_run_noc_handlers()) continue;
        if (skerry_server_watch && skerry_server_watch()) continue;
        if (is_idle) __asm__ volatile("wfi" ::: "memory");
    }
}

void skerry_server_run(void) {
    if (units == 1) serve(false);
    serve(true);
}
