// SPDX-License-Identifier: BSD-3-Clause
// Measures what figures 2 and 3 of Hascoet et al. (2017) show of DDR memory: puts and gets of 1 to 16 clusters at the DDR of
// one or both I/O nodes. It runs without a library, because the library has no program for I/O nodes: on the first core of
// each cluster, and on four cores of each I/O node, each of which serves one DMA unit. A get is a request to a server, which
// starts a micro-core. After its puts a cluster asks the server for a confirmation, which follows the data. Prints lines
// "result NAME CLUSTERS BYTES CYCLES...".
#include <stdint.h>

enum { CLUSTERS = 16, IO_NODES = 2, UNITS = 4, UNIT_BYTES = 0x40000 };
enum { NORTH = 1, SOUTH = 3, IO = 5 }; // in a route; 0 is the end
#define REGISTER(UNIT, OFFSET) (*(volatile uint32_t *)(uintptr_t)(0x60000000u + (UNIT)*UNIT_BYTES + (uint32_t)(OFFSET)))

// Tags. An I/O node's unit has the first two.
enum { DATA = 1, REQUESTS, ANSWERS, SENT, SYNC, RESULTS };
// Headers of a cluster; a unit of an I/O node has header k for answers to cluster k.
enum { TO_DATA = 0, TO_REQUESTS = 2, TO_FIRST = 4, TO_RESULTS = 5, TO_CLUSTER = 16 };
enum { ANSWER_PROGRAM = 0, PUT_PROGRAM = 8 };
enum { SLOTS = 64, TURNS = 8, MOST = 65536, STOP_SERVER = -1 };

struct request {
    uint32_t cluster, bytes, from, to; // bytes: 0 to confirm puts; offset in the DDR and in the cluster's memory
};

static volatile struct request rings[UNITS][SLOTS];       // of an I/O node
static uint32_t out[MOST / 4];                            // of a cluster, like all following ones
static volatile uint32_t in[MOST / 4], results[CLUSTERS]; // results: of the first one
static uint32_t unused[2];
static uint16_t answers, sent, syncs;

static inline uint32_t now(void) {
    uint32_t cycles;
    __asm__ volatile("rdcycle %0" : "=r"(cycles)::"memory");
    return cycles;
}

static void open_tag(uint32_t unit, uint32_t tag, uint32_t address, uint32_t bytes, uint32_t mode) {
    REGISTER(unit, 0x08000 + 32 * tag) = address;
    REGISTER(unit, 0x08008 + 32 * tag) = mode;
    REGISTER(unit, 0x08004 + 32 * tag) = bytes;
}

static inline uint16_t transfers(uint32_t unit, uint32_t tag) {
    return (uint16_t)REGISTER(unit, 0x08010 + 32 * tag);
}

static void set_header(uint32_t unit, uint32_t header, uint32_t route, uint32_t tag) {
    REGISTER(unit, 0x01000 + 8 * header) = route;
    REGISTER(unit, 0x01004 + 8 * header) = 0x80000000u | tag;
}

// Both programs send contiguous memory: parameter 0 is the address, 1 the double words, 2 the offset in the window. The one
// for puts has no end of transfer; it counts at the own tag in parameter 3 instead.
static void load_programs(uint32_t unit) {
    enum { READ_8 = 2, OFFSET = 5, SEND = 6, END = 7, LOCAL = 10, STOP = 11, ADD = 1 << 6, SET = 3 << 6 };
    enum { COUNT_SET = 1 << 15, LOOP = 3 << 15, SKIP = 4 << 15 };
    for (uint32_t first = ANSWER_PROGRAM; first <= PUT_PROGRAM; first += PUT_PROGRAM) {
        const uint32_t code[][2] = {
            {SET | 2 << 8 | COUNT_SET | 1 << 18, 0},           {OFFSET | SET | SKIP | (first + 3) << 22, 0},
            {READ_8 | ADD | LOOP | (first + 2) << 22, 8},      {first == PUT_PROGRAM ? SEND : END, 0},
            {first == PUT_PROGRAM ? LOCAL | 3 << 8 : STOP, 0}, {STOP, 0}};
        for (uint32_t i = 0; i < sizeof code / sizeof *code; i++) {
            REGISTER(unit, 0x0b000 + 8 * (first + i)) = code[i][0];
            REGISTER(unit, 0x0b004 + 8 * (first + i)) = code[i][1];
        }
    }
}

// Which micro-core has a job decides how well both DDRs are used. All packets of a unit enter the network by one link, in
// order, so a packet that waits for one destination delays those to others. Puts of a cluster are jobs of one micro-core: so
// it sends to one DDR at a time, and clusters of neighbouring rows to different ones. A server has a micro-core for each
// cluster of its column, so that packets to them alternate. Its packets and those of the other DDR's unit in the same column
// then fall into turn: when both have one for the same cluster, one of them waits once.
static void start(uint32_t unit, uint32_t micro_core, uint32_t program, uint32_t header, uint32_t from, uint32_t bytes,
                  uint32_t to) {
    REGISTER(unit, 0x0b800) = from;
    REGISTER(unit, 0x0b804) = bytes / 8;
    REGISTER(unit, 0x0b808) = to;
    REGISTER(unit, 0x0b80c) = SENT;
    REGISTER(unit, 0x0b900 + 4 * micro_core) = program | header << 8;
}

// -- Routes: along the column; the link between the first and the last row only if it is the only one --------------------

static uint32_t along_column(uint32_t from_row, uint32_t to_row, uint32_t *hops) {
    uint32_t route = 0;
    const int wraps = (from_row == 0 && to_row == 3) || (from_row == 3 && to_row == 0);
    const uint32_t count = wraps ? 1 : to_row > from_row ? to_row - from_row : from_row - to_row;
    const uint32_t hop = (to_row > from_row) != wraps ? SOUTH : NORTH;
    for (uint32_t i = 0; i < count; i++) route |= hop << 3 * i;
    *hops = count;
    return route;
}

static uint32_t row_of_io(uint32_t io) {
    return io == 0 ? 0 : 3;
}

static uint32_t route_to_io(uint32_t cluster, uint32_t io) {
    uint32_t hops;
    const uint32_t route = along_column(cluster / 4, row_of_io(io), &hops);
    return route | (uint32_t)IO << 3 * hops;
}

static uint32_t route_from_io(uint32_t io, uint32_t cluster) {
    uint32_t hops;
    return (uint32_t)IO | along_column(row_of_io(io), cluster / 4, &hops) << 3;
}

static uint32_t route_between(uint32_t from, uint32_t to) {
    enum { EAST = 2, WEST = 4 };
    const uint32_t a = from % 4, b = to % 4;
    const int wraps = (a == 0 && b == 3) || (a == 3 && b == 0);
    const uint32_t count = wraps ? 1 : b > a ? b - a : a - b, hop = (b > a) != wraps ? EAST : WEST;
    uint32_t route = 0, hops;
    for (uint32_t i = 0; i < count; i++) route |= hop << 3 * i;
    return route | along_column(from / 4, to / 4, &hops) << 3 * count;
}

// -- The server of a unit of an I/O node --------------------------------------------------------------------------------

static uint32_t ddr_of(uint32_t io) {
    return 0xa0000000u + io * 0x10000000u;
}

static int serve(uint32_t io, uint32_t unit) {
    open_tag(unit, DATA, ddr_of(io), 1u << 24, 0);
    open_tag(unit, REQUESTS, (uint32_t)(uintptr_t)rings[unit], sizeof rings[unit],
             2u | (uint32_t)sizeof(struct request) << 16);
    for (uint32_t k = 0; k < CLUSTERS; k++) set_header(unit, k, route_from_io(io, k), ANSWERS);
    load_programs(unit);
    for (uint16_t done = 0;; done++) {
        while (transfers(unit, REQUESTS) == done) continue;
        const volatile struct request *r = &rings[unit][done % SLOTS];
        const uint32_t bytes = r->bytes;
        if (bytes == (uint32_t)STOP_SERVER) return 0;
        if (bytes == 0) REGISTER(unit, 0x02400 + 4 * r->cluster) = 0;
        else start(unit, r->cluster / 4, ANSWER_PROGRAM, r->cluster, ddr_of(io) + r->from, bytes, r->to);
    }
}

// -- Clusters -----------------------------------------------------------------------------------------------------------

static void ask(uint32_t header, uint32_t me, uint32_t bytes, uint32_t from, uint32_t to) {
    volatile uint32_t *push = &REGISTER(0, 0x02000);
    push[0] = me;
    push[1] = bytes;
    push[2] = from;
    REGISTER(0, 0x06000 + 64 * header + 12) = to;
}

static void await(uint32_t tag, uint16_t count) {
    while (transfers(0, tag) != count) continue;
}

static void barrier(uint32_t me) {
    if (me != 0) {
        REGISTER(0, 0x02400 + 4 * TO_FIRST) = 0;
        await(SYNC, ++syncs);
        return;
    }
    syncs = (uint16_t)(syncs + CLUSTERS - 1);
    await(SYNC, syncs);
    for (uint32_t k = 1; k < CLUSTERS; k++) REGISTER(0, 0x02400 + 4 * (TO_CLUSTER + k)) = 0;
}

// Memory of a transfer: one DDR, or both in turn. Clusters of neighbouring rows use different ones at the same time. Each
// cluster uses a part of its own.
static uint32_t memory_of(uint32_t me, uint32_t turn, uint32_t ddrs) {
    return ddrs == 1 ? 0 : (me / 4 + turn) & 1;
}

static void put(uint32_t me, uint32_t bytes, uint32_t turns, uint32_t ddrs) {
    for (uint32_t i = 0; i < turns; i++) {
        start(0, 0, PUT_PROGRAM, TO_DATA + memory_of(me, i, ddrs), (uint32_t)(uintptr_t)out, bytes, me * MOST);
    }
    sent = (uint16_t)(sent + turns);
    await(SENT, sent);
    for (uint32_t i = 0; i < ddrs && i < turns; i++) {
        ask(TO_REQUESTS + memory_of(me, i, ddrs), me, 0, 0, 0);
        answers++;
    }
    await(ANSWERS, answers);
}

static void get(uint32_t me, uint32_t bytes, uint32_t turns, uint32_t ddrs) {
    for (uint32_t i = 0; i < turns; i++) ask(TO_REQUESTS + memory_of(me, i, ddrs), me, bytes, me * MOST, 0);
    answers = (uint16_t)(answers + turns);
    await(ANSWERS, answers);
}

static char line[400];

static char *text(char *to, const char *from) {
    while (*from) *to++ = *from++;
    return to;
}

static char *number(char *to, uint32_t value) {
    char digits[10];
    int count = 0;
    do digits[count++] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    *to++ = ' ';
    while (count > 0) *to++ = digits[--count];
    return to;
}

static void tell(const char *name, uint32_t active, uint32_t bytes) {
    char *end = number(number(text(text(line, "result "), name), active), bytes);
    for (uint32_t k = 0; k < active; k++) end = number(end, results[k]);
    *end++ = '\n';
    register uint32_t a0 __asm__("a0") = 1, a1 __asm__("a1") = (uint32_t)(uintptr_t)line,
                         a2 __asm__("a2") = (uint32_t)(end - line), a7 __asm__("a7") = 64;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
}

typedef void operation(uint32_t me, uint32_t bytes, uint32_t turns, uint32_t ddrs);

static void measure(const char *name, operation *operation, uint32_t me, uint32_t active, uint32_t bytes,
                    uint32_t turns, uint32_t ddrs) {
    barrier(me);
    if (me < active) {
        const uint32_t begin = now();
        operation(me, bytes, turns, ddrs);
        const uint32_t cycles = (now() - begin) / turns;
        REGISTER(0, 0x02040) = 4 * me;
        REGISTER(0, 0x06000 + 64 * TO_RESULTS) = cycles;
    }
    barrier(me);
    if (me == 0) tell(name, active, bytes);
}

// Returns true if the last get has brought what the cluster has put.
static int has_data(uint32_t bytes) {
    for (uint32_t i = 0; i < bytes / 4; i++)
        if (in[i] != out[i]) return 0;
    return 1;
}

static int run(uint32_t me) {
    static const uint32_t sizes[] = {64, 256, 1024, 2048, 4096, 8192, 16384, 32768, MOST};
    static const uint8_t counts[] = {1, 2, 4, 8, 16};
    open_tag(0, ANSWERS, (uint32_t)(uintptr_t)in, sizeof in, 0);
    open_tag(0, SENT, (uint32_t)(uintptr_t)unused, sizeof unused, 0);
    open_tag(0, SYNC, (uint32_t)(uintptr_t)unused, sizeof unused, 0);
    open_tag(0, RESULTS, (uint32_t)(uintptr_t)results, sizeof results, 0);
    for (uint32_t io = 0; io < IO_NODES; io++) {
        set_header(0, TO_DATA + io, route_to_io(me, io), DATA);
        set_header(0, TO_REQUESTS + io, route_to_io(me, io), REQUESTS);
    }
    set_header(0, TO_FIRST, route_between(me, 0), SYNC);
    set_header(0, TO_RESULTS, route_between(me, 0), RESULTS);
    for (uint32_t k = 1; k < CLUSTERS; k++) set_header(0, TO_CLUSTER + k, route_between(me, k), SYNC);
    load_programs(0);
    for (uint32_t i = 0; i < MOST / 4; i++) out[i] = me << 20 | i;
    while (now() < 400000) continue; // all tags are open then
    for (uint32_t c = 0; c < sizeof counts; c++)
        for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            const uint32_t active = counts[c], bytes = sizes[i], turns = bytes > 8192 ? 4 : TURNS;
            measure("put_ddr", put, me, active, bytes, turns, 1);
            measure("get_ddr", get, me, active, bytes, turns, 1);
            if (me < active && bytes <= 4096 && !has_data(bytes)) return 2;
            measure("put_ddr_blocking", put, me, active, bytes, 1, 1);
            measure("get_ddr_blocking", get, me, active, bytes, 1, 1);
            measure("put_two_ddrs", put, me, active, bytes, turns, 2);
            for (uint32_t k = 0; k < 16; k++) in[k] = 0;
            measure("get_two_ddrs", get, me, active, bytes, turns, 2);
            if (me < active && !has_data(64)) return 3;
        }
    if (me < UNITS) { // each cluster of the first row stops the servers of its column
        for (uint32_t io = 0; io < IO_NODES; io++) ask(TO_REQUESTS + io, me, (uint32_t)STOP_SERVER, 0, 0);
    }
    return 0;
}

static int __attribute__((used)) begin(uint32_t cluster, uint32_t core) {
    return cluster < CLUSTERS ? run(cluster) : serve(cluster - CLUSTERS, core);
}

// The stack is in the core's own memory. mhartid is the core's number in the chip; a cluster has 17 numbers.
__attribute__((naked, section(".start"), used)) void start_core(void);
__attribute__((naked, section(".start"), used)) void start_core(void) {
    __asm__("li sp, 0x1000\n\t"
            "csrr a2, mhartid\n\t"
            "li a1, 17\n\t"
            "divu a0, a2, a1\n\t"
            "remu a1, a2, a1\n\t"
            "call begin\n\t"
            "li a7, 93\n\t"
            "ecall");
}
