// SPDX-License-Identifier: BSD-3-Clause
// Sends messages to other PEs, whose servers run the handlers. A message of up to 56 bytes is one packet, a job. A longer
// one is first put to a letter: memory at the target that belongs to the sending PE. The answer, behind the handler, frees
// the letter: it is a packet that sets the letter's word at the sender to 0.
//
// Messages that handlers send are replies (jobs.h).
#pragma GCC optimize "O2"
#include "jobs.h"
#include "start.h"

#define LETTERS SKERRY_MPPA_LETTERS

_Static_assert(SKERRY_FAR_REPLY_MAX == sizeof((struct skerry_mppa_job *)0)->message, "a reply is one packet");
#define REQUEST_BYTES (SKERRY_FAR_REPLY_MAX - 8) // the address for the refusal is in front of a request

SKERRY_MPPA_COMMON("messages")
_Alignas(8) uint8_t skerry_letters[SKERRY_PES_MAX][LETTERS][SKERRY_MPPA_LETTER_BYTES];
SKERRY_MPPA_COMMON("messages")
static uint32_t letters_in_use[SKERRY_PES_MAX][LETTERS]; // of this PE, at another one; 1: in use

// What a handler returned: for each core, at the same address in each PE.
struct answer {
    _Alignas(8) uint32_t bytes;
    uint32_t unused;
    uint8_t data[SKERRY_FAR_ANSWER_MAX];
};
SKERRY_MPPA_COMMON("messages") static volatile struct answer answers[SKERRY_MPPA_CORES];

static skerry_far_handler *volatile handlers[SKERRY_FAR_HANDLERS];

void skerry_far_set_handler(int number, skerry_far_handler *handler) {
    handlers[number] = handler;
}

void skerry_far_on_message(int number, skerry_far_handler *handler) {
    skerry_far_set_handler(number, handler);
    if (skerry_has_programs()) skerry_join_programs();
}

// -- Sending -----------------------------------------------------------------------------------------------------------

static uint32_t take_letter(int pe) {
    for (;; skerry_serve_while_waiting())
        for (uint32_t letter = 0; letter < LETTERS; letter++) {
            uint32_t *is_used = &letters_in_use[pe][letter];
            if (SKERRY_LOAD_ACQUIRE(is_used) == 0 && __atomic_exchange_n(is_used, 1, __ATOMIC_ACQUIRE) == 0)
                return letter;
        }
}

// True while the server runs a handler. Only the server uses it.
static bool is_in_message_handler;

// Returns the record of what sends a message: the replies of the server, or the calling core.
static struct skerry_requester *sender(int pe) {
    if ((uint32_t)pe >= (uint32_t)skerry_facts.pe_count) skerry_refuse_target(pe);
    if (skerry_worker_number == SKERRY_MPPA_SERVER && is_in_message_handler)
        return &skerry_requesters[SKERRY_MPPA_REPLIER];
    return skerry_own_requester();
}

static void await_credit_for_reply(struct skerry_requester *replier) {
    for (;;) {
        replier->answers = skerry_tag_transfers(SKERRY_MPPA_TAG_ANSWERS + SKERRY_MPPA_REPLIER);
        if (skerry_has_credit(replier)) return;
        skerry_server_run_replies();
    }
}

// Sends a job that has been built, except for its first word. `bytes` is the size of its message.
static void send_job(struct skerry_requester *requester, struct skerry_mppa_job *job, uint32_t kind, int pe,
                     size_t bytes) {
    const bool is_reply = skerry_core_of(requester) == SKERRY_MPPA_REPLIER;
    const uint32_t headers = is_reply ? SKERRY_MPPA_HEADER_REPLIES : SKERRY_MPPA_HEADER_JOBS;
    if (!skerry_has_credit(requester)) {
        if (is_reply) await_credit_for_reply(requester);
        else skerry_await_credit(requester);
    }
    job->kind_and_source = kind | requester->source;
    skerry_send_bytes(headers + (uint32_t)pe, 0, job, 8 + bytes, true);
    requester->jobs++;
}

// Sends a message in a letter. `front` is the word in front of it.
static void send_letter(struct skerry_requester *requester, uint32_t kind, int pe, int number, uint32_t front,
                        const void *message, size_t bytes) {
    const uint32_t letter = take_letter(pe);
    const uint32_t offset =
        (uint32_t)((uintptr_t)skerry_letters[skerry_facts.my_pe][letter] - (uintptr_t)skerry_letters);
    struct skerry_mppa_job job = {.place = (uint32_t)bytes | (uint32_t)number << 16 | (letter + 1) << 24};
    if (kind == SKERRY_MPPA_JOB_REQUEST) __builtin_memcpy(job.message, &front, sizeof front);
    skerry_send_bytes(SKERRY_MPPA_HEADER_LETTERS + (uint32_t)pe, offset, message, bytes, false);
    send_job(requester, &job, kind, pe, 8);
}

static void send(struct skerry_requester *requester, uint32_t kind, int pe, int number, uint32_t front,
                 const void *message, size_t bytes) {
    const size_t before = kind == SKERRY_MPPA_JOB_REQUEST ? 8 : 0;
    if (bytes > SKERRY_FAR_REPLY_MAX - before) {
        send_letter(requester, kind, pe, number, front, message, bytes);
        return;
    }
    struct skerry_mppa_job job;
    job.place = (uint32_t)bytes | (uint32_t)number << 16;
    if (before) __builtin_memcpy(job.message, &front, sizeof front);
    skerry_copy(job.message + before, message, bytes);
    send_job(requester, &job, kind, pe, before + bytes);
}

size_t skerry_far_ask(int pe, int number, const void *message, size_t bytes, void *answer) {
    struct skerry_requester *requester = sender(pe);
    send(requester, SKERRY_MPPA_JOB_ASK, pe, number, 0, message, bytes);
    skerry_await_answers(requester);
    const struct answer *got = (const struct answer *)(uintptr_t)&answers[skerry_core_of(requester)];
    skerry_copy(answer, got->data, got->bytes);
    return got->bytes;
}

void skerry_far_send(int pe, int number, const void *message, size_t bytes) {
    struct skerry_requester *requester = sender(pe);
    send(requester, SKERRY_MPPA_JOB_SEND, pe, number, 0, message, bytes);
    requester->has_posted = true;
}

// Sends a message that does not fit in a job: its bytes to a letter, without a copy of them, and then the job.
static void send_two_in_letter(struct skerry_requester *requester, int pe, int number, uint32_t first, uint32_t second,
                               const char *rest, size_t bytes) {
    const size_t most = SKERRY_MPPA_PUSH_BYTES - 8, front = bytes < most ? bytes : most; // in the first packet
    const uint32_t letter = take_letter(pe), header = SKERRY_MPPA_HEADER_LETTERS + (uint32_t)pe;
    const uint32_t offset =
        (uint32_t)((uintptr_t)skerry_letters[skerry_facts.my_pe][letter] - (uintptr_t)skerry_letters);
    const uint32_t place = (uint32_t)(8 + bytes) | (uint32_t)number << 16 | (letter + 1) << 24;
    volatile uint32_t *push = (volatile uint32_t *)(void *)skerry_push_address();
    skerry_packet_offset(offset);
    push[0] = first;
    push[1] = second;
    skerry_send_rest(skerry_send_address(header), 8, rest, front);
    if (bytes > front) skerry_send_bytes(header, offset + SKERRY_MPPA_PUSH_BYTES, rest + front, bytes - front, false);
    skerry_send_job(requester, SKERRY_MPPA_JOB_SEND, pe, 2, &place);
    requester->has_posted = true;
}

static __attribute__((noinline)) void send_two_slowly(int pe, int number, uint32_t first, uint32_t second,
                                                      const void *rest, size_t bytes) {
    struct {
        _Alignas(8) uint32_t first;
        uint32_t second;
        uint8_t rest[SKERRY_FAR_MESSAGE_MAX - 8];
    } message;
    struct skerry_requester *requester = sender(pe);
    if (&skerry_begun_ready) skerry_far_order_begun_puts();
    if (8 + bytes > SKERRY_FAR_REPLY_MAX && skerry_core_of(requester) != SKERRY_MPPA_REPLIER) {
        send_two_in_letter(requester, pe, number, first, second, rest, bytes);
        return;
    }
    message.first = first;
    message.second = second;
    skerry_copy(message.rest, rest, bytes);
    skerry_far_send(pe, number, &message, 8 + bytes);
}

// The fast path calls nothing except at its end, so that it saves no registers.
void skerry_far_send_two(int pe, int number, uint32_t first, uint32_t second, const void *rest, size_t bytes) {
    const int core = skerry_worker_number;
    struct skerry_requester *requester = &skerry_requesters[core];
    if ((uint32_t)pe >= (uint32_t)skerry_facts.pe_count || requester->source == 0 || core == SKERRY_MPPA_SERVER ||
        bytes - 1 >= SKERRY_FAR_REPLY_MAX - 8 ||
        (&skerry_begun_ready && SKERRY_LOAD_ACQUIRE(&skerry_begun_ready) != 0) || !skerry_has_credit(requester)) {
        send_two_slowly(pe, number, first, second, rest, bytes);
        return;
    }
    typedef double __attribute__((may_alias)) double_word;
    volatile uint32_t *push = (volatile uint32_t *)(void *)skerry_push_address();
    char *const send = skerry_send_end_address(SKERRY_MPPA_HEADER_JOBS + (uint32_t)pe);
    push[0] = SKERRY_MPPA_JOB_SEND | requester->source;
    push[1] = (uint32_t)(8 + bytes) | (uint32_t)number << 16;
    push[2] = first;
    push[3] = second;
    requester->jobs++;
    requester->has_posted = true;
    skerry_compiler_fence();
    if ((((uintptr_t)rest | bytes) & 7) == 0) { // the usual case, without the tests of skerry_send_rest
        const double_word *from = (const double_word *)rest, *const last = from + (bytes / 8 - 1);
        volatile double_word *to = (volatile double_word *)(volatile void *)(push + 4);
        for (; from != last; from++, to++) *to = *from;
        *(volatile double_word *)(void *)(send + 8 + bytes) = *last;
        return;
    }
    skerry_send_rest(send, 16, rest, bytes);
}

void skerry_far_request(int pe, int number, const void *message, size_t bytes, void *answer) {
    struct skerry_requester *requester = sender(pe);
    send(requester, SKERRY_MPPA_JOB_REQUEST, pe, number, skerry_offset(answer), message, bytes);
    requester->has_posted = true;
}

void skerry_far_put_now(void *dest, const void *source, size_t bytes, int pe) {
    skerry_far_put(dest, source, bytes, pe);
}

// -- At the target -----------------------------------------------------------------------------------------------------

// A message can arrive before this PE's program has set the handler. All PEs run one program, so it will.
static skerry_far_handler *handler_of(uint32_t number) {
    skerry_far_handler *handler;
    do handler = handlers[number];
    while (!handler);
    return handler;
}

// Replies are executed while a handler sends, so their answers, which are dropped, get another place.
static struct answer answer_of_message, answer_of_reply;

static bool is_reply(const volatile struct skerry_mppa_job *job) {
    return (uintptr_t)job - (uintptr_t)skerry_replies < sizeof skerry_replies;
}

// Answers a letter: the packet frees it, and has an end of transfer.
static void end_letter(uint32_t header, uint32_t letter) {
    static const uint32_t is_free = 0;
    skerry_send_bytes(header, skerry_offset(&letters_in_use[skerry_facts.my_pe][letter - 1]), &is_free, sizeof is_free,
                      true);
}

// Not inlined, because the server would save more registers for each short message.
static __attribute__((noinline)) void execute(const volatile struct skerry_mppa_job *job) {
    const uint32_t about = job->place, bytes = about & 0xffff, letter = about >> 24;
    const uint32_t source = job->kind_and_source, from = source >> SKERRY_MPPA_JOB_PE_SHIFT;
    const uint32_t kind = source & SKERRY_MPPA_JOB_KIND;
    const uint8_t *message = (const uint8_t *)(uintptr_t)job->message;
    struct answer *answer = is_reply(job) ? &answer_of_reply : &answer_of_message;
    uint32_t front = 0;
    if (kind == SKERRY_MPPA_JOB_REQUEST) __builtin_memcpy(&front, message, sizeof front), message += 8;
    if (letter) message = skerry_letters[from][letter - 1];
    const bool is_nested = is_in_message_handler;
    is_in_message_handler = true;
    const size_t answered = handler_of(about >> 16 & 0xff)(skerry_facts.my_pe, (int)from, message, bytes, answer->data);
    is_in_message_handler = is_nested;
    const uint32_t header = skerry_answer_header(source);
    if (kind == SKERRY_MPPA_JOB_ASK) {
        const uint32_t core = (source >> SKERRY_MPPA_JOB_TAG_SHIFT & 0xff) - SKERRY_MPPA_TAG_ANSWERS;
        answer->bytes = (uint32_t)answered;
        skerry_send_bytes(header, skerry_offset(&answers[core]), answer, 8 + answered, !letter);
        if (letter) end_letter(header, letter);
        return;
    }
    if (kind == SKERRY_MPPA_JOB_REQUEST && answered > 0)
        skerry_send_bytes(header, front, answer->data, answered, false); // arrives before the end below
    if (letter) end_letter(header, letter);
    else SKERRY_MPPA_REGISTER(uint32_t, SKERRY_MPPA_END_BASE + 4 * header) = 0;
}

// A short message without an answer is the most frequent one.
void skerry_execute_message(const volatile struct skerry_mppa_job *job) {
    const uint32_t source = job->kind_and_source, about = job->place;
    if ((source & SKERRY_MPPA_JOB_KIND) != SKERRY_MPPA_JOB_SEND || about >> 24 || is_in_message_handler) {
        execute(job);
        return;
    }
    is_in_message_handler = true;
    handler_of(about >> 16)(skerry_facts.my_pe, (int)(source >> SKERRY_MPPA_JOB_PE_SHIFT),
                            (const uint8_t *)(uintptr_t)job->message, about & 0xffff, answer_of_message.data);
    is_in_message_handler = false;
    SKERRY_MPPA_REGISTER(uint32_t, SKERRY_MPPA_END_BASE + 4 * skerry_answer_header(source)) = 0;
}

// The tag ANSWERS stays open when the program of its PE has ended.
void skerry_far_put_by_handler(uint64_t *dest, uint64_t value, int pe) {
    const uint32_t header = skerry_answer_header((uint32_t)pe << SKERRY_MPPA_JOB_PE_SHIFT |
                                                 SKERRY_MPPA_TAG_ANSWERS << SKERRY_MPPA_JOB_TAG_SHIFT);
    skerry_packet_offset(skerry_offset(dest));
    *(volatile uint32_t *)(void *)skerry_push_address() = (uint32_t)value;
    *(volatile uint32_t *)(void *)(skerry_send_address(header) + 4) = (uint32_t)(value >> 32);
}

// -- Watching ----------------------------------------------------------------------------------------------------------

// What the server watches: one element for each call of skerry_far_watch.
static struct watch {
    const volatile uint32_t *volatile count; // NULL: the element is not used
    void (*poll)(void);
} watches[SKERRY_FAR_WATCHES_MAX];

void skerry_far_watch(const uint32_t *count, void (*poll)(void)) {
    struct watch *watch = watches;
    while (watch->count && watch->count != count) watch++;
    watch->poll = poll;
    skerry_compiler_fence();
    watch->count = count;
}

void skerry_far_begin_watching(void) {
    __asm__ volatile("fence rw, rw" ::: "memory");
    skerry_wake_server();
}

static void poll_once(const struct watch *watch) {
    is_in_message_handler = true;
    watch->poll();
    is_in_message_handler = false;
}

bool skerry_server_watch(void) {
    bool again = false;
    for (struct watch *watch = watches; watch < watches + SKERRY_FAR_WATCHES_MAX && watch->count; watch++) {
        if (*watch->count == 0) continue;
        poll_once(watch);
        again = true;
    }
    return again;
}
