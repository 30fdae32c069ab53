// SPDX-License-Identifier: BSD-3-Clause
// A packet for a tag that nobody owns ends the job with a line that names both clusters.
// pes: 2
// expect-exit: 124
// expect-stderr: node 1, DMA: a packet from node 0 arrived for Rx tag 9, which nobody owns
#include "test.h"

#include <mppa_noc.h>
#include <mppa_routing.h>

static char memory[64];

// Sends 16 bytes to offset 56 of tag 9 of cluster 1.
static void send(void) {
    mppa_dnoc_channel_config_t config = {0};
    mppa_dnoc_header_t header = {0};
    const mppa_dnoc_push_offset_t offset = {._ = {.offset = 56, .protocol = 1, .valid = 1}};
    mppa_noc_dnoc_tx_alloc(0, 2);
    mppa_routing_get_dnoc_unicast_route(0, 1, &config, &header);
    header._.tag = 9;
    mppa_noc_dnoc_tx_configure(0, 2, header, config);
    mppa_noc_dnoc_tx_set_push_offset(0, 2, offset);
    mppa_noc_dnoc_tx_send_data_eot(0, 2, 16, memory);
}

int main(void) {
    test_begin();
    mppa_noc_dnoc_rx_alloc(0, 9); // it has no buffer yet
    shmem_barrier_all();
    if (me == 0) send();
    test_sleep_ms(10);
    shmem_barrier_all();
    return test_end();
}
