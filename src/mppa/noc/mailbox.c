// SPDX-License-Identifier: BSD-3-Clause
// Implements mailboxes and senders of the control network.
#include "internal.h"

// -- Mailboxes ---------------------------------------------------------------------------------------------------------

mppa_noc_ret_t mppa_noc_cnoc_rx_alloc(int interface, unsigned tag) {
    skerry_noc_check_interface("mppa_noc_cnoc_rx_alloc", interface);
    return skerry_noc_result(skerry_noc_take(SKERRY_NOC_MAILBOX, tag));
}

mppa_noc_ret_t mppa_noc_cnoc_rx_alloc_auto(int interface, unsigned *tag, int blocking) {
    skerry_noc_check_interface("mppa_noc_cnoc_rx_alloc_auto", interface);
    return skerry_noc_result(skerry_noc_take_any(SKERRY_NOC_MAILBOX, tag, blocking != MPPA_NOC_NON_BLOCKING));
}

void mppa_noc_cnoc_rx_free(int interface, unsigned tag) {
    skerry_noc_check("mppa_noc_cnoc_rx_free", interface, SKERRY_NOC_MAILBOX, tag);
    if (skerry_noc_forget_handler) skerry_noc_forget_handler(MPPA_NOC_INTERRUPT_LINE_CNOC_RX, tag);
    skerry_noc_close_mailbox(tag);
    skerry_noc_give(SKERRY_NOC_MAILBOX, tag);
}

mppa_noc_ret_t mppa_noc_cnoc_rx_configure(int interface, unsigned tag, mppa_noc_cnoc_rx_configuration_t configuration,
                                          const mppa_cnoc_mailbox_notif_t *notification) {
    (void)notification;
    skerry_noc_check("mppa_noc_cnoc_rx_configure", interface, SKERRY_NOC_MAILBOX, tag);
    const bool is_barrier = configuration.mode == MPPA_NOC_CNOC_RX_BARRIER;
    if (!is_barrier && configuration.mode != MPPA_NOC_CNOC_RX_MAILBOX) return MPPA_NOC_RET_FAILURE;
    skerry_noc_open_mailbox(tag, is_barrier, configuration.init_value);
    return MPPA_NOC_RET_SUCCESS;
}

uint64_t mppa_noc_cnoc_rx_get_value(int interface, unsigned tag) {
    skerry_noc_check("mppa_noc_cnoc_rx_get_value", interface, SKERRY_NOC_MAILBOX, tag);
    return skerry_noc_mailbox_value(tag);
}

int mppa_noc_cnoc_clear_rx_event(int interface, unsigned tag) {
    skerry_noc_check("mppa_noc_cnoc_clear_rx_event", interface, SKERRY_NOC_MAILBOX, tag);
    return (int)skerry_noc_mailbox_clear(tag);
}

// -- Senders -----------------------------------------------------------------------------------------------------------

static bool is_configured[SKERRY_NOC_SENDERS];

mppa_noc_ret_t mppa_noc_cnoc_tx_alloc(int interface, unsigned tag) {
    skerry_noc_check_interface("mppa_noc_cnoc_tx_alloc", interface);
    return skerry_noc_result(skerry_noc_take(SKERRY_NOC_SENDER, tag));
}

mppa_noc_ret_t mppa_noc_cnoc_tx_alloc_auto(int interface, unsigned *tag, int blocking) {
    skerry_noc_check_interface("mppa_noc_cnoc_tx_alloc_auto", interface);
    return skerry_noc_result(skerry_noc_take_any(SKERRY_NOC_SENDER, tag, blocking != MPPA_NOC_NON_BLOCKING));
}

void mppa_noc_cnoc_tx_free(int interface, unsigned tag) {
    skerry_noc_check("mppa_noc_cnoc_tx_free", interface, SKERRY_NOC_SENDER, tag);
    is_configured[tag] = false;
    skerry_noc_clear_sender(tag);
    skerry_noc_give(SKERRY_NOC_SENDER, tag);
}

mppa_noc_ret_t mppa_noc_cnoc_tx_configure(int interface, unsigned tag, mppa_cnoc_config_t config,
                                          mppa_cnoc_header_t header) {
    skerry_noc_check("mppa_noc_cnoc_tx_configure", interface, SKERRY_NOC_SENDER, tag);
    if (header._.tag >= SKERRY_NOC_MAILBOXES) return MPPA_NOC_RET_FAILURE;
    const uint32_t route = skerry_noc_checked_route("mppa_noc_cnoc_tx_configure", config._.first_dir, header._.route);
    skerry_noc_set_sender(tag, route, header._.tag);
    is_configured[tag] = true;
    return MPPA_NOC_RET_SUCCESS;
}

static void push(const char *routine, int interface, unsigned tag, uint64_t value) {
    skerry_noc_check(routine, interface, SKERRY_NOC_SENDER, tag);
    if (!is_configured[tag]) skerry_fail_values(routine, "sender #: it was not configured", (long[]){(long)tag}, 1);
    skerry_noc_send_word(tag, value);
}

void mppa_noc_cnoc_tx_push(int interface, unsigned tag, uint64_t value) {
    push("mppa_noc_cnoc_tx_push", interface, tag, value);
}

void mppa_noc_cnoc_tx_push_eot(int interface, unsigned tag, uint64_t value) {
    push("mppa_noc_cnoc_tx_push_eot", interface, tag, value);
}
