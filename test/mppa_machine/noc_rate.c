// SPDX-License-Identifier: BSD-3-Clause
// The packet shaper of a channel holds a limit of its rate, also for two cores' channels side by side, and no packet is lost.
// pes: 2
#include "test.h"

#include <mppa_noc.h>
#include <mppa_routing.h>

#define BYTES 4096
#define FLITS (BYTES / 64 * 18) // a core's packet has 16 flits and 2 of header

static _Alignas(8) char buffer[2][BYTES], source[BYTES];

static uint32_t now(void) {
    uint32_t cycles;
    __asm__ volatile("rdcycle %0" : "=r"(cycles));
    return cycles;
}

static bool limit(unsigned channel, unsigned tag, unsigned delay, unsigned credit) {
    mppa_dnoc_channel_config_t config = {0};
    mppa_dnoc_header_t header = {0};
    MPPA_NOC_DNOC_TX_CONFIG_INITIALIZER_DEFAULT(config, 0);
    config._.payload_max = 16;
    config._.bw_slow_delay = delay;
    config._.bw_max_credit = credit;
    mppa_routing_get_dnoc_unicast_route(me, 1, &config, &header);
    header._.tag = tag;
    return mppa_noc_dnoc_tx_configure(0, channel, header, config) == MPPA_NOC_RET_SUCCESS;
}

// Returns the cycles until the last packet of BYTES has left.
static uint32_t sent_in(unsigned channel) {
    const uint32_t began = now();
    mppa_noc_dnoc_tx_send_data(0, channel, BYTES, source);
    mppa_noc_dnoc_tx_flush_eot(0, channel); // waits for the place of the last packet
    return now() - began;
}

static void check(unsigned channel, unsigned tag, unsigned delay, unsigned credit) {
    REQUIRE(limit(channel, tag, delay, credit), "a delay of %u was refused", delay);
    const uint32_t took = sent_in(channel), expected = (FLITS - credit) * (delay + 1);
    printf("1 flit in %4u cycles: %7u cycles for %u flits\n", delay + 1, (unsigned)took, FLITS);
    REQUIRE(took > expected - expected / 20 && took < expected + expected / 20, "%u cycles, not %u", (unsigned)took,
            (unsigned)expected);
}

int main(void) {
    mppa_noc_dnoc_rx_configuration_t configuration = MPPA_NOC_DNOC_RX_CONFIGURATION_INIT;
    test_begin();
    for (unsigned tag = 0; tag < 2; tag++) {
        configuration.buffer_base = (uintptr_t)buffer[tag];
        configuration.buffer_size = BYTES;
        configuration.activation = MPPA_NOC_ACTIVATED;
        mppa_noc_dnoc_rx_alloc(0, tag);
        mppa_noc_dnoc_rx_configure(0, tag, configuration);
    }
    shmem_barrier_all();
    if (me == 0) {
        mppa_noc_dnoc_tx_alloc(0, 0);
        mppa_noc_dnoc_tx_alloc(0, 6);
        test_fill(source, BYTES, 3);
        REQUIRE(limit(0, 0, 0, 255), "no limit was refused");
        sent_in(0); // the instruction cache is cold
        const uint32_t without = sent_in(0);
        printf("without a limit:       %7u cycles\n", (unsigned)without);
        REQUIRE(without < 10 * FLITS, "%u cycles without a limit", (unsigned)without);
        check(0, 0, 15, 18);
        check(6, 1, 31, 64);
        check(6, 1, 255, 18);
        REQUIRE(!limit(0, 0, 3, 17), "a credit of less than a packet");
        REQUIRE(!limit(0, 0, 1024, 18), "a delay that the shaper cannot hold");
    } else {
        for (unsigned tag = 0, events = 0; tag < 2; tag++) {
            const unsigned wanted = tag == 0 ? 3 : 2;
            for (events = 0; events < wanted;)
                events += (unsigned)mppa_noc_wait_clear_event(0, MPPA_NOC_INTERRUPT_LINE_DNOC_RX, tag);
            REQUIRE(mppa_noc_dnoc_rx_get_item_counter(0, tag) == wanted * BYTES, "bytes of tag %u", tag);
            REQUIRE(test_first_wrong(buffer[tag], BYTES, 3) == BYTES, "data of tag %u", tag);
        }
    }
    shmem_barrier_all();
    return test_end();
}
