// SPDX-License-Identifier: BSD-3-Clause
// Micro-cores under MPPA's names (mppa_noc.h) send memory while the core computes: any bytes from and to any offset, jobs one
// after the other, several at the same time, and beside puts of the runtime, which uses the same micro-cores.
// pes: 1 2 16
#include "test.h"

#include <mppa_noc.h>
#include <mppa_routing.h>

#define BYTES 20000
#define TX MPPA_NOC_INTERRUPT_LINE_DNOC_TX
#define RX MPPA_NOC_INTERRUPT_LINE_DNOC_RX

static _Alignas(8) unsigned char source[BYTES + 16], buffer[3][BYTES + 16];
static unsigned char put[BYTES];

static uint32_t now(void) {
    uint32_t cycles;
    __asm__ volatile("rdcycle %0" : "=r"(cycles));
    return cycles;
}

static void open_tag(unsigned tag) {
    mppa_noc_dnoc_rx_configuration_t configuration = MPPA_NOC_DNOC_RX_CONFIGURATION_INIT;
    configuration.buffer_base = (uintptr_t)buffer[tag];
    configuration.buffer_size = sizeof buffer[tag];
    configuration.activation = MPPA_NOC_ACTIVATED;
    REQUIRE(mppa_noc_dnoc_rx_alloc(0, tag) == MPPA_NOC_RET_SUCCESS, "tag %u", tag);
    REQUIRE(mppa_noc_dnoc_rx_configure(0, tag, configuration) == MPPA_NOC_RET_SUCCESS, "tag %u", tag);
}

static void start(unsigned uc, unsigned tag, unsigned bytes, unsigned from, unsigned to) {
    mppa_noc_dnoc_uc_configuration_t configuration = MPPA_NOC_DNOC_UC_CONFIGURATION_INIT;
    mppa_dnoc_channel_config_t config = {0};
    mppa_dnoc_header_t header = {0};
    mppa_noc_uc_program_run_t run = {{1, 1}};
    header._.tag = tag;
    header._.valid = 1;
    configuration.program_start = (uintptr_t)mppa_noc_linear_firmware_eot_event;
    configuration.buffer_base = (uintptr_t)source;
    configuration.buffer_size = sizeof source;
    mppa_noc_dnoc_uc_set_linear_params(&configuration, bytes, from, to);
    REQUIRE(mppa_routing_get_dnoc_unicast_route(me, right_of(me), &config, &header) == MPPA_ROUTING_RET_SUCCESS,
            "route");
    REQUIRE(mppa_noc_dnoc_uc_configure(0, uc, configuration, header, config) == MPPA_NOC_RET_SUCCESS, "micro-core %u",
            uc);
    mppa_noc_dnoc_uc_set_program_run(0, uc, run);
    mppa_noc_dnoc_uc_set_linear_params(&configuration, sizeof source, 1, 0);
    REQUIRE(mppa_noc_dnoc_uc_configure(0, uc, configuration, header, config) != MPPA_NOC_RET_SUCCESS,
            "behind the buffer");
    configuration.program_start = 0;
    REQUIRE(mppa_noc_dnoc_uc_configure(0, uc, configuration, header, config) != MPPA_NOC_RET_SUCCESS, "no program");
}

static void await(mppa_noc_interrupt_line_t line, unsigned tag, int wanted) {
    int events = 0;
    while (events < wanted) events += mppa_noc_wait_clear_event(0, line, tag);
    REQUIRE(events == wanted, "%d events, not %d", events, wanted);
}

static unsigned micro_core(unsigned channel) {
    const mppa_noc_dnoc_uc_configuration_t none = MPPA_NOC_DNOC_UC_CONFIGURATION_INIT;
    unsigned uc = 9;
    REQUIRE(mppa_noc_dnoc_uc_alloc_auto(0, &uc, MPPA_NOC_BLOCKING) == MPPA_NOC_RET_SUCCESS, "no micro-core");
    REQUIRE(mppa_noc_dnoc_uc_link(0, uc, channel, none) == MPPA_NOC_RET_SUCCESS, "link");
    return uc;
}

// One job after the other. The next one starts when the last one has ended, also if nobody waits for the event.
static void sizes(unsigned uc) {
    for (unsigned bytes = 0, k = 0; bytes <= BYTES; bytes = bytes * 5 + 3, k++) {
        test_fill(source, sizeof source, (uint64_t)(k + (unsigned)me));
        memset(buffer[0], TEST_GUARD, sizeof buffer[0]);
        shmem_barrier_all();
        start(uc, 0, bytes, k % 5, k);
        await(TX, uc, 1);
        memset(source, 0, sizeof source); // the packets have left
        await(RX, 0, 1);
        unsigned char expected[16];
        test_fill(source, sizeof source, (uint64_t)(k + (unsigned)left_of(me)));
        memcpy(expected, source + k % 5, sizeof expected);
        REQUIRE(memcmp(buffer[0] + k, source + k % 5, bytes) == 0, "%u bytes", bytes);
        REQUIRE(test_all_guard(buffer[0], k) && test_all_guard(buffer[0] + k + bytes, sizeof buffer[0] - k - bytes),
                "bytes beside the %u", bytes);
        shmem_barrier_all();
    }
}

static void together(const unsigned uc[3]) {
    test_fill(source, sizeof source, (uint64_t)me);
    shmem_barrier_all();
    const uint32_t began = now();
    for (unsigned tag = 0; tag < 3; tag++) start(uc[tag], tag, BYTES / 2, 0, 0);
    const uint32_t started = now() - began;
    for (unsigned tag = 0; tag < 3; tag++)
        start(uc[tag], tag, BYTES / 2, BYTES / 2, BYTES / 2); // waits for the first half
    shmem_putmem(put, source, BYTES, right_of(me));
    for (unsigned tag = 0; tag < 3; tag++) await(TX, uc[tag], 2);
    const uint32_t sent = now() - began;
    for (unsigned tag = 0; tag < 3; tag++) {
        await(RX, tag, 2);
        REQUIRE(test_first_wrong(buffer[tag], BYTES, (uint64_t)left_of(me)) == BYTES, "data of tag %u", tag);
    }
    shmem_barrier_all();
    REQUIRE(test_first_wrong(put, BYTES, (uint64_t)left_of(me)) == BYTES, "data of the put");
    REQUIRE(started < sent / 3, "the starts took %u of %u cycles", (unsigned)started, (unsigned)sent);
    if (me == 0) printf("3 jobs started in %u cycles, 6 sent in %u\n", (unsigned)started, (unsigned)sent);
}

int main(void) {
    unsigned channel = 0;
    test_begin();
    for (unsigned tag = 0; tag < 3; tag++) open_tag(tag);
    REQUIRE(mppa_noc_dnoc_tx_alloc_auto(0, &channel, MPPA_NOC_BLOCKING) == MPPA_NOC_RET_SUCCESS, "channel");
    const unsigned uc[3] = {micro_core(channel), micro_core(channel), micro_core(channel)};
    REQUIRE(mppa_noc_dnoc_uc_alloc(0, uc[1]) != MPPA_NOC_RET_SUCCESS, "a micro-core was allocated twice");
    REQUIRE(mppa_noc_dnoc_uc_alloc(0, 7) != MPPA_NOC_RET_SUCCESS, "a micro-core that does not exist");
    REQUIRE(!mppa_noc_has_pending_event(0, TX), "an event");
    shmem_barrier_all();
    sizes(uc[2]);
    together(uc);
    for (unsigned k = 0; k < 3; k++) mppa_noc_dnoc_uc_free(0, uc[k]);
    return test_end();
}
