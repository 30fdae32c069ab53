// SPDX-License-Identifier: BSD-3-Clause
// Sets up a PE: the headers and tags of its DMA unit, and the mailboxes by which the PEs of a job begin and end together.
#include "start.h"

#include "../chip/chip.h"
#include "jobs.h"

struct skerry_facts skerry_facts;

// -- Routes ------------------------------------------------------------------------------------------------------------

// The clusters are a torus of 4 x 4, numbered row by row. Nodes 16 to 19 are the DMA units of the first I/O node, beside the
// clusters of the first row, and nodes 20 to 23 those of the second one, beside the clusters of the last row. A route is a list of directions, three bits for each router,
// and ends at the first 0.
#define COLUMNS 4u
#define BESIDE_SECOND 12u // the cluster beside the first unit
enum direction { LOCAL, NORTH, EAST, SOUTH, WEST, IO };

uint32_t skerry_io_nodes;
static uint32_t server_core;

static uint32_t node_of(uint32_t pe) {
    if (skerry_io_nodes == 0) return pe;
    if (pe == 0) return SKERRY_MPPA_CLUSTERS;
    return skerry_io_nodes == 2 && pe == (uint32_t)skerry_facts.pe_count - 1
               ? SKERRY_MPPA_CLUSTERS + SKERRY_MPPA_UNITS_OF_IO_NODE
               : pe - 1;
}

uint32_t skerry_own_node(void) {
    return node_of((uint32_t)skerry_facts.my_pe);
}

static bool is_io_node(uint32_t node) {
    return node >= SKERRY_MPPA_CLUSTERS;
}

static uint32_t cluster_at(uint32_t node) {
    if (!is_io_node(node)) return node;
    const uint32_t unit = node - SKERRY_MPPA_CLUSTERS;
    return unit < SKERRY_MPPA_UNITS_OF_IO_NODE ? unit : BESIDE_SECOND + unit - SKERRY_MPPA_UNITS_OF_IO_NODE;
}

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

// First along the row, then along the column: no route turns from a column into a row. Only the first and the last link of
// a route can be those of I/O nodes, so no packet waits for one while it holds a link behind it.
uint32_t skerry_route_of_nodes(uint32_t from, uint32_t to) {
    if (from == to) return 0;
    const uint32_t first = cluster_at(from), last = cluster_at(to);
    unsigned length = is_io_node(from) ? 1 : 0;
    uint32_t route = length ? IO : LOCAL;
    route = append_steps(route, &length, first % COLUMNS, last % COLUMNS, EAST, WEST);
    route = append_steps(route, &length, first / COLUMNS, last / COLUMNS, SOUTH, NORTH);
    return is_io_node(to) ? route | (uint32_t)IO << 3 * length : route;
}

uint32_t skerry_route(uint32_t from, uint32_t to) {
    return skerry_route_of_nodes(node_of(from), node_of(to));
}

// The packets of a cluster to an I/O node go to the unit in the cluster's column, and the answers to its gets come from this
// unit: so four clusters share a link, not sixteen. All packets to the node go by this unit, because puts, jobs and letters
// must arrive in order. Answers to jobs of the node's cores go to its first unit, whose tags these cores look at; they need
// no order with other packets. Neither do the answers to gets: micro-cores send them, and packets of cores can overtake those
// anyway.
static uint32_t unit_for(uint32_t node, uint32_t io_node) {
    return is_io_node(io_node) && !is_io_node(node) ? node % COLUMNS : 0;
}

uint32_t skerry_answer_routes[SKERRY_PES_MAX];

static void set_up_answer_routes(void) {
    const uint32_t from = node_of((uint32_t)skerry_facts.my_pe);
    for (uint32_t pe = 0; pe < (uint32_t)skerry_facts.pe_count; pe++) {
        const uint32_t to = node_of(pe), unit = unit_for(to, from);
        skerry_answer_routes[pe] = skerry_route_of_nodes(from + unit, to) | unit << SKERRY_MPPA_ANSWER_UNIT_SHIFT;
    }
}

// malloc of an I/O node goes on in its DDR.
char *skerry_more_memory(size_t *bytes) {
    const uint32_t node = node_of((uint32_t)skerry_facts.my_pe);
    *bytes = skerry_has_programs() ? SKERRY_MPPA_DDR_BYTES - SKERRY_MPPA_COMMON_BYTES : SKERRY_MPPA_DDR_BYTES;
    if (!is_io_node(node)) return NULL;
    return (char *)(uintptr_t)(SKERRY_MPPA_DDR + (node == SKERRY_MPPA_CLUSTERS ? 0 : SKERRY_MPPA_DDR_BYTES));
}

// -- Headers and tags --------------------------------------------------------------------------------------------------

// `header` is the first one of a range that has one for each PE.
static void set_header(uint32_t header, uint32_t pe, uint32_t tag) {
    const uint32_t from = node_of((uint32_t)skerry_facts.my_pe), to = node_of(pe);
    const uint32_t unit = tag == SKERRY_MPPA_TAG_ANSWERS ? 0 : unit_for(from, to);
    volatile uint32_t *registers =
        &SKERRY_MPPA_REGISTER(uint32_t, SKERRY_MPPA_HEADERS_BASE + (header + pe) * SKERRY_MPPA_HEADER_BYTES);
    registers[SKERRY_MPPA_HEADER_ROUTE / 4] = skerry_route_of_nodes(from, to + unit);
    registers[SKERRY_MPPA_HEADER_TARGET / 4] = SKERRY_MPPA_HEADER_VALID | tag;
}

static void set_tag(uint32_t unit, uint32_t tag, const volatile void *window, uint32_t bytes, uint32_t mode) {
    *skerry_tag_register_of(unit, tag, SKERRY_MPPA_TAG_ADDRESS) = (uint32_t)(uintptr_t)window;
    *skerry_tag_register_of(unit, tag, SKERRY_MPPA_TAG_MODE) = mode;
    *skerry_tag_register_of(unit, tag, SKERRY_MPPA_TAG_SIZE) = bytes;
}

// Makes a tag write jobs into a ring, and notify the server of each.
static void set_ring(uint32_t unit, uint32_t tag, const volatile struct skerry_mppa_job *slots,
                     struct skerry_mppa_ring_slots part) {
    *skerry_tag_register_of(unit, tag, SKERRY_MPPA_TAG_NOTIFY) = 1u << server_core;
    *skerry_tag_register_of(unit, tag, SKERRY_MPPA_TAG_REMAINING) = 1;
    *skerry_tag_register_of(unit, tag, SKERRY_MPPA_TAG_RELOAD) = 1;
    set_tag(unit, tag, slots + part.first, part.count * sizeof *slots,
            SKERRY_MPPA_MODE_RING | sizeof *slots << SKERRY_MPPA_TAG_SLOT_SHIFT);
}

// Bytes from SKERRY_MPPA_MEMORY to the end of the DDRs. The DMA unit refuses what is no memory of the node.
#define BYTES_WITH_DDR (SKERRY_MPPA_DDR + 2 * SKERRY_MPPA_DDR_BYTES - SKERRY_MPPA_MEMORY)

static uint32_t units_of_this_node(void) {
    return is_io_node(node_of((uint32_t)skerry_facts.my_pe)) ? SKERRY_MPPA_UNITS_OF_IO_NODE : 1;
}

static void set_up_headers(void) {
    for (uint32_t pe = 0; pe < (uint32_t)skerry_facts.pe_count; pe++) {
        set_header(SKERRY_MPPA_HEADER_MEMORY, pe, SKERRY_MPPA_TAG_MEMORY);
        set_header(SKERRY_MPPA_HEADER_JOBS, pe, SKERRY_MPPA_TAG_JOBS);
        set_header(SKERRY_MPPA_HEADER_ANSWERS, pe, SKERRY_MPPA_TAG_ANSWERS);
        set_header(SKERRY_MPPA_HEADER_REPLIES, pe, SKERRY_MPPA_TAG_REPLIES);
        set_header(SKERRY_MPPA_HEADER_LETTERS, pe, SKERRY_MPPA_TAG_LETTERS);
    }
}

static void set_up_units(uint32_t units) {
    void *const memory = (void *)(uintptr_t)SKERRY_MPPA_MEMORY;
    const uint32_t bytes = units > 1 ? BYTES_WITH_DDR : SKERRY_MPPA_PARTITION_BYTES;
    set_up_headers();
    for (uint32_t core = 0; core < SKERRY_MPPA_CORES; core++) {
        set_tag(0, SKERRY_MPPA_TAG_ANSWERS + core, memory, bytes, SKERRY_MPPA_MODE_OFFSET);
        set_tag(0, SKERRY_MPPA_TAG_SENT + core, memory, bytes, SKERRY_MPPA_MODE_OFFSET);
    }
    set_tag(0, SKERRY_MPPA_TAG_ANSWERS + SKERRY_MPPA_REPLIER, memory, bytes, SKERRY_MPPA_MODE_OFFSET);
    for (uint32_t get = 0; get < SKERRY_MPPA_BEGUN_GETS; get++)
        set_tag(0, SKERRY_MPPA_TAG_GETS + get, memory, bytes, SKERRY_MPPA_MODE_OFFSET);
    for (uint32_t unit = 0; unit < units; unit++) {
        set_tag(unit, SKERRY_MPPA_TAG_MEMORY, memory, bytes, SKERRY_MPPA_MODE_OFFSET);
        set_ring(unit, SKERRY_MPPA_TAG_JOBS, skerry_jobs, skerry_ring_slots(unit, units, SKERRY_MPPA_JOBS_OF_PE));
        set_ring(unit, SKERRY_MPPA_TAG_REPLIES, skerry_replies,
                 skerry_ring_slots(unit, units, SKERRY_MPPA_CREDIT_OF_SERVER));
    }
    skerry_micro_begin(units);
}

static void set_up_letters(uint32_t units) {
    uint8_t *const letters = (uint8_t *)skerry_letters;
    for (uint32_t unit = 0; letters && unit < units; unit++)
        set_tag(unit, SKERRY_MPPA_TAG_LETTERS, letters, SKERRY_MPPA_LETTERS_BYTES, SKERRY_MPPA_MODE_OFFSET);
}

static void set_up_requesters(void) {
    const uint32_t replies = SKERRY_MPPA_TAG_ANSWERS + SKERRY_MPPA_REPLIER;
    for (uint32_t core = 0; core < SKERRY_MPPA_CORES; core++) skerry_requesters[core].credit = SKERRY_MPPA_CREDIT;
    skerry_requesters[0].credit = SKERRY_MPPA_CREDIT_OF_FIRST;
    skerry_requesters[SKERRY_MPPA_SERVER].credit = SKERRY_MPPA_CREDIT_OF_SERVER;
    skerry_requesters[SKERRY_MPPA_REPLIER].credit = SKERRY_MPPA_CREDIT_OF_SERVER;
    skerry_requesters[SKERRY_MPPA_REPLIER].source = SKERRY_MPPA_JOB_REQUESTER | replies << SKERRY_MPPA_JOB_TAG_SHIFT |
                                                    (uint32_t)skerry_facts.my_pe << SKERRY_MPPA_JOB_PE_SHIFT;
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
    *mailbox_register(ENDED, SKERRY_MPPA_MAILBOX_NOTIFY) = 1u << server_core;
    *mailbox_register(ENDED, SKERRY_MPPA_MAILBOX_MODE) = SKERRY_MPPA_MODE_BARRIER;
}

// -- The next program of this PE ---------------------------------------------------------------------------------------

SKERRY_MPPA_COMMON("always.kept") struct skerry_mppa_kept skerry_kept;

void skerry_keep(void) {
    for (uint32_t i = 0; i <= SKERRY_MPPA_CORES; i++) skerry_kept.jobs[i] = skerry_requesters[i].jobs;
    for (uint32_t i = 0; skerry_gets_begun && i < SKERRY_MPPA_BEGUN_GETS; i++)
        skerry_kept.gets[i] = skerry_gets_begun[i];
    skerry_server_keep(&skerry_kept);
}

// Waits until a tag has counted what an earlier program waits for, and returns its count. The program's end has completed
// its operations, but other threads can have begun further ones.
static uint16_t settled_count(uint32_t tag, uint16_t expected) {
    while ((int16_t)(skerry_tag_transfers(tag) - expected) < 0) {
    }
    return skerry_tag_transfers(tag);
}

static void take_over(void) {
    for (uint32_t core = 0; core <= SKERRY_MPPA_CORES; core++) {
        struct skerry_requester *requester = &skerry_requesters[core];
        requester->jobs = requester->answers = settled_count(SKERRY_MPPA_TAG_ANSWERS + core, skerry_kept.jobs[core]);
        if (core < SKERRY_MPPA_CORES)
            requester->puts = requester->puts_sent = skerry_tag_transfers(SKERRY_MPPA_TAG_SENT + core);
    }
    for (uint32_t get = 0; get < SKERRY_MPPA_BEGUN_GETS; get++) {
        const uint16_t count = settled_count(SKERRY_MPPA_TAG_GETS + get, skerry_kept.gets[get]);
        if (skerry_gets_begun) skerry_gets_begun[get] = count;
    }
    skerry_server_take_over(&skerry_kept);
}

void skerry_pe_begin(int pe, int pes, uint32_t io_nodes, uint32_t server) {
    skerry_io_nodes = io_nodes;
    server_core = server;
    skerry_facts.my_pe = pe;
    skerry_facts.pe_count = pes;
    skerry_running_pes = skerry_has_programs() ? 1u << pe | 1 | skerry_bit_of_program(pe) : all_pes();
    if (pes == 1) return; // a job of one PE uses no network
    set_up_requesters();
    set_up_answer_routes();
    const uint32_t units = units_of_this_node();
    skerry_server_begin(units);
    set_up_letters(units);
    if (skerry_kept.is_set_up) {
        take_over();
        return;
    }
    set_up_units(units);
    skerry_kept.is_set_up = 1;
    if (!skerry_has_programs()) set_up_mailboxes();
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
    if (skerry_noc_end) skerry_noc_end();
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
