// SPDX-License-Identifier: BSD-3-Clause
// Begins puts and gets that go on while the cores compute. A record of each has what tells its end: the count of jobs that
// the micro-core of a core has sent (a put), or the count of a tag that only this get uses. A thread that waits for such
// a transfer polls the records (skerry_far_poll).
#pragma GCC optimize "O2"
#include "jobs.h"

#define PUTS 16u
#define RECORDS (PUTS + SKERRY_MPPA_BEGUN_GETS) // the first ones are for puts

static struct record {
    const struct skerry_requester *requester; // of a put
    uint32_t tag;
    uint32_t count; // of the tag when the transfer has ended, or number of the put
    skerry_far_ended *ended;
    void *given;
} records[RECORDS];
_Static_assert(RECORDS <= 32, "the next two words have a bit for each record");
// A thread owns a record from the moment when it sets the bit in `taken` to the moment when it sets the bit in
// `skerry_begun_ready`. From then on the thread that sets the bit in `ending` owns it, until it clears this bit. Only the owner
// clears the bit in `skerry_begun_ready`, and only if the transfer has ended: a thread that finds the bit clear need not order
// its messages behind this put.
static uint32_t taken, ending;
uint32_t skerry_begun_ready;
uint16_t skerry_gets_begun[SKERRY_MPPA_BEGUN_GETS];

// Any number of puts can have been sent since a put has ended, but each get has a tag of its own.
static inline __attribute__((always_inline)) bool has_ended(const struct record *record) {
    if (record < records + PUTS) return skerry_is_put_sent(record->requester, record->count);
    return skerry_tag_transfers(record->tag) == (uint16_t)record->count;
}

void skerry_far_poll(void) {
    const struct record *record = records;
    uint32_t bit = 1;
    for (uint32_t bits = SKERRY_LOAD_ACQUIRE(&skerry_begun_ready); bits != 0; bits >>= 1, bit <<= 1, record++) {
        for (; !(bits & 0xff); bits >>= 8, bit <<= 8) record += 8;
        if (!(bits & 1) || !has_ended(record)) continue;
        if (__atomic_fetch_or(&ending, bit, __ATOMIC_ACQUIRE) & bit) continue;
        // Other threads can have ended this transfer since, and begun another one with this record.
        if (!(SKERRY_LOAD_ACQUIRE(&skerry_begun_ready) & bit) || !has_ended(record)) {
            __atomic_fetch_and(&ending, ~bit, __ATOMIC_RELEASE);
            continue;
        }
        skerry_far_ended *ended = record->ended;
        void *given = record->given;
        __atomic_fetch_and(&skerry_begun_ready, ~bit, __ATOMIC_RELAXED);
        __atomic_fetch_and(&ending, ~bit, __ATOMIC_RELEASE);
        __atomic_fetch_and(&taken, ~bit, __ATOMIC_RELEASE); // last: after it, another thread writes the record
        ended(given);
    }
}

// Takes a free record of `count` records from `first` on. If none is free, waits until a transfer has ended.
static uint32_t take(uint32_t first, uint32_t count) {
    for (;; skerry_far_poll()) {
        for (uint32_t number = first; number < first + count; number++) {
            const uint32_t bit = 1u << number;
            if (SKERRY_LOAD_ACQUIRE(&taken) & bit) continue;
            if (!(__atomic_fetch_or(&taken, bit, __ATOMIC_ACQUIRE) & bit)) return number;
        }
        skerry_serve_while_waiting();
    }
}

static void use(uint32_t number, const struct skerry_requester *requester, uint32_t tag, uint32_t count,
                skerry_far_ended *ended, void *given) {
    records[number] = (struct record){requester, tag, count, ended, given};
    __atomic_fetch_or(&skerry_begun_ready, 1u << number, __ATOMIC_RELEASE);
}

// -- Puts and gets -----------------------------------------------------------------------------------------------------

static uint32_t take_put(void) {
    skerry_far_poll();
    return take(0, PUTS);
}

static void use_put(uint32_t number, struct skerry_requester *requester, skerry_far_ended *ended, void *given) {
    requester->has_begun = true;
    use(number, requester, 0, requester->puts, ended, given);
}

void skerry_far_begin_put(void *dest, const void *source, size_t bytes, int pe, skerry_far_ended *ended, void *given) {
    struct skerry_requester *requester = skerry_begin_operation(pe);
    const uint32_t number = take_put();
    if (bytes > SKERRY_FAR_COPIED_MAX) skerry_put_by_micro_core(dest, source, bytes, pe, requester);
    else skerry_far_put_nbi(dest, source, bytes, pe);
    use_put(number, requester, ended, given);
}

void skerry_far_begin_put_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                                  size_t block_bytes, size_t blocks, int pe, skerry_far_ended *ended, void *given) {
    struct skerry_requester *requester = skerry_begin_operation(pe);
    const uint32_t number = take_put();
    skerry_start_put_strided(requester, dest, source, dest_stride, source_stride, block_bytes, blocks, pe);
    use_put(number, requester, ended, given);
}

// -- Posted atomics behind such puts -----------------------------------------------------------------------------------

// The micro-core that sends this core's puts sends the job behind them. It reads the job from memory: one of some places
// that the core uses in turn.
#define PLACES 4
static struct place {
    struct skerry_mppa_job job;
    uint32_t is_used;
    uint32_t put; // number of the put that sends it
} places[SKERRY_MPPA_SERVER][PLACES];

bool skerry_post_behind(struct skerry_requester *requester, uint32_t kind, int pe, const uint32_t *words) {
    const uint32_t core = skerry_core_of(requester);
    if (skerry_is_put_sent(requester, requester->puts)) {
        requester->has_begun = false;
        return false;
    }
    struct place *place = &places[core][requester->puts % PLACES];
    if (place->is_used)
        while (!skerry_is_put_sent(requester, place->put)) {
        }
    if (!skerry_has_credit(requester)) skerry_await_credit(requester);
    place->job.kind_and_source = kind | requester->source;
    place->job.place = words[0];
    for (int i = 0; i < 2; i++) place->job.value[i] = words[1 + i];
    const struct skerry_blocks copy = {&place->job, 0, 16, 1, 0, 0};
    skerry_micro_job(&copy, SKERRY_MPPA_HEADER_JOBS + (uint32_t)pe, core);
    place->is_used = 1;
    place->put = ++requester->puts;
    requester->jobs++;
    requester->has_posted = true;
    return true;
}

// Sends the job of a get, of which the first word is missing. `bytes` is the size of the job.
static void begin_get(struct skerry_mppa_job *job, uint32_t kind, uint32_t bytes, int pe, skerry_far_ended *ended,
                      void *given) {
    (void)skerry_begin_operation(pe);
    const uint32_t number = take(PUTS, SKERRY_MPPA_BEGUN_GETS), get = number - PUTS, tag = SKERRY_MPPA_TAG_GETS + get;
    job->kind_and_source = SKERRY_MPPA_JOB_REQUESTER | kind | tag << SKERRY_MPPA_JOB_TAG_SHIFT |
                           (uint32_t)skerry_facts.my_pe << SKERRY_MPPA_JOB_PE_SHIFT;
    skerry_send_bytes(SKERRY_MPPA_HEADER_JOBS + (uint32_t)pe, 0, job, bytes, true);
    use(number, NULL, tag, ++skerry_gets_begun[get], ended, given);
}

void skerry_far_begin_get(void *dest, const void *source, size_t bytes, int pe, skerry_far_ended *ended, void *given) {
    struct skerry_mppa_job job;
    job.place = skerry_offset(source);
    job.to = skerry_offset(dest);
    job.block_bytes = (uint32_t)bytes;
    if (skerry_is_other_ddr(dest, job.to)) {
        skerry_get_to_other_ddr(dest, source, 0, 0, bytes, 1, pe);
        ended(given);
        return;
    }
    begin_get(&job, SKERRY_MPPA_JOB_GET, 16, pe, ended, given);
}

void skerry_far_begin_get_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                                  size_t block_bytes, size_t blocks, int pe, skerry_far_ended *ended, void *given) {
    struct skerry_mppa_job job;
    job.place = skerry_offset(source);
    job.to = skerry_offset(dest);
    job.block_bytes = (uint32_t)block_bytes;
    job.blocks = (uint32_t)blocks;
    job.source_stride = (uint32_t)source_stride;
    job.to_stride = (uint32_t)dest_stride;
    if (skerry_is_other_ddr(dest, job.to)) {
        skerry_get_to_other_ddr(dest, source, dest_stride, source_stride, block_bytes, blocks, pe);
        ended(given);
        return;
    }
    begin_get(&job, SKERRY_MPPA_JOB_GET_STRIDED, 28, pe, ended, given);
}

// The threads that have begun these gets end them. A get that another thread begins now is not waited for.
void skerry_await_begun_gets(void) {
    for (uint32_t number = PUTS; SKERRY_LOAD_ACQUIRE(&skerry_begun_ready) != 0 && number < RECORDS; number++)
        while (SKERRY_LOAD_ACQUIRE(&skerry_begun_ready) >> number & 1 && !has_ended(&records[number]))
            skerry_serve_while_waiting();
}

void skerry_far_order_begun_puts(void) {
    if (SKERRY_LOAD_ACQUIRE(&skerry_begun_ready) != 0) skerry_await_puts_sent();
}

void skerry_far_order_puts_of_others(void) {
    uint32_t puts = SKERRY_LOAD_ACQUIRE(&skerry_begun_ready) & ((1u << PUTS) - 1);
    for (uint32_t number = 0; puts != 0; puts >>= 1, number++) {
        if (!(puts & 1) || records[number].requester == &skerry_requesters[skerry_worker_number]) continue;
        skerry_await_puts_sent();
        return;
    }
}
