// SPDX-License-Identifier: BSD-3-Clause
// Gives programs the networks between the clusters: routes, mailboxes, and tags and channels of the data network
// (../contract/noc.h). Each event of a mailbox or a tag notifies all cores of the cluster. So a core can wait asleep
// without a change of the mailbox, and several cores can wait for one mailbox.
#pragma GCC optimize "O2"
#include "network.h"
#include "noc.h"
#include "start.h"

// -- Routes ------------------------------------------------------------------------------------------------------------

// The numbers of MPPA: clusters from 0 on, and the first DMA unit of each I/O node.
#define FIRST_IO_NODE 128
#define SECOND_IO_NODE 192

static bool find_node(int number, uint32_t *node) {
    if (number >= 0 && number < (int)SKERRY_MPPA_CLUSTERS) *node = (uint32_t)number;
    else if (number == FIRST_IO_NODE) *node = SKERRY_MPPA_CLUSTERS;
    else if (number == SECOND_IO_NODE) *node = SKERRY_MPPA_CLUSTERS + SKERRY_MPPA_UNITS_OF_IO_NODE;
    else return false;
    return true;
}

bool skerry_noc_route(int from, int to, uint32_t *route) {
    uint32_t first, last;
    if (!find_node(from, &first) || !find_node(to, &last)) return false;
    *route = skerry_route_of_nodes(first, last);
    return true;
}

// Returns the node behind a step of a route, or NO_NODE.
#define NO_NODE UINT32_MAX
static uint32_t node_behind(uint32_t node, uint32_t step) {
    enum { NORTH = 1, EAST, SOUTH, WEST, IO };
    const uint32_t side = 4, row = node / side, column = node % side, last = side - 1;
    if (node >= SKERRY_MPPA_CLUSTERS) {
        const uint32_t unit = node - SKERRY_MPPA_CLUSTERS;
        if (step != IO) return NO_NODE;
        return unit < SKERRY_MPPA_UNITS_OF_IO_NODE ? unit : last * side + unit - SKERRY_MPPA_UNITS_OF_IO_NODE;
    }
    switch (step) {
    case NORTH: return (row + last) % side * side + column;
    case EAST: return row * side + (column + 1) % side;
    case SOUTH: return (row + 1) % side * side + column;
    case WEST: return row * side + (column + last) % side;
    case IO:
        if (row == 0) return SKERRY_MPPA_CLUSTERS + column;
        return row == last ? SKERRY_MPPA_CLUSTERS + SKERRY_MPPA_UNITS_OF_IO_NODE + column : NO_NODE;
    default: return NO_NODE;
    }
}

// The first 0 ends a route, and a route has at most MOST_STEPS.
#define STEP_BITS 3u
#define MOST_STEPS 10u
bool skerry_noc_is_route(uint32_t route) {
    uint32_t node = skerry_own_node();
    if (route >> STEP_BITS * MOST_STEPS != 0) return false;
    for (; node != NO_NODE && (route & ((1u << STEP_BITS) - 1)) != 0; route >>= STEP_BITS)
        node = node_behind(node, route & ((1u << STEP_BITS) - 1));
    return node != NO_NODE;
}

// -- Waiting -----------------------------------------------------------------------------------------------------------

// The bit of MIE and MIP by which the DMA unit and the mailboxes notify a core. It ends the instruction WFI and calls no
// handler.
#define NOTIFIED (1u << 16)
#define ALL_CORES ((1u << SKERRY_MPPA_CORES) - 1) // of the program, and the server, for handlers

// Waits until `take` returns another number than 0, and returns this number. The bit is cleared before the number is
// loaded: an event that happens after the load sets it again, so WFI does not sleep.
static uint32_t await(uint32_t (*take)(uint32_t), uint32_t number) {
    uint32_t events, before;
    __asm__ volatile("csrrs %0, mie, %1" : "=r"(before) : "r"(NOTIFIED));
    for (;;) {
        __asm__ volatile("csrc mip, %0" : : "r"(NOTIFIED) : "memory");
        events = take(number);
        if (events != 0) break;
        __asm__ volatile("wfi" ::: "memory");
    }
    if (!(before & NOTIFIED)) __asm__ volatile("csrc mie, %0" : : "r"(NOTIFIED)); // the server keeps it
    return events;
}

// -- Handlers ----------------------------------------------------------------------------------------------------------

static bool (*volatile run_handlers)(void);

bool skerry_noc_on_events(bool (*run)(void)) {
    if (skerry_facts.pe_count == 1) return false;
    run_handlers = run;
    skerry_wake_server();
    return true;
}

bool skerry_server_run_noc_handlers(void) {
    bool (*const run)(void) = run_handlers;
    return run && run();
}

// -- The end -----------------------------------------------------------------------------------------------------------

// Closes what the program has opened: nobody owns it any more.
void skerry_noc_end(void) {
    for (uint32_t mailbox = 0; mailbox < SKERRY_NOC_MAILBOXES; mailbox++) skerry_noc_close_mailbox(mailbox);
    for (uint32_t tag = 0; tag < SKERRY_NOC_TAGS; tag++) skerry_noc_close_tag(tag);
}

// -- Mailboxes ---------------------------------------------------------------------------------------------------------

static volatile uint32_t *mailbox_register(uint32_t mailbox, uint32_t which) {
    return &SKERRY_MPPA_REGISTER(uint32_t, SKERRY_MPPA_MAILBOXES_BASE + mailbox * SKERRY_MPPA_MAILBOX_BYTES + which);
}

// Accesses a register of 8 bytes as a whole, so no word arrives between its halves. A load and a store of a double move 8
// bytes and do not change them.
static uint64_t load_wide(uint32_t mailbox, uint32_t which) {
    const union {
        double as_double;
        uint64_t value;
    } wide = {*(const volatile double *)(const volatile void *)mailbox_register(mailbox, which)};
    return wide.value;
}

static void store_wide(uint32_t mailbox, uint32_t which, uint64_t value) {
    const union {
        uint64_t value;
        double as_double;
    } wide = {value};
    *(volatile double *)(volatile void *)mailbox_register(mailbox, which) = wide.as_double;
}

void skerry_noc_open_mailbox(uint32_t mailbox, bool is_barrier, uint64_t value) {
    const uint32_t mode = is_barrier ? SKERRY_MPPA_MODE_BARRIER : SKERRY_MPPA_MODE_WORD;
    const uint32_t before = *mailbox_register(mailbox, SKERRY_MPPA_MAILBOX_MODE);
    if (is_barrier && before == mode && load_wide(mailbox, SKERRY_MPPA_MAILBOX_MASK) == ~value) return;
    store_wide(mailbox, SKERRY_MPPA_MAILBOX_MASK, is_barrier ? ~value : 0);
    store_wide(mailbox, SKERRY_MPPA_MAILBOX_VALUE, is_barrier ? 0 : value);
    *mailbox_register(mailbox, SKERRY_MPPA_MAILBOX_NOTIFY) = ALL_CORES;
    *mailbox_register(mailbox, SKERRY_MPPA_MAILBOX_MODE) = mode;
}

void skerry_noc_close_mailbox(uint32_t mailbox) {
    *mailbox_register(mailbox, SKERRY_MPPA_MAILBOX_MODE) = SKERRY_MPPA_MODE_CLOSED;
    *mailbox_register(mailbox, SKERRY_MPPA_MAILBOX_COUNT) = 0;
}

// The mask of a mailbox for words is 0.
uint64_t skerry_noc_mailbox_value(uint32_t mailbox) {
    const uint64_t value = load_wide(mailbox, SKERRY_MPPA_MAILBOX_VALUE);
    if (*mailbox_register(mailbox, SKERRY_MPPA_MAILBOX_MODE) != SKERRY_MPPA_MODE_BARRIER) return value;
    return value | ~load_wide(mailbox, SKERRY_MPPA_MAILBOX_MASK);
}

uint32_t skerry_noc_mailbox_events(uint32_t mailbox) {
    return *mailbox_register(mailbox, SKERRY_MPPA_MAILBOX_COUNT);
}

uint32_t skerry_noc_mailbox_clear(uint32_t mailbox) {
    return *mailbox_register(mailbox, SKERRY_MPPA_MAILBOX_TAKE);
}

uint32_t skerry_noc_mailbox_wait(uint32_t mailbox) {
    return await(skerry_noc_mailbox_clear, mailbox);
}

// -- Senders of words --------------------------------------------------------------------------------------------------

#define FIRST_SENDER 16u

static volatile uint32_t *sender_registers(uint32_t sender) {
    return &SKERRY_MPPA_REGISTER(uint32_t,
                                 SKERRY_MPPA_CONTROL_SEND_BASE + (FIRST_SENDER + sender) * SKERRY_MPPA_SENDER_BYTES);
}

void skerry_noc_set_sender(uint32_t sender, uint32_t route, uint32_t mailbox) {
    volatile uint32_t *registers = sender_registers(sender);
    registers[SKERRY_MPPA_SENDER_ROUTE / 4] = route;
    registers[SKERRY_MPPA_SENDER_TARGET / 4] = SKERRY_MPPA_SENDER_VALID | mailbox;
}

void skerry_noc_clear_sender(uint32_t sender) {
    sender_registers(sender)[SKERRY_MPPA_SENDER_TARGET / 4] = 0;
}

// Each core has a lower half of its own in the sender.
void skerry_noc_send_word(uint32_t sender, uint64_t word) {
    volatile uint32_t *registers = sender_registers(sender);
    skerry_compiler_fence();
    registers[SKERRY_MPPA_SENDER_LOW / 4] = (uint32_t)word;
    registers[SKERRY_MPPA_SENDER_HIGH / 4] = (uint32_t)(word >> 32);
}

// -- Tags of the data network ------------------------------------------------------------------------------------------

#define TAG_REGISTER(BASE, TAG) SKERRY_MPPA_REGISTER(uint32_t, (BASE) + 4 * (TAG))

// The tag has an owner from the store of its size on.
void skerry_noc_open_tag(uint32_t tag, const struct skerry_noc_window *window) {
    _Static_assert(SKERRY_NOC_COUNT_ENDS == SKERRY_MPPA_COUNT_ENDS &&
                       SKERRY_NOC_COUNT_BYTES == SKERRY_MPPA_COUNT_BYTES &&
                       SKERRY_NOC_COUNT_DOWN == SKERRY_MPPA_COUNT_DOWN,
                   "the unit's numbers");
    *skerry_tag_register(tag, SKERRY_MPPA_TAG_ADDRESS) = (uint32_t)(uintptr_t)window->memory;
    *skerry_tag_register(tag, SKERRY_MPPA_TAG_MODE) = SKERRY_MPPA_MODE_CHOSEN | (uint32_t)window->counting
                                                                                    << SKERRY_MPPA_COUNT_SHIFT;
    *skerry_tag_register(tag, SKERRY_MPPA_TAG_POSITION) = window->position;
    *skerry_tag_register(tag, SKERRY_MPPA_TAG_TRANSFERS) = window->events;
    *skerry_tag_register(tag, SKERRY_MPPA_TAG_NOTIFY) = ALL_CORES;
    *skerry_tag_register(tag, SKERRY_MPPA_TAG_REMAINING) = 1;
    *skerry_tag_register(tag, SKERRY_MPPA_TAG_RELOAD) = 1;
    TAG_REGISTER(SKERRY_MPPA_ITEMS_BASE, tag) = window->items;
    TAG_REGISTER(SKERRY_MPPA_ITEMS_RELOAD_BASE, tag) = window->items_reload;
    *skerry_tag_register(tag, SKERRY_MPPA_TAG_SIZE) = window->bytes;
}

void skerry_noc_close_tag(uint32_t tag) {
    *skerry_tag_register(tag, SKERRY_MPPA_TAG_SIZE) = 0;
    *skerry_tag_register(tag, SKERRY_MPPA_TAG_TRANSFERS) = 0;
    TAG_REGISTER(SKERRY_MPPA_ITEMS_BASE, tag) = 0;
}

// The unit has counted an event behind the bytes of its packets, so loads behind these functions find the bytes.
uint32_t skerry_noc_tag_events(uint32_t tag) {
    const uint32_t events = *skerry_tag_register(tag, SKERRY_MPPA_TAG_TRANSFERS);
    __asm__ volatile("fence r, rw" ::: "memory");
    return events;
}

uint32_t skerry_noc_tag_clear(uint32_t tag) {
    const uint32_t events = TAG_REGISTER(SKERRY_MPPA_TAKE_BASE, tag);
    __asm__ volatile("fence r, rw" ::: "memory");
    return events;
}

uint32_t skerry_noc_tag_wait(uint32_t tag) {
    return await(skerry_noc_tag_clear, tag);
}

uint32_t skerry_noc_tag_items(uint32_t tag) {
    const uint32_t items = TAG_REGISTER(SKERRY_MPPA_ITEMS_BASE, tag);
    __asm__ volatile("fence r, rw" ::: "memory");
    return items;
}

uint32_t skerry_noc_tag_take_items(uint32_t tag) {
    const uint32_t items = TAG_REGISTER(SKERRY_MPPA_ITEMS_TAKE_BASE, tag);
    __asm__ volatile("fence r, rw" ::: "memory");
    return items;
}

// -- Channels of the data network --------------------------------------------------------------------------------------

// Channel c has header CHANNELS + c and shaper 1 + c.
static volatile uint32_t *header_registers(uint32_t header) {
    return &SKERRY_MPPA_REGISTER(uint32_t, SKERRY_MPPA_HEADERS_BASE + header * SKERRY_MPPA_HEADER_BYTES);
}

static void set_header(uint32_t header, uint32_t route, uint32_t channel, uint32_t tag) {
    volatile uint32_t *registers = header_registers(header);
    registers[SKERRY_MPPA_HEADER_ROUTE / 4] = route;
    registers[SKERRY_MPPA_HEADER_TARGET / 4] =
        SKERRY_MPPA_HEADER_VALID | (1 + channel) << SKERRY_MPPA_HEADER_SHAPER_SHIFT | tag;
}

static volatile uint32_t *channel_shaper(uint32_t channel) {
    return &SKERRY_MPPA_REGISTER(uint32_t, SKERRY_MPPA_SHAPERS_BASE + (1 + channel) * SKERRY_MPPA_SHAPER_BYTES);
}

// The rate is set last: with it the burst must be large enough.
void skerry_noc_set_channel(uint32_t channel, uint32_t route, uint32_t tag, const struct skerry_noc_rate *rate) {
    volatile uint32_t *shaper = channel_shaper(channel);
    shaper[SKERRY_MPPA_SHAPER_RATE / 4] = 0;
    shaper[SKERRY_MPPA_SHAPER_BURST / 4] = rate->burst_flits;
    shaper[SKERRY_MPPA_SHAPER_PAYLOAD / 4] = rate->payload_flits;
    shaper[SKERRY_MPPA_SHAPER_RATE / 4] =
        rate->flit_cycles <= 1 ? 0 : (SKERRY_MPPA_RATE_CYCLES + rate->flit_cycles / 2) / rate->flit_cycles;
    set_header(SKERRY_MPPA_HEADER_CHANNELS + channel, route, channel, tag);
}

void skerry_noc_clear_channel(uint32_t channel) {
    header_registers(SKERRY_MPPA_HEADER_CHANNELS + channel)[SKERRY_MPPA_HEADER_TARGET / 4] = 0;
}

bool skerry_noc_is_memory(const void *memory, size_t bytes) {
    int owner;
    return skerry_everywhere(memory, bytes, &owner) && owner == skerry_facts.my_pe;
}

void skerry_noc_send(uint32_t channel, uint32_t offset, const void *source, size_t bytes, bool end) {
    _Static_assert(SKERRY_NOC_BEHIND == SKERRY_MPPA_NO_OFFSET, "the unit's number");
    const uint32_t header = SKERRY_MPPA_HEADER_CHANNELS + channel;
    const char *from = source;
    if (bytes == 0) {
        if (end) SKERRY_MPPA_REGISTER(uint32_t, SKERRY_MPPA_END_BASE + 4 * header) = 0;
        return;
    }
    // skerry_send_bytes gives each packet the offset behind the last one.
    for (; offset == SKERRY_NOC_BEHIND && bytes > SKERRY_MPPA_PUSH_BYTES;
         bytes -= SKERRY_MPPA_PUSH_BYTES, from += SKERRY_MPPA_PUSH_BYTES)
        skerry_send_bytes(header, offset, from, SKERRY_MPPA_PUSH_BYTES, false);
    skerry_send_bytes(header, offset, from, bytes, end);
}

// -- Engines -----------------------------------------------------------------------------------------------------------

// Engine e is a job of a micro-core that counts as those of core SKERRY_MPPA_CORES + e would: in the tag ENGINES + e. It has
// a header of its own, which no job uses when it changes, because the last job of the engine has ended.
_Static_assert(SKERRY_MPPA_TAG_ENGINES == SKERRY_MPPA_TAG_SENT + SKERRY_MPPA_CORES &&
                   SKERRY_MPPA_TAG_ENGINES + SKERRY_NOC_ENGINES <= SKERRY_MPPA_TAG_GETS &&
                   SKERRY_MPPA_HEADER_ENGINES + SKERRY_NOC_ENGINES <= 128,
               "the tags and headers of the engines are free");

// In a job of one PE the machine itself has no programs of micro-cores.
void skerry_noc_open_engine(uint32_t engine) {
    const struct skerry_noc_window none = {(void *)(uintptr_t)SKERRY_MPPA_MEMORY, 1, 0, 0, SKERRY_NOC_COUNT_ENDS, 0, 0};
    if (skerry_facts.pe_count == 1) skerry_micro_begin(1);
    skerry_noc_open_tag(SKERRY_MPPA_TAG_ENGINES + engine, &none);
}

void skerry_noc_start_engine(uint32_t engine, uint32_t channel, uint32_t route, uint32_t tag, uint32_t offset,
                             const void *source, size_t bytes) {
    const uint32_t header = SKERRY_MPPA_HEADER_ENGINES + engine;
    const struct skerry_blocks copy = {source, offset, (uint32_t)bytes, 1, 0, 0};
    set_header(header, route, channel, tag);
    skerry_micro_job(&copy, header, SKERRY_MPPA_CORES + engine);
}

uint32_t skerry_noc_engine_events(uint32_t engine) {
    return skerry_noc_tag_events(SKERRY_MPPA_TAG_ENGINES + engine);
}

uint32_t skerry_noc_engine_wait(uint32_t engine) {
    return skerry_noc_tag_wait(SKERRY_MPPA_TAG_ENGINES + engine);
}
