// SPDX-License-Identifier: BSD-3-Clause
// Implements Tx channels of the data network. Bytes are sent at once, so a channel holds nothing back that a flush would have
// to send. Where its next bytes go is a word of the channel, which only the core that uses the channel reads and writes.
#include "internal.h"

#define DEFAULT_PAYLOAD 32u
#define MOST_PAYLOAD 62u
#define HEADER_FLITS 2u
#define FLITS_OF_CORE 18u // of the largest packet that a core sends
#define MOST_FLIT_CYCLES 1024u

static uint32_t offsets[SKERRY_NOC_CHANNELS]; // of the next bytes, or SKERRY_NOC_BEHIND
static bool is_configured[SKERRY_NOC_CHANNELS];

mppa_noc_ret_t mppa_noc_dnoc_tx_alloc(int interface, unsigned tag) {
    skerry_noc_check_interface("mppa_noc_dnoc_tx_alloc", interface);
    return skerry_noc_result(skerry_noc_take(SKERRY_NOC_CHANNEL, tag));
}

mppa_noc_ret_t mppa_noc_dnoc_tx_alloc_auto(int interface, unsigned *tag, int blocking) {
    skerry_noc_check_interface("mppa_noc_dnoc_tx_alloc_auto", interface);
    return skerry_noc_result(skerry_noc_take_any(SKERRY_NOC_CHANNEL, tag, blocking != MPPA_NOC_NON_BLOCKING));
}

void mppa_noc_dnoc_tx_free(int interface, unsigned tag) {
    skerry_noc_check("mppa_noc_dnoc_tx_free", interface, SKERRY_NOC_CHANNEL, tag);
    is_configured[tag] = false;
    skerry_noc_clear_channel(tag);
    skerry_noc_give(SKERRY_NOC_CHANNEL, tag);
}

mppa_noc_ret_t mppa_noc_dnoc_tx_configure(int interface, unsigned tag, mppa_dnoc_header_t header,
                                          mppa_dnoc_channel_config_t config) {
    skerry_noc_check("mppa_noc_dnoc_tx_configure", interface, SKERRY_NOC_CHANNEL, tag);
    const struct skerry_noc_rate rate = {
        .flit_cycles = 1 + config._.bw_slow_delay,
        .burst_flits = config._.bw_max_credit,
        .payload_flits = config._.payload_max != 0 ? config._.payload_max : DEFAULT_PAYLOAD,
    };
    if (header._.tag >= SKERRY_NOC_TAGS || header._.multicast != 0) return MPPA_NOC_RET_FAILURE;
    if (rate.payload_flits > MOST_PAYLOAD || config._.bw_slow_delay >= MOST_FLIT_CYCLES || config._.bw_fast_delay != 0)
        return MPPA_NOC_RET_FAILURE;
    if (config._.bw_slow_delay != 0 &&
        (rate.burst_flits < FLITS_OF_CORE || rate.burst_flits < rate.payload_flits + HEADER_FLITS))
        return MPPA_NOC_RET_FAILURE;
    const uint32_t route = skerry_noc_checked_route("mppa_noc_dnoc_tx_configure", config._.first_dir, header._.route);
    skerry_noc_set_channel(tag, route, header._.tag, &rate);
    offsets[tag] = SKERRY_NOC_BEHIND;
    is_configured[tag] = true;
    return MPPA_NOC_RET_SUCCESS;
}

static void send(const char *routine, int interface, unsigned tag, uint32_t size, const void *data, bool end) {
    skerry_noc_check(routine, interface, SKERRY_NOC_CHANNEL, tag);
    if (!is_configured[tag]) skerry_fail_values(routine, "Tx channel #: it was not configured", (long[]){(long)tag}, 1);
    skerry_noc_send(tag, offsets[tag], data, size, end);
    if (offsets[tag] != SKERRY_NOC_BEHIND) offsets[tag] += size;
}

void mppa_noc_dnoc_tx_send_data(int interface, unsigned tag, uint32_t size, const void *data) {
    send("mppa_noc_dnoc_tx_send_data", interface, tag, size, data, false);
}

void mppa_noc_dnoc_tx_send_data_eot(int interface, unsigned tag, uint32_t size, const void *data) {
    send("mppa_noc_dnoc_tx_send_data_eot", interface, tag, size, data, true);
}

void mppa_noc_dnoc_tx_flush(int interface, unsigned tag) {
    skerry_noc_check("mppa_noc_dnoc_tx_flush", interface, SKERRY_NOC_CHANNEL, tag);
}

void mppa_noc_dnoc_tx_flush_eot(int interface, unsigned tag) {
    send("mppa_noc_dnoc_tx_flush_eot", interface, tag, 0, NULL, true);
}

void mppa_noc_dnoc_tx_set_push_offset(int interface, unsigned tag, mppa_dnoc_push_offset_t offset) {
    skerry_noc_check("mppa_noc_dnoc_tx_set_push_offset", interface, SKERRY_NOC_CHANNEL, tag);
    offsets[tag] = offset._.valid != 0 && offset._.protocol != 0 ? offset._.offset : SKERRY_NOC_BEHIND;
}
