// SPDX-License-Identifier: BSD-3-Clause
// Defines jobs: what a core asks the server of another PE to do. The server is the resource manager, the last core of the
// cluster. test/model/mppa_jobs.pml checks the protocol.
// * A job is one packet. It goes to the next slot of a ring in the server's memory, and its end of transfer notifies the
//   server. A cluster has one ring. An I/O node has one for each of its DMA units, because the place of the next slot is a
//   register of the unit; each PE uses one of them.
// * The server executes the jobs of a ring in the order of their arrival. It answers each one by an end of transfer of the tag that
//   the job names, behind the data if there are any. This is the asking core's tag ANSWERS, so a core knows how many of
//   its jobs are done.
// * A core has at most a fixed number of jobs without an answer (its credit). The ring has a slot for each job of all
//   cores of all PEs, so it is never full.
// * Packets arrive in the order in which the cores of a PE have sent them. So the answer to a job also says that the
//   earlier puts of this PE to the server's PE are in memory.
// * A message of a core (message.c) is a job.
//
// The server itself is a sender too. test/model/mppa_servers.pml checks why servers never wait for each other in a circle:
// * A function that the server runs for another PE (requests.c) sends jobs. Each of its waits executes the jobs and
//   replies that have arrived (skerry_serve_while_waiting).
// * A handler of a message sends replies: messages in a second ring, REPLIES. A handler waits only for credit for a reply,
//   and executes the replies that have arrived meanwhile.
// * A handler of a reply sends nothing.
// Replies have a credit and a tag for answers of their own, because a handler runs while a function waits for its answers.
//
// A PE that ends tells all servers so by jobs, and waits for the answers. From then on the other PEs refuse to start
// operations on its memory. Its server still answers: an operation that was under way does no harm.
#ifndef SKERRY_MACHINE_MPPA_JOBS_H
#define SKERRY_MACHINE_MPPA_JOBS_H

#include "network.h"

// The words of a job. A job that needs fewer words is a shorter packet; the rest of its slot has old values.
struct skerry_mppa_job {
    // Bits 0 to 7: kind, bits 8 to 15: tag of the sender that counts the answer, bits 16 to 31: PE of the sender
    _Alignas(8) uint32_t kind_and_source;
    // Offset, in the server's memory, of the word, or of the source of a get. Of a message: bits 0 to 15: bytes, bits 16
    // to 23: number of the handler, bits 24 to 31: 0, or 1 + number of the letter that has the message
    uint32_t place;
    union {
        uint8_t message[56];
        struct {
            uint32_t value[2], expected[2]; // lower half first; 32 bits: only the first one
        };
        struct {
            uint32_t to, block_bytes, blocks, source_stride, to_stride; // of a get
        };
    };
};
_Static_assert(sizeof(struct skerry_mppa_job) == SKERRY_MPPA_PUSH_BYTES, "a job is one packet of a core");

// Memory that has the same addresses in all programs of a job (mppa.ld). The programs of a job can be different ones
// (programs.c), and PEs find these variables in each other's memory. PART is one of the parts that mppa.ld lists, or "always."
// with the name of the file's variables, by which mppa.ld orders them.
#define SKERRY_MPPA_COMMON(PART) __attribute__((section(".bss.skerry_common." PART)))

// Kinds. The first ones are atomic operations: enum skerry_far_operation, and WIDE for words of 64 bits.
#define SKERRY_MPPA_JOB_WIDE 16u
#define SKERRY_MPPA_JOB_GET 32u         // one block
#define SKERRY_MPPA_JOB_GET_STRIDED 33u // several blocks
#define SKERRY_MPPA_JOB_CONFIRM 34u     // does nothing; the answer confirms earlier puts
#define SKERRY_MPPA_JOB_ASK 35u         // a message; the answer has what its handler returns
#define SKERRY_MPPA_JOB_SEND 36u        // a message
#define SKERRY_MPPA_JOB_REQUEST 37u     // a message whose handler's result is put to the address that is in front of it
#define SKERRY_MPPA_JOB_ENDED 38u       // the sender's program has ended
#define SKERRY_MPPA_JOB_STOP 39u        // PE 0 will start another program on this PE (programs.c)
#define SKERRY_MPPA_JOB_SWAP_UPPER 40u  // skerry_atomic_swap_upper_32
#define SKERRY_MPPA_JOB_REQUESTER 128u  // set in each job, so that the first word is never 0
#define SKERRY_MPPA_JOB_KIND 127u
#define SKERRY_MPPA_JOB_TAG_SHIFT 8u
#define SKERRY_MPPA_JOB_PE_SHIFT 16u

// Jobs that a core may have without an answer. The first core of a PE runs main, and most programs communicate only there.
// With 4 jobs under way, posted atomics keep a server busy: it needs 260 cycles for each, and the round trip takes 450.
#define SKERRY_MPPA_CREDIT_OF_FIRST 16u
#define SKERRY_MPPA_CREDIT 3u
#define SKERRY_MPPA_BEGUN_GETS 16u // gets of a PE that go on while its cores compute
#define SKERRY_MPPA_JOBS_OF_PE                                                                                         \
    (SKERRY_MPPA_CREDIT_OF_FIRST + (SKERRY_MPPA_CORES - 2) * SKERRY_MPPA_CREDIT + SKERRY_MPPA_BEGUN_GETS +             \
     SKERRY_MPPA_CREDIT_OF_SERVER)
#define SKERRY_MPPA_JOB_SLOTS (SKERRY_PES_MAX * SKERRY_MPPA_JOBS_OF_PE)
// Jobs of functions that a server runs, and also its replies, that may be without an answer.
#define SKERRY_MPPA_CREDIT_OF_SERVER 4u
#define SKERRY_MPPA_REPLY_SLOTS (SKERRY_PES_MAX * SKERRY_MPPA_CREDIT_OF_SERVER)

// PEs whose jobs arrive at each unit of an I/O node: the clusters of a column. The first unit also has the other I/O node.
#define SKERRY_MPPA_PES_OF_UNIT 4u
#define SKERRY_MPPA_PES_OF_FIRST_UNIT (SKERRY_MPPA_PES_OF_UNIT + 2)
_Static_assert(SKERRY_MPPA_PES_OF_FIRST_UNIT + (SKERRY_MPPA_UNITS_OF_IO_NODE - 1) * SKERRY_MPPA_PES_OF_UNIT ==
                   SKERRY_PES_MAX,
               "the rings of an I/O node are as large as that of a cluster");

// What a core has started. Only this core writes it; another core's quiet reads it. `jobs` and `answers` are modulo 2^16, as
// the counts of tags, and differ by at most the credit. Its size is a power of 2, so that its number is found without a product.
struct skerry_requester {
    _Alignas(
        32) uint32_t source; // tag and PE, as in the first word of a job; 0: the core has not started an operation yet
    volatile uint16_t jobs;  // sent
    uint16_t answers;        // of the tag ANSWERS, when this core last loaded it
    volatile uint32_t puts;  // by micro-cores, started; a put's number is this count behind its start
    uint32_t puts_sent;      // all puts with smaller and equal numbers had been sent when a fence last looked
    uint16_t credit;
    // True if this core has sent an atomic operation without a result that has possibly not been performed yet. The
    // packets of a later put would overtake it: they do not wait for the server.
    volatile bool has_posted;
    bool has_begun; // this core has begun a put that its micro-core has possibly not sent yet (begun.c)
};
// The last one is of the replies of the server.
#define SKERRY_MPPA_REPLIER SKERRY_MPPA_CORES
extern struct skerry_requester skerry_requesters[SKERRY_MPPA_CORES + 1];

extern SKERRY_PER_THREAD int skerry_worker_number; // ../cluster/worker.c: the number of this core in its cluster

// Where the server stores the old value of an atomic operation: one word for each core, at the same address in each PE.
extern volatile uint64_t skerry_answers[SKERRY_MPPA_CORES];

// The rings of jobs, one behind the other, which only packets change, and the server reads.
extern volatile struct skerry_mppa_job skerry_jobs[SKERRY_MPPA_JOB_SLOTS];
extern volatile struct skerry_mppa_job skerry_replies[SKERRY_MPPA_REPLY_SLOTS];

// The memory of long messages, one behind the other (message.c). NULL: the program sends no messages.
#define SKERRY_MPPA_LETTER_BYTES (SKERRY_FAR_MESSAGE_MAX + 8)
#define SKERRY_MPPA_LETTERS 2 // of one PE at another
#define SKERRY_MPPA_LETTERS_BYTES (SKERRY_PES_MAX * SKERRY_MPPA_LETTERS * SKERRY_MPPA_LETTER_BYTES)
extern uint8_t skerry_letters[SKERRY_PES_MAX][SKERRY_MPPA_LETTERS][SKERRY_MPPA_LETTER_BYTES] __attribute__((weak));

// The slots of the ring of one of a node's DMA units, in skerry_jobs or skerry_replies. `slots` is the number for each PE.
struct skerry_mppa_ring_slots {
    uint32_t first, count;
};
SKERRY_ALWAYS_INLINE struct skerry_mppa_ring_slots skerry_ring_slots(uint32_t unit, uint32_t units, uint32_t slots) {
    if (units == 1) return (struct skerry_mppa_ring_slots){0, SKERRY_PES_MAX * slots};
    if (unit == 0) return (struct skerry_mppa_ring_slots){0, SKERRY_MPPA_PES_OF_FIRST_UNIT * slots};
    const uint32_t pes_before = SKERRY_MPPA_PES_OF_FIRST_UNIT + (unit - 1) * SKERRY_MPPA_PES_OF_UNIT;
    return (struct skerry_mppa_ring_slots){pes_before * slots, SKERRY_MPPA_PES_OF_UNIT * slots};
}

// Executes the message of a job, in the server: the part of the server that only programs with messages contain.
// Sends the answer too.
void skerry_execute_message(const volatile struct skerry_mppa_job *job);
// Returns the header of packets to the tag that a job names. `source` is the first word of the job. The header is valid
// until the next call. Only the server calls this function.
SKERRY_ALWAYS_INLINE uint32_t skerry_answer_header(uint32_t source) {
    const uint32_t pe = source >> SKERRY_MPPA_JOB_PE_SHIFT;
    uint32_t target = SKERRY_MPPA_HEADER_BYTES * pe;
    // The compiler would add the constants to `pe` first, which takes two instructions more.
    __asm__("" : "+r"(target));
    SKERRY_MPPA_REGISTER(uint32_t, SKERRY_MPPA_HEADERS_BASE + SKERRY_MPPA_HEADER_ANSWERS * SKERRY_MPPA_HEADER_BYTES +
                                       SKERRY_MPPA_HEADER_TARGET + target) =
        SKERRY_MPPA_HEADER_VALID | (source >> SKERRY_MPPA_JOB_TAG_SHIFT & 0xff);
    return SKERRY_MPPA_HEADER_ANSWERS + pe;
}
// Executes replies that have arrived. Only the server calls it.
void skerry_server_run_replies(void);
// Executes jobs and replies that have arrived. Only the server calls it, in a function that it runs and that waits.
void skerry_server_run_jobs(void);
// Runs handlers of interrupts that are due (requests.c). Returns true if it has run one. Only the server calls it.
bool skerry_server_run_requests(void) __attribute__((weak));
// Called by the server when it has no job. Returns true if it must be called again soon.
bool skerry_server_watch(void) __attribute__((weak));

// Runs handlers of the networks' events (noc.c). Returns true if one has run. Only the server calls it.
bool skerry_server_run_noc_handlers(void) __attribute__((weak));
// Closes the program's mailboxes and tags at its end.
void skerry_noc_end(void) __attribute__((weak));

// PEs to which this PE has sent puts since the last quiet: a bit for each.
extern volatile uint32_t skerry_unconfirmed;

// Rarely needed parts of the next functions (request.c). The first one calls no function, so its callers save few registers.
void skerry_requester_begin(struct skerry_requester *requester);
SKERRY_NORETURN void skerry_refuse_target(int pe);
SKERRY_NORETURN void skerry_refuse_pe(int pe); // ../chip/fail.c
void skerry_await_credit(struct skerry_requester *requester);

SKERRY_ALWAYS_INLINE uint32_t skerry_core_of(const struct skerry_requester *requester) {
    return (uint32_t)(requester - skerry_requesters);
}

// Returns true if the micro-core has sent put `number` of a core. The tag's 16 bits tell it only of a recent put. An older
// one has left the micro-core's queue, because more puts were started since than the queue has room for.
SKERRY_ALWAYS_INLINE bool skerry_is_put_sent(const struct skerry_requester *requester, uint32_t number) {
    if (requester->puts - number >= SKERRY_MPPA_MICRO_CORE_JOBS) return true;
    const uint32_t tag = SKERRY_MPPA_TAG_SENT + skerry_core_of(requester);
    return (int16_t)(skerry_tag_transfers(tag) - number) >= 0;
}

// PEs whose memory may be accessed: a bit for each PE of the job whose program has not ended. In a job of several programs the
// memory of the last PE may be accessed from the moment when its DDR is open (common_memory.c). Then LAST_RUNS says whether its
// program has not ended.
extern volatile uint32_t skerry_running_pes;
#define SKERRY_MPPA_LAST_RUNS (1u << SKERRY_PES_MAX)

SKERRY_ALWAYS_INLINE bool skerry_is_running_pe(int pe) {
    return (uint32_t)pe < SKERRY_PES_MAX && skerry_running_pes >> pe & 1;
}

// Returns the bit that tells whether the program of a PE runs.
SKERRY_ALWAYS_INLINE uint32_t skerry_bit_of_program(int pe) {
    return skerry_has_programs() && pe == skerry_facts.pe_count - 1 ? SKERRY_MPPA_LAST_RUNS : 1u << pe;
}

// Returns the calling core's record, which sends messages, also to PEs that have ended.
SKERRY_ALWAYS_INLINE struct skerry_requester *skerry_own_requester(void) {
    struct skerry_requester *requester = &skerry_requesters[skerry_worker_number];
    if (requester->source == 0) skerry_requester_begin(requester);
    return requester;
}

// Records that the calling core starts an operation on the memory of PE `pe`, and returns the core's record. Ends the job
// with a message if there is no such PE, or if its program has ended.
SKERRY_ALWAYS_INLINE struct skerry_requester *skerry_begin_operation(int pe) {
    if (!skerry_is_running_pe(pe)) skerry_refuse_target(pe);
    return skerry_own_requester();
}

// Called in each loop that waits for another PE or for another core of this PE.
SKERRY_ALWAYS_INLINE void skerry_serve_while_waiting(void) {
    if (skerry_worker_number == SKERRY_MPPA_SERVER) skerry_server_run_jobs();
}

SKERRY_ALWAYS_INLINE bool skerry_has_credit(const struct skerry_requester *requester) {
    return (uint16_t)(requester->jobs - requester->answers) < requester->credit;
}

// Sends a job of `count` words, 2 to 7, to PE `pe`. The first word is made of `kind` and the sender. The core has credit.
// `count` is a constant, so the compiler makes a store of each word.
SKERRY_ALWAYS_INLINE void skerry_send_job_at_once(struct skerry_requester *requester, uint32_t kind, int pe,
                                                  unsigned count, const uint32_t *words) {
    volatile uint32_t *push = (volatile uint32_t *)(void *)skerry_push_address();
    volatile uint32_t *send =
        (volatile uint32_t *)(void *)skerry_send_end_address(SKERRY_MPPA_HEADER_JOBS + (uint32_t)pe);
    skerry_compiler_fence();
    push[0] = kind | requester->source;
    for (unsigned i = 1; i < count - 1; i++) push[i] = words[i - 1];
    send[count - 1] = words[count - 2];
    requester->jobs++;
}

// Does the same. Waits if the core has no credit.
SKERRY_ALWAYS_INLINE void skerry_send_job(struct skerry_requester *requester, uint32_t kind, int pe, unsigned count,
                                          const uint32_t *words) {
    if (!skerry_has_credit(requester)) skerry_await_credit(requester);
    skerry_send_job_at_once(requester, kind, pe, count, words);
}

// Waits until all jobs of the calling core have been answered.
SKERRY_ALWAYS_INLINE void skerry_await_answers(struct skerry_requester *requester) {
    const uint32_t tag = SKERRY_MPPA_TAG_ANSWERS + skerry_core_of(requester);
    const uint16_t jobs = requester->jobs;
    while (skerry_tag_transfers(tag) != jobs)
        if (skerry_core_of(requester) == SKERRY_MPPA_SERVER) skerry_server_run_jobs();
    requester->answers = jobs;
    requester->has_posted = false;
}

// Returns true if a get cannot have its data written to `dest`, whose offset is `offset`: it is in the DDR of another PE. Its
// cores can store there, but not the DMA unit.
SKERRY_ALWAYS_INLINE bool skerry_is_other_ddr(const void *dest, uint32_t offset) {
    return __builtin_expect(offset >= SKERRY_MPPA_PARTITION_BYTES, 0) && skerry_owner(dest) != skerry_facts.my_pe;
}
// Gets blocks into the DDR of another PE (transfer.c). They are there when the function returns.
void skerry_get_to_other_ddr(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                             size_t block_bytes, size_t blocks, int pe);

// Records that this PE has sent a put to PE `pe`. Called behind the put: a quiet of another core confirms what was sent
// before.
SKERRY_ALWAYS_INLINE void skerry_note_put(int pe) {
    const uint32_t bit = 1u << pe;
    if (!(skerry_unconfirmed & bit))
        __atomic_fetch_or((uint32_t *)(uintptr_t)&skerry_unconfirmed, bit, __ATOMIC_RELAXED);
}

// Sends the job of an atomic operation without a result behind the puts that this core has begun, and returns at once.
// `words` are the three words behind the first one. Returns false, and sends nothing, if the micro-core has sent all of
// these puts (begun.c).
bool skerry_post_behind(struct skerry_requester *requester, uint32_t kind, int pe, const uint32_t *words)
    __attribute__((weak));

// A bit for each transfer that goes on while the cores compute (begun.c). Only programs with such transfers have it.
extern uint32_t skerry_begun_ready __attribute__((weak));

// Waits for the data of all gets that skerry_far_begin_get has begun (begun.c).
void skerry_await_begun_gets(void) __attribute__((weak));

// Starts a put of more than SKERRY_FAR_COPIED_MAX bytes, and a put of blocks, by a micro-core (transfer.c).
void skerry_put_by_micro_core(void *dest, const void *source, size_t bytes, int pe, struct skerry_requester *requester);
void skerry_start_put_strided(struct skerry_requester *requester, void *dest, const void *source, ptrdiff_t dest_stride,
                              ptrdiff_t source_stride, size_t block_bytes, size_t blocks, int pe);

// Waits until the micro-cores have sent all puts that the cores of this PE have started.
void skerry_await_puts_sent(void);

// Set when this PE's program has ended.
extern volatile uint32_t skerry_server_ended;

// -- Jobs of several programs ------------------------------------------------------------------------------------------

// On PE 0: a bit for each PE that runs a program with messages, and what has become of the program of each PE.
extern volatile uint32_t skerry_joined_pes;
extern volatile uint32_t skerry_outcomes[SKERRY_PES_MAX];
enum { SKERRY_NO_PROGRAM, SKERRY_PROGRAM_RUNS, SKERRY_PROGRAM_ENDED }; // bits 0 to 7; bits 8 to 15: exit code
#define SKERRY_OUTCOME_STATE 0xffu
#define SKERRY_OUTCOME_CODE_SHIFT 8

// What the programs of a cluster leave to the next one. The cluster's DMA unit goes on, and counts answers to jobs of an
// earlier program.
struct skerry_mppa_kept_ring {
    uint32_t slot, counted;
};
struct skerry_mppa_kept {
    uint32_t is_set_up; // the unit
    struct skerry_mppa_kept_ring job_rings[SKERRY_MPPA_UNITS_OF_IO_NODE], reply_rings[SKERRY_MPPA_UNITS_OF_IO_NODE];
    uint16_t jobs[SKERRY_MPPA_CORES + 1]; // of each requester
    uint16_t gets[SKERRY_MPPA_BEGUN_GETS];
};
extern struct skerry_mppa_kept skerry_kept;

// Stores what the next program gets, and takes over what an earlier one has stored (pe.c). skerry_server_keep does the same
// for the server's own counts.
void skerry_keep(void);
void skerry_server_begin(uint32_t units); // sets up the rings of a node with this number of DMA units
void skerry_server_keep(struct skerry_mppa_kept *kept);
void skerry_server_take_over(const struct skerry_mppa_kept *kept);
extern uint16_t skerry_gets_begun[SKERRY_MPPA_BEGUN_GETS]
    __attribute__((weak)); // with each tag GETS, modulo 2^16 (begun.c)

// POSIX threads of this PE that have not ended, without main (threads.c). Only programs with such threads have it.
extern uint32_t skerry_threads_running __attribute__((weak));

// Records at PE 0 that this PE's program has messages (programs_pe.c).
void skerry_join_programs(void);

// Records that the memory of PEs may be accessed: a bit for each (programs_pe.c).
void skerry_note_running(uint32_t pes);

// On PE 0: not 0 if the DDR of the last PE is open (common_memory.c).
extern volatile uint32_t skerry_ddr_is_open;

#endif
