// SPDX-License-Identifier: BSD-3-Clause
// Rx tags and Tx channels of the data network (mppa_noc.h): bytes at an offset and behind each other, over the end of the
// buffer; what the counters of each mode count; many senders to one tag; transfers behind which the runtime also sends.
// pes: 1 2 16
#include "test.h"

#include <mppa_noc.h>
#include <mppa_routing.h>

#define DATA 7
#define PIECES 8
#define MANY 16
#define RX MPPA_NOC_INTERRUPT_LINE_DNOC_RX

static unsigned char buffer[4096], source[4096];

static void open_tag(unsigned tag, void *memory, unsigned bytes, mppa_noc_rx_reload_mode_t mode, unsigned items,
                     unsigned reload) {
    const mppa_noc_dnoc_rx_configuration_t configuration = {
        .buffer_base = (uintptr_t)memory,
        .buffer_size = bytes,
        .item_counter = items,
        .item_reload = reload,
        .reload_mode = mode,
        .activation = MPPA_NOC_ACTIVATED,
    };
    REQUIRE(mppa_noc_dnoc_rx_configure(0, tag, configuration) == MPPA_NOC_RET_SUCCESS, "tag %u", tag);
}

static void set_channel(unsigned channel, int cluster, unsigned tag) {
    mppa_dnoc_channel_config_t config = {0};
    mppa_dnoc_header_t header = {0};
    header._.tag = tag;
    header._.valid = 1;
    MPPA_NOC_DNOC_TX_CONFIG_INITIALIZER_DEFAULT(config, 0);
    REQUIRE(mppa_routing_get_dnoc_unicast_route(me, cluster, &config, &header) == MPPA_ROUTING_RET_SUCCESS,
            "route to %d", cluster);
    REQUIRE(mppa_noc_dnoc_tx_configure(0, channel, header, config) == MPPA_NOC_RET_SUCCESS, "channel %u", channel);
}

static void at(unsigned channel, unsigned offset) {
    const mppa_dnoc_push_offset_t push = {._ = {.offset = offset, .protocol = 1, .valid = 1}};
    mppa_noc_dnoc_tx_set_push_offset(0, channel, push);
}

// Bytes of all sizes and alignments at offsets. The counter of items counts bytes, and nothing beside them is written.
static void offsets(unsigned channel) {
    set_channel(channel, right_of(me), DATA);
    for (unsigned bytes = 1, from = 0; bytes <= 1500; bytes = bytes * 3 + 1, from += 3) {
        memset(buffer, TEST_GUARD, sizeof buffer);
        open_tag(DATA, buffer + 1, sizeof buffer - 1, MPPA_NOC_RX_RELOAD_MODE_INCR_DATA_NOTIF, 0, 0);
        shmem_barrier_all();
        test_fill(source, sizeof source, (uint64_t)(bytes + (unsigned)me));
        at(channel, 2 * from);
        mppa_noc_dnoc_tx_send_data(0, channel, bytes / 2, source);
        mppa_noc_dnoc_tx_send_data(0, channel, bytes - bytes / 2, source + bytes / 2);
        mppa_noc_dnoc_tx_flush_eot(0, channel);
        const int events = mppa_noc_wait_clear_event(0, RX, DATA);
        const unsigned items = mppa_noc_dnoc_rx_lac_item_counter(0, DATA), begin = 1 + 2 * from;
        REQUIRE(events == 1 && items == bytes, "%d events and %u items, not 1 and %u", events, items, bytes);
        REQUIRE(test_first_wrong(buffer + begin, bytes, (uint64_t)(bytes + (unsigned)left_of(me))) == bytes, "byte %zu",
                test_first_wrong(buffer + begin, bytes, (uint64_t)(bytes + (unsigned)left_of(me))));
        REQUIRE(test_all_guard(buffer, begin) && test_all_guard(buffer + begin + bytes, sizeof buffer - begin - bytes),
                "bytes beside the data of %u bytes", bytes);
        REQUIRE(mppa_noc_dnoc_rx_get_item_counter(0, DATA) == 0, "the items were not cleared");
        shmem_barrier_all();
    }
}

// Pieces without an offset go around a buffer whose size is no multiple of theirs.
static void pieces(unsigned channel) {
    enum { size = 100, piece = 39, count = 11 };
    set_channel(channel, right_of(me), PIECES);
    open_tag(PIECES, buffer, size, MPPA_NOC_RX_RELOAD_MODE_INCR_DATA_NOTIF, 0, 0);
    shmem_barrier_all();
    test_fill(source, sizeof source, (uint64_t)me);
    for (unsigned i = 0; i < count; i++) mppa_noc_dnoc_tx_send_data_eot(0, channel, piece, source + i * piece);
    int events = 0;
    while (events < count) events += mppa_noc_wait_clear_event(0, RX, PIECES);
    for (unsigned i = 0; i < size; i++) {
        unsigned last = i; // the last byte that was written there
        while (last + size < count * piece) last += size;
        REQUIRE(buffer[i] == test_byte((uint64_t)left_of(me), last), "byte %u", i);
    }
    REQUIRE(mppa_noc_dnoc_rx_get_item_counter(0, PIECES) == count * piece, "bytes");
    shmem_barrier_all();
}

// An event when all bytes have come, or all transfers; then the counter begins again if the mode says so.
static void countdown(unsigned channel) {
    set_channel(channel, right_of(me), PIECES);
    open_tag(PIECES, buffer, sizeof buffer, MPPA_NOC_RX_RELOAD_MODE_DECR_DATA_NO_RELOAD, 1000, 0);
    shmem_barrier_all();
    at(channel, 0);
    mppa_noc_dnoc_tx_send_data_eot(0, channel, 999, source); // an end of transfer is no event here
    while (mppa_noc_dnoc_rx_get_item_counter(0, PIECES) != 1) {
    }
    REQUIRE(mppa_noc_dnoc_rx_get_event_counter(0, PIECES) == 0, "an event before the last byte");
    shmem_barrier_all();
    mppa_noc_dnoc_tx_send_data(0, channel, 1, source);
    REQUIRE(mppa_noc_wait_clear_event(0, RX, PIECES) == 1, "not one event");
    shmem_barrier_all();
    open_tag(PIECES, buffer, sizeof buffer, MPPA_NOC_RX_RELOAD_MODE_DECR_NOTIF_RELOAD, 3, 2);
    shmem_barrier_all();
    at(channel, 0);
    for (int i = 0; i < 7; i++) mppa_noc_dnoc_tx_send_data_eot(0, channel, 8, source);
    int events = 0;
    while (events < 3) events += mppa_noc_wait_clear_event(0, RX, PIECES);
    REQUIRE(events == 3, "%d events of 7 transfers, not 3", events);
    REQUIRE(mppa_noc_dnoc_rx_get_item_counter(0, PIECES) == 2, "the counter was not loaded again");
    shmem_barrier_all();
}

// All PEs send to one tag of PE 0, which waits for all of them with one event.
static void gather(unsigned channel) {
    enum { piece = 200 };
    set_channel(channel, 0, MANY);
    if (me == 0)
        open_tag(MANY, buffer, (unsigned)pes * piece, MPPA_NOC_RX_RELOAD_MODE_DECR_NOTIF_NO_RELOAD, (unsigned)pes, 0);
    shmem_barrier_all();
    test_fill(source, piece, (uint64_t)(100 + me));
    at(channel, (unsigned)me * piece);
    mppa_noc_dnoc_tx_send_data_eot(0, channel, piece, source);
    if (me == 0) {
        REQUIRE(mppa_noc_wait_clear_event(0, RX, MANY) == 1, "not one event");
        for (int pe = 0; pe < pes; pe++)
            REQUIRE(test_first_wrong(buffer + pe * piece, piece, (uint64_t)(100 + pe)) == piece, "data of PE %d", pe);
    }
    shmem_barrier_all();
}

static void allocate(void) {
    unsigned tag = 0, channel = 0;
    REQUIRE(mppa_noc_dnoc_rx_alloc(0, DATA) != MPPA_NOC_RET_SUCCESS, "a tag was allocated twice");
    REQUIRE(mppa_noc_dnoc_rx_alloc(0, 192) != MPPA_NOC_RET_SUCCESS, "a tag of the runtime");
    int count = 0;
    while (mppa_noc_dnoc_rx_alloc_auto(0, &tag, MPPA_NOC_NON_BLOCKING) == MPPA_NOC_RET_SUCCESS) count++;
    REQUIRE(count == 192 - 3 && tag == 191, "%d tags", count);
    for (tag = 0; tag < 192; tag++)
        if (tag != DATA && tag != PIECES && tag != MANY) mppa_noc_dnoc_rx_free(0, tag);
    for (count = 1; mppa_noc_dnoc_tx_alloc_auto(0, &channel, MPPA_NOC_NON_BLOCKING) == MPPA_NOC_RET_SUCCESS;) count++;
    REQUIRE(count == 7 && channel == 6, "%d channels", count);
    for (channel = 1; channel < 7; channel++) mppa_noc_dnoc_tx_free(0, channel);
    mppa_noc_dnoc_rx_configuration_t configuration = MPPA_NOC_DNOC_RX_CONFIGURATION_INIT;
    configuration.activation = MPPA_NOC_ACTIVATED;
    REQUIRE(mppa_noc_dnoc_rx_configure(0, DATA, configuration) != MPPA_NOC_RET_SUCCESS, "a buffer without bytes");
    mppa_dnoc_channel_config_t config = {0};
    mppa_dnoc_header_t header = {0};
    header._.tag = 192;
    REQUIRE(mppa_noc_dnoc_tx_configure(0, 0, header, config) != MPPA_NOC_RET_SUCCESS, "a tag of the runtime");
}

// A set of tags with events.
static void events(unsigned channel) {
    open_tag(DATA, buffer, 16, MPPA_NOC_RX_RELOAD_MODE_INCR_DATA_NOTIF, 0, 0);
    REQUIRE(mppa_noc_dnoc_rx_alloc(0, 130) == MPPA_NOC_RET_SUCCESS, "tag 130");
    open_tag(130, buffer, 16, MPPA_NOC_RX_RELOAD_MODE_INCR_DATA_NOTIF, 0, 0);
    REQUIRE(!mppa_noc_has_pending_event(0, RX), "an event");
    set_channel(channel, me, 130);
    mppa_noc_dnoc_tx_flush_eot(0, channel);
    while (!mppa_noc_has_pending_event(0, RX)) {
    }
    const mppa_noc_dnoc_rx_bitmask_t set = mppa_noc_dnoc_rx_get_events_bitmask(0);
    REQUIRE(set.bitmask[0] == 0 && set.bitmask[1] == 0 && set.bitmask[2] == 4 && set.bitmask[3] == 0,
            "the set of events");
    REQUIRE(mppa_noc_dnoc_rx_lac_event_counter(0, 130) == 1 && mppa_noc_dnoc_rx_get_event_counter(0, 130) == 0,
            "the count");
    mppa_noc_dnoc_rx_free(0, 130);
}

int main(void) {
    unsigned channel = 9;
    test_begin();
    REQUIRE(mppa_noc_dnoc_rx_alloc(0, DATA) == MPPA_NOC_RET_SUCCESS, "tag %d", DATA);
    REQUIRE(mppa_noc_dnoc_rx_alloc(0, PIECES) == MPPA_NOC_RET_SUCCESS, "tag %d", PIECES);
    REQUIRE(mppa_noc_dnoc_rx_alloc(0, MANY) == MPPA_NOC_RET_SUCCESS, "tag %d", MANY);
    REQUIRE(mppa_noc_dnoc_tx_alloc_auto(0, &channel, MPPA_NOC_BLOCKING) == MPPA_NOC_RET_SUCCESS && channel == 0,
            "channel");
    allocate();
    events(channel);
    offsets(channel);
    pieces(channel);
    countdown(channel);
    gather(channel);
    return test_end();
}
