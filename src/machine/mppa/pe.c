// SPDX-License-Identifier: BSD-3-Clause
// Sets up a PE: the headers and tags of its DMA unit, and the mailboxes by which the PEs of a job begin and end together.
#include "start.h"

#include "../chip/chip.h"
#include "jobs.h"

struct skerry_facts skerry_facts;

// -- Routes ------------------------------------------------------------------------------------------------------------

// The clusters are a torus of 4 x 4, numbered row by row. A route is a list of directions, three bits for each router, and
// ends at the first 0.
#define COLUMNS 4u
enum direction { LOCAL, NORTH, EAST, SOUTH, WEST };

// Appends the steps from `from` to `to` along a ring of COLUMNS routers. For three steps forward the route takes the one
// step backward, over the link that closes the ring. So a route that uses this link uses no other one of the ring, and the
// routes of the ring cannot wait for each other in a circle.
static uint32_t append_steps(uint32_t route, unsigned *length, uint32_t from, uint32_t to, enum direction forward,
                             enum direction backward) {
    const uint32_t distance = from < to ? to - from : from - to;
    const bool is_around = distance == COLUMNS - 1;
    const enum direction direction = (from < to) != is_around ? forward : backward;
    for (uint32_t steps = is_around ? 1 : distance; steps > 0; steps--) route |= (uint32_t)direction << 3 * (*length)++;
    return route;
}

// First along the row, then along the column: no route turns from a column into a row.
uint32_t skerry_route(uint32_t from, uint32_t to) {
    unsigned length = 0;
    const uint32_t route = append_steps(0, &length, from % COLUMNS, to % COLUMNS, EAST, WEST);
    return append_steps(route, &length, from / COLUMNS, to / COLUMNS, SOUTH, NORTH);
}

// -- Headers and tags --------------------------------------------------------------------------------------------------

static void set_header(uint32_t header, uint32_t to, uint32_t tag) {
    volatile uint32_t *registers =
        &SKERRY_MPPA_REGISTER(uint32_t, SKERRY_MPPA_HEADERS_BASE + header * SKERRY_MPPA_HEADER_BYTES);
    registers[SKERRY_MPPA_HEADER_ROUTE / 4] = skerry_route((uint32_t)skerry_facts.my_pe, to);
    registers[SKERRY_MPPA_HEADER_TARGET / 4] = SKERRY_MPPA_HEADER_VALID | tag;
}

static void set_tag(uint32_t tag, const volatile void *window, uint32_t bytes, uint32_t mode) {
    *skerry_tag_register(tag, SKERRY_MPPA_TAG_ADDRESS) = (uint32_t)(uintptr_t)window;
    *skerry_tag_register(tag, SKERRY_MPPA_TAG_MODE) = mode;
    *skerry_tag_register(tag, SKERRY_MPPA_TAG_SIZE) = bytes;
}

// Makes a tag write jobs into a ring, and notify the server of each.
static void set_ring(uint32_t tag, const volatile struct skerry_mppa_job *ring, uint32_t bytes) {
    *skerry_tag_register(tag, SKERRY_MPPA_TAG_NOTIFY) = 1u << SKERRY_MPPA_SERVER;
    *skerry_tag_register(tag, SKERRY_MPPA_TAG_REMAINING) = 1;
    *skerry_tag_register(tag, SKERRY_MPPA_TAG_RELOAD) = 1;
    set_tag(tag, ring, bytes, SKERRY_MPPA_MODE_RING | sizeof *ring << SKERRY_MPPA_TAG_SLOT_SHIFT);
}

static void set_up_unit(void) {
    void *const memory = (void *)(uintptr_t)SKERRY_MPPA_MEMORY;
    const uint32_t replies = SKERRY_MPPA_TAG_ANSWERS + SKERRY_MPPA_REPLIER;
    for (uint32_t pe = 0; pe < (uint32_t)skerry_facts.pe_count; pe++) {
        set_header(SKERRY_MPPA_HEADER_MEMORY + pe, pe, SKERRY_MPPA_TAG_MEMORY);
        set_header(SKERRY_MPPA_HEADER_JOBS + pe, pe, SKERRY_MPPA_TAG_JOBS);
        set_header(SKERRY_MPPA_HEADER_ANSWERS + pe, pe, SKERRY_MPPA_TAG_ANSWERS);
        set_header(SKERRY_MPPA_HEADER_REPLIES + pe, pe, SKERRY_MPPA_TAG_REPLIES);
        set_header(SKERRY_MPPA_HEADER_LETTERS + pe, pe, SKERRY_MPPA_TAG_LETTERS);
    }
    set_tag(SKERRY_MPPA_TAG_MEMORY, memory, SKERRY_MPPA_PARTITION_BYTES, SKERRY_MPPA_MODE_OFFSET);
    for (uint32_t core = 0; core < SKERRY_MPPA_CORES; core++) {
        set_tag(SKERRY_MPPA_TAG_ANSWERS + core, memory, SKERRY_MPPA_PARTITION_BYTES, SKERRY_MPPA_MODE_OFFSET);
        set_tag(SKERRY_MPPA_TAG_SENT + core, memory, SKERRY_MPPA_PARTITION_BYTES, SKERRY_MPPA_MODE_OFFSET);
        skerry_requesters[core].credit = SKERRY_MPPA_CREDIT;
    }
    skerry_requesters[0].credit = SKERRY_MPPA_CREDIT_OF_FIRST;
    skerry_requesters[SKERRY_MPPA_SERVER].credit = SKERRY_MPPA_CREDIT_OF_SERVER;
    skerry_requesters[SKERRY_MPPA_REPLIER].credit = SKERRY_MPPA_CREDIT_OF_SERVER;
    skerry_requesters[SKERRY_MPPA_REPLIER].source = SKERRY_MPPA_JOB_REQUESTER | replies << SKERRY_MPPA_JOB_TAG_SHIFT |
                                                    (uint32_t)skerry_facts.my_pe << SKERRY_MPPA_JOB_PE_SHIFT;
    set_tag(replies, memory, SKERRY_MPPA_PARTITION_BYTES, SKERRY_MPPA_MODE_OFFSET);
    for (uint32_t get = 0; get < SKERRY_MPPA_BEGUN_GETS; get++)
        set_tag(SKERRY_MPPA_TAG_GETS + get, memory, SKERRY_MPPA_PARTITION_BYTES, SKERRY_MPPA_MODE_OFFSET);
    set_ring(SKERRY_MPPA_TAG_JOBS, skerry_jobs, sizeof skerry_jobs);
    set_ring(SKERRY_MPPA_TAG_REPLIES, skerry_replies, sizeof skerry_replies);
    uint8_t *const letters = (uint8_t *)skerry_letters;
    if (letters) set_tag(SKERRY_MPPA_TAG_LETTERS, letters, SKERRY_MPPA_LETTERS_BYTES, SKERRY_MPPA_MODE_OFFSET);
    skerry_micro_begin();
}

// -- Mailboxes ---------------------------------------------------------------------------------------------------------

// START (registers.h) is open before any program runs. PE 0's collects a bit of each PE that has been set up; then PE 0
// sets another bit, GO, in the upper half of all. Mailbox ENDED of PE 0 gets a bit of each PE that has ended, and notifies
// PE 0's server when it has all.
#define ENDED 126u
#define GO 1u

static volatile uint32_t *mailbox_register(uint32_t mailbox, uint32_t which) {
    return &SKERRY_MPPA_REGISTER(uint32_t, SKERRY_MPPA_MAILBOXES_BASE + mailbox * SKERRY_MPPA_MAILBOX_BYTES + which);
}

static void send_word(uint32_t pe, uint32_t mailbox, uint32_t low, uint32_t high) {
    volatile uint32_t *sender = &SKERRY_MPPA_REGISTER(uint32_t, SKERRY_MPPA_CONTROL_SEND_BASE);
    sender[SKERRY_MPPA_SENDER_ROUTE / 4] = skerry_route((uint32_t)skerry_facts.my_pe, pe);
    sender[SKERRY_MPPA_SENDER_TARGET / 4] = SKERRY_MPPA_SENDER_VALID | mailbox;
    sender[SKERRY_MPPA_SENDER_LOW / 4] = low;
    sender[SKERRY_MPPA_SENDER_HIGH / 4] = high;
}

static uint32_t all_pes(void) {
    return (1u << skerry_facts.pe_count) - 1;
}

static void set_up_mailboxes(void) {
    if (skerry_facts.my_pe != 0) return;
    *mailbox_register(ENDED, SKERRY_MPPA_MAILBOX_MASK) = all_pes();
    *mailbox_register(ENDED, SKERRY_MPPA_MAILBOX_NOTIFY) = 1u << SKERRY_MPPA_SERVER;
    *mailbox_register(ENDED, SKERRY_MPPA_MAILBOX_MODE) = SKERRY_MPPA_MODE_BARRIER;
}

void skerry_pe_begin(int pe, int pes) {
    skerry_facts.my_pe = pe;
    skerry_facts.pe_count = pes;
    skerry_running_pes = all_pes();
    if (pes == 1) return; // a job of one PE uses no network
    set_up_unit();
    set_up_mailboxes();
}

void skerry_pe_meet(void) {
    const volatile uint32_t *bits = mailbox_register(SKERRY_MPPA_MAILBOX_START, SKERRY_MPPA_MAILBOX_VALUE);
    if (skerry_facts.pe_count == 1) return;
    send_word(0, SKERRY_MPPA_MAILBOX_START, 1u << skerry_facts.my_pe, 0);
    if (skerry_facts.my_pe == 0) {
        while (bits[0] != all_pes()) {
        }
        for (int pe = 1; pe < skerry_facts.pe_count; pe++) send_word((uint32_t)pe, SKERRY_MPPA_MAILBOX_START, 0, GO);
        return;
    }
    while (bits[1] != GO) {
    }
}

void skerry_pe_end(void) {
    if (skerry_facts.pe_count == 1) skerry_end_all();
    struct skerry_requester *own = skerry_own_requester();
    skerry_server_ended = 1;
    __asm__ volatile("fence rw, rw" ::: "memory");
    for (int pe = 0; pe < skerry_facts.pe_count; pe++) {
        const uint32_t nothing = 0;
        if (pe != skerry_facts.my_pe) skerry_send_job(own, SKERRY_MPPA_JOB_ENDED, pe, 2, &nothing);
    }
    skerry_await_answers(own);
    send_word(0, ENDED, 1u << skerry_facts.my_pe, 0);
}

bool skerry_all_have_ended(void) {
    return skerry_facts.my_pe == 0 && *mailbox_register(ENDED, SKERRY_MPPA_MAILBOX_COUNT) != 0;
}

void skerry_end_all(void) {
    skerry_host_end_job(0);
}
