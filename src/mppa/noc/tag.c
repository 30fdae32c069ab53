// SPDX-License-Identifier: BSD-3-Clause
// Implements Rx tags of the data network.
#include "internal.h"

#define TAGS_OF_WORD 64
_Static_assert(SKERRY_NOC_TAGS <= TAGS_OF_WORD * MPPA_NOC_BITMASK_WORDS, "a bit for each tag");

mppa_noc_ret_t mppa_noc_dnoc_rx_alloc(int interface, unsigned tag) {
    skerry_noc_check_interface("mppa_noc_dnoc_rx_alloc", interface);
    return skerry_noc_result(skerry_noc_take(SKERRY_NOC_TAG, tag));
}

mppa_noc_ret_t mppa_noc_dnoc_rx_alloc_auto(int interface, unsigned *tag, int blocking) {
    skerry_noc_check_interface("mppa_noc_dnoc_rx_alloc_auto", interface);
    return skerry_noc_result(skerry_noc_take_any(SKERRY_NOC_TAG, tag, blocking != MPPA_NOC_NON_BLOCKING));
}

void mppa_noc_dnoc_rx_free(int interface, unsigned tag) {
    skerry_noc_check("mppa_noc_dnoc_rx_free", interface, SKERRY_NOC_TAG, tag);
    if (skerry_noc_forget_handler) skerry_noc_forget_handler(MPPA_NOC_INTERRUPT_LINE_DNOC_RX, tag);
    skerry_noc_close_tag(tag);
    skerry_noc_give(SKERRY_NOC_TAG, tag);
}

// Sets what is counted. Returns false if there is no such mode.
static bool set_counting(struct skerry_noc_window *window, mppa_noc_rx_reload_mode_t mode, uint32_t reload) {
    window->items_reload = 0;
    switch (mode) {
    case MPPA_NOC_RX_RELOAD_MODE_INCR_DATA_NOTIF: window->counting = SKERRY_NOC_COUNT_ENDS; return true;
    case MPPA_NOC_RX_RELOAD_MODE_DECR_DATA_RELOAD: window->items_reload = reload; // fallthrough
    case MPPA_NOC_RX_RELOAD_MODE_DECR_DATA_NO_RELOAD: window->counting = SKERRY_NOC_COUNT_BYTES; return true;
    case MPPA_NOC_RX_RELOAD_MODE_DECR_NOTIF_RELOAD: window->items_reload = reload; // fallthrough
    case MPPA_NOC_RX_RELOAD_MODE_DECR_NOTIF_NO_RELOAD: window->counting = SKERRY_NOC_COUNT_DOWN; return true;
    }
    return false;
}

mppa_noc_ret_t mppa_noc_dnoc_rx_configure(int interface, unsigned tag, mppa_noc_dnoc_rx_configuration_t configuration) {
    skerry_noc_check("mppa_noc_dnoc_rx_configure", interface, SKERRY_NOC_TAG, tag);
    struct skerry_noc_window window = {
        .memory = (void *)configuration.buffer_base,
        .bytes = configuration.buffer_size,
        .position = configuration.current_offset,
        .events = configuration.event_counter,
        .items = configuration.item_counter,
    };
    if (window.bytes == 0 || window.position > window.bytes) return MPPA_NOC_RET_FAILURE;
    if (!skerry_noc_is_memory(window.memory, window.bytes)) return MPPA_NOC_RET_FAILURE;
    if (configuration.activation != MPPA_NOC_ACTIVATED) return MPPA_NOC_RET_FAILURE;
    if (!set_counting(&window, configuration.reload_mode, configuration.item_reload)) return MPPA_NOC_RET_FAILURE;
    skerry_noc_open_tag(tag, &window);
    return MPPA_NOC_RET_SUCCESS;
}

int mppa_noc_dnoc_rx_get_event_counter(int interface, unsigned tag) {
    skerry_noc_check("mppa_noc_dnoc_rx_get_event_counter", interface, SKERRY_NOC_TAG, tag);
    return (int)skerry_noc_tag_events(tag);
}

int mppa_noc_dnoc_rx_lac_event_counter(int interface, unsigned tag) {
    skerry_noc_check("mppa_noc_dnoc_rx_lac_event_counter", interface, SKERRY_NOC_TAG, tag);
    return (int)skerry_noc_tag_clear(tag);
}

uint32_t mppa_noc_dnoc_rx_get_item_counter(int interface, unsigned tag) {
    skerry_noc_check("mppa_noc_dnoc_rx_get_item_counter", interface, SKERRY_NOC_TAG, tag);
    return skerry_noc_tag_items(tag);
}

uint32_t mppa_noc_dnoc_rx_lac_item_counter(int interface, unsigned tag) {
    skerry_noc_check("mppa_noc_dnoc_rx_lac_item_counter", interface, SKERRY_NOC_TAG, tag);
    return skerry_noc_tag_take_items(tag);
}

mppa_noc_dnoc_rx_bitmask_t mppa_noc_dnoc_rx_get_events_bitmask(int interface) {
    mppa_noc_dnoc_rx_bitmask_t events = {{0}};
    skerry_noc_check_interface("mppa_noc_dnoc_rx_get_events_bitmask", interface);
    for (unsigned tag = 0; tag < SKERRY_NOC_TAGS; tag++) {
        if (skerry_noc_is_taken(SKERRY_NOC_TAG, tag) && skerry_noc_tag_events(tag) != 0)
            events.bitmask[tag / TAGS_OF_WORD] |= 1ull << tag % TAGS_OF_WORD;
    }
    return events;
}
