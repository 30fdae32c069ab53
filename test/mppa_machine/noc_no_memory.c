// SPDX-License-Identifier: BSD-3-Clause
// A buffer that is no memory of this cluster, or not completely, is refused: of an Rx tag, and of a micro-core.
// pes: 1 2
#include "test.h"

#include <mppa_noc.h>
#include <mppa_routing.h>

static char buffer[64];

static mppa_noc_ret_t receive(uintptr_t base, size_t bytes) {
    const mppa_noc_dnoc_rx_configuration_t configuration = {.buffer_base = base,
                                                            .buffer_size = bytes,
                                                            .reload_mode = MPPA_NOC_RX_RELOAD_MODE_INCR_DATA_NOTIF,
                                                            .activation = MPPA_NOC_ACTIVATED};
    return mppa_noc_dnoc_rx_configure(0, 7, configuration);
}

static mppa_noc_ret_t send(uintptr_t base, uint32_t bytes) {
    mppa_noc_dnoc_uc_configuration_t configuration = {
        .program_start = (uintptr_t)mppa_noc_linear_firmware_eot_event, .buffer_base = base, .buffer_size = bytes};
    mppa_dnoc_channel_config_t config = {0};
    mppa_dnoc_header_t header = {0};
    mppa_noc_dnoc_uc_set_linear_params(&configuration, bytes, 0, 0);
    mppa_routing_get_dnoc_unicast_route(me, pes - 1, &config, &header);
    header._.tag = 7;
    return mppa_noc_dnoc_uc_configure(0, 2, configuration, header, config);
}

int main(void) {
    static const uintptr_t wrong[] = {0, 0x10, 0x401fffe0, 0x50000000, 0xa0000000, 0xffffffe0};
    test_begin();
    REQUIRE(mppa_noc_dnoc_rx_alloc(0, 7) == MPPA_NOC_RET_SUCCESS, "tag 7");
    REQUIRE(mppa_noc_dnoc_uc_alloc(0, 2) == MPPA_NOC_RET_SUCCESS, "micro-core 2");
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        REQUIRE(receive(wrong[i], sizeof buffer) == MPPA_NOC_RET_FAILURE, "a tag receives at %lx", (long)wrong[i]);
        REQUIRE(send(wrong[i], sizeof buffer) == MPPA_NOC_RET_FAILURE, "a micro-core sends from %lx", (long)wrong[i]);
    }
    REQUIRE(receive((uintptr_t)buffer, sizeof buffer) == MPPA_NOC_RET_SUCCESS, "a tag does not receive");
    REQUIRE(send((uintptr_t)buffer, sizeof buffer) == MPPA_NOC_RET_SUCCESS, "a micro-core does not send");
    return test_end();
}
