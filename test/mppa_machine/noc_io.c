// SPDX-License-Identifier: BSD-3-Clause
// The networks between I/O nodes and clusters (mppa_noc.h): all clusters send a bit to a barrier of the first I/O node, which
// sends data to each of them. The I/O nodes have the numbers 128 and 192, as on the MPPA.
// pes: 2 18
// oshrun: --io-node
#include "test.h"

#include <mppa_noc.h>
#include <mppa_routing.h>

#define ARRIVED 16
#define DATA 7
#define BYTES 200

static unsigned char buffer[BYTES], source[BYTES];

// The number of the node of a PE.
static int node_of(int pe) {
    return pe == 0 ? 128 : pe == 17 ? 192 : pe - 1;
}

static void tell(void) {
    mppa_cnoc_config_t config = {0};
    mppa_cnoc_header_t header = {0};
    unsigned sender = 0;
    mppa_noc_cnoc_tx_alloc_auto(0, &sender, MPPA_NOC_BLOCKING);
    REQUIRE(mppa_routing_get_cnoc_unicast_route(node_of(me), 128, &config, &header) == MPPA_ROUTING_RET_SUCCESS,
            "route to the I/O node");
    header._.tag = ARRIVED;
    mppa_noc_cnoc_tx_configure(0, sender, config, header);
    mppa_noc_cnoc_tx_push_eot(0, sender, 1ull << me);
}

static void send(int pe) {
    mppa_dnoc_channel_config_t config = {0};
    mppa_dnoc_header_t header = {0};
    const mppa_dnoc_push_offset_t begin = {._ = {.offset = 0, .protocol = 1, .valid = 1}};
    REQUIRE(mppa_routing_get_dnoc_unicast_route(128, node_of(pe), &config, &header) == MPPA_ROUTING_RET_SUCCESS,
            "route to PE %d", pe);
    header._.tag = DATA;
    mppa_noc_dnoc_tx_configure(0, 0, header, config);
    mppa_noc_dnoc_tx_set_push_offset(0, 0, begin);
    test_fill(source, BYTES, (uint64_t)pe);
    mppa_noc_dnoc_tx_send_data_eot(0, 0, BYTES, source);
}

int main(void) {
    const mppa_noc_dnoc_rx_configuration_t receive = {
        .buffer_base = (uintptr_t)buffer, .buffer_size = BYTES, .activation = MPPA_NOC_ACTIVATED};
    mppa_cnoc_config_t config = {0};
    mppa_cnoc_header_t header = {0};
    test_begin();
    const mppa_noc_cnoc_rx_configuration_t all = {.mode = MPPA_NOC_CNOC_RX_BARRIER, .init_value = ~((1ull << pes) - 2)};
    REQUIRE(mppa_routing_get_cnoc_unicast_route(0, 129, &config, &header) != MPPA_ROUTING_RET_SUCCESS &&
                mppa_routing_get_cnoc_unicast_route(16, 0, &config, &header) != MPPA_ROUTING_RET_SUCCESS,
            "nodes that no PE can be");
    mppa_noc_dnoc_rx_alloc(0, DATA);
    mppa_noc_dnoc_rx_configure(0, DATA, receive);
    mppa_noc_dnoc_tx_alloc(0, 0);
    mppa_noc_cnoc_rx_alloc(0, ARRIVED);
    mppa_noc_cnoc_rx_configure(0, ARRIVED, all, NULL);
    shmem_barrier_all();
    if (me == 0) {
        REQUIRE(mppa_noc_wait_clear_event(0, MPPA_NOC_INTERRUPT_LINE_CNOC_RX, ARRIVED) == 1, "not one event");
        for (int pe = 1; pe < pes; pe++) send(pe);
    } else {
        tell();
        REQUIRE(mppa_noc_wait_clear_event(0, MPPA_NOC_INTERRUPT_LINE_DNOC_RX, DATA) == 1, "not one event");
        REQUIRE(test_first_wrong(buffer, BYTES, (uint64_t)me) == BYTES, "wrong data");
    }
    shmem_barrier_all();
    return test_end();
}
