// SPDX-License-Identifier: BSD-3-Clause
// Declares the networks on the chip under the names of Kalray's MPPA. The control network carries words of 64 bits to the
// mailboxes of other clusters. Programs for the simulated clusters (oshcc --machine mppa) have these names. Their runtime
// uses the same networks, so some numbers belong to it. docs/guide/mppa.md has an example.
//
// A cluster has one interface, 0, whose mailboxes and senders its cores share. PE p of a job is cluster p.
#ifndef SKERRY_MPPA_NOC_H
#define SKERRY_MPPA_NOC_H

#ifdef __linux__
#error "mppa_noc.h: programs for Linux cannot use the networks on the chip; oshcc --machine mppa compiles for simulated clusters that have them"
#endif

#include <stdbool.h>
#include <stdint.h>

// A routine that cannot do what it should returns MPPA_NOC_RET_FAILURE. Wrong use ends the job with an error message.
typedef enum { MPPA_NOC_RET_SUCCESS, MPPA_NOC_RET_FAILURE } mppa_noc_ret_t;

// What mppa_noc_..._alloc_auto does if all are in use: returns MPPA_NOC_RET_FAILURE, or waits until one is free.
#define MPPA_NOC_NON_BLOCKING 0
#define MPPA_NOC_BLOCKING 1

// Kinds of events.
typedef enum {
    MPPA_NOC_INTERRUPT_LINE_CNOC_RX // of a mailbox
} mppa_noc_interrupt_line_t;

// -- The control network -----------------------------------------------------------------------------------------------

// The first step of a route, and its other steps (mppa_routing.h); `tag` is the mailbox at its end.
typedef struct {
    struct {
        uint32_t first_dir;
    } _;
} mppa_cnoc_config_t;
typedef struct {
    struct {
        uint32_t tag, route;
    } _;
} mppa_cnoc_header_t;

typedef enum { MPPA_NOC_CNOC_RX_MAILBOX, MPPA_NOC_CNOC_RX_BARRIER } mppa_noc_cnoc_rx_mode_t;
typedef struct {
    mppa_noc_cnoc_rx_mode_t mode;
    uint64_t init_value;
} mppa_noc_cnoc_rx_configuration_t;

// The cores that an event notifies. Here each event can be waited for by each core, so the values are not used.
typedef struct {
    struct {
        uint32_t enable, evt_en, rm, pe, fifo_id;
    } _;
} mppa_cnoc_mailbox_notif_t;

//@ mppa_noc_cnoc_rx_alloc: mppa_noc_cnoc_rx_alloc mppa_noc_cnoc_rx_alloc_auto mppa_noc_cnoc_rx_free
// Allocates or frees a mailbox of this cluster. A mailbox receives words of 64 bits of the control network, from the
// first call of mppa_noc_cnoc_rx_configure on. Programs may allocate the mailboxes 0 to 125; the runtime uses the last two.
//   interface  0
//   tag        number of the mailbox. mppa_noc_cnoc_rx_alloc_auto stores there the lowest one that is free
//   blocking   MPPA_NOC_BLOCKING: waits until a mailbox is free. MPPA_NOC_NON_BLOCKING: does not wait
// Returns: MPPA_NOC_RET_SUCCESS; MPPA_NOC_RET_FAILURE if the mailbox is in use or is not a program's, or if none is free.
// Errors: another interface than 0, or a free of a mailbox that is not allocated, ends the job with an error message. A
// word that arrives for a mailbox that nobody has allocated and configured does the same.
// Source: Kalray's public interface.

mppa_noc_ret_t mppa_noc_cnoc_rx_alloc(int interface, unsigned tag);
mppa_noc_ret_t mppa_noc_cnoc_rx_alloc_auto(int interface, unsigned *tag, int blocking);
void mppa_noc_cnoc_rx_free(int interface, unsigned tag);

//@ mppa_noc_cnoc_rx_configure: mppa_noc_cnoc_rx_configure
// Says what a mailbox does with the words that arrive. A mailbox of the mode MPPA_NOC_CNOC_RX_MAILBOX has a value, which
// each word replaces; each word is an event. One of the mode MPPA_NOC_CNOC_RX_BARRIER waits for a set of bits, from one or
// several clusters. When the words that have arrived have all of these bits together, this is an event, and the mailbox
// waits for the same bits again.
//   interface, tag       a mailbox that the program has allocated
//   configuration        `mode`; `init_value`: the value at the begin, or of a barrier all bits except those for which it waits
//   notification         ignored, because each core can wait for each mailbox; can be NULL
// A mailbox can be configured again. A barrier with the same bits then keeps those that have arrived. Another mailbox
// loses a value that was not read.
// Returns: MPPA_NOC_RET_SUCCESS; MPPA_NOC_RET_FAILURE for another mode.
// Errors: a mailbox that is not allocated ends the job with an error message.
// Source: Kalray's public interface.

mppa_noc_ret_t mppa_noc_cnoc_rx_configure(int interface, unsigned tag, mppa_noc_cnoc_rx_configuration_t configuration,
                                          const mppa_cnoc_mailbox_notif_t *notification);

//@ mppa_noc_cnoc_rx_get_value: mppa_noc_cnoc_rx_get_value
// Reads a mailbox, without a wait.
//   interface, tag  a mailbox that the program has allocated
// Returns: the last word that has arrived, or `init_value`; of a barrier, `init_value` with the bits that have arrived since
// its last event.
// Errors: a mailbox that is not allocated ends the job with an error message.
// Source: Kalray's public interface.

uint64_t mppa_noc_cnoc_rx_get_value(int interface, unsigned tag);

//@ mppa_noc_cnoc_tx_alloc: mppa_noc_cnoc_tx_alloc mppa_noc_cnoc_tx_alloc_auto mppa_noc_cnoc_tx_free
// Allocates or frees a sender of words of the control network. A cluster has 16 of them, 0 to 15.
//   interface  0
//   tag        number of the sender. mppa_noc_cnoc_tx_alloc_auto stores there the lowest one that is free
//   blocking   MPPA_NOC_BLOCKING: waits until a sender is free. MPPA_NOC_NON_BLOCKING: does not wait
// Returns: MPPA_NOC_RET_SUCCESS; MPPA_NOC_RET_FAILURE if the sender is in use or does not exist, or if none is free.
// Errors: another interface than 0, or a free of a sender that is not allocated, ends the job with an error message.
// Source: Kalray's public interface.

mppa_noc_ret_t mppa_noc_cnoc_tx_alloc(int interface, unsigned tag);
mppa_noc_ret_t mppa_noc_cnoc_tx_alloc_auto(int interface, unsigned *tag, int blocking);
void mppa_noc_cnoc_tx_free(int interface, unsigned tag);

//@ mppa_noc_cnoc_tx_configure: mppa_noc_cnoc_tx_configure
// Says where the words of a sender go.
//   interface, tag  a sender that the program has allocated
//   config, header  a route of mppa_routing_get_cnoc_unicast_route. header._.tag: the mailbox at its end
// Returns: MPPA_NOC_RET_SUCCESS; MPPA_NOC_RET_FAILURE for a number that no mailbox has.
// Errors: a sender that is not allocated, or a route that leaves the network, ends the job with an error message.
// Source: Kalray's public interface.

mppa_noc_ret_t mppa_noc_cnoc_tx_configure(int interface, unsigned tag, mppa_cnoc_config_t config, mppa_cnoc_header_t header);

//@ mppa_noc_cnoc_tx_push: mppa_noc_cnoc_tx_push mppa_noc_cnoc_tx_push_eot
// Sends a word to a mailbox. Both routines do the same here: the word is an event of a mailbox of the mode
// MPPA_NOC_CNOC_RX_MAILBOX. Cores may share a sender.
//   interface, tag  a sender that the program has configured
//   value           the word
// Order: words from one cluster to another arrive in the order in which they were sent. They are not ordered with data: what
// the sender has put, or sent over the data network, can arrive later.
// Errors: a sender that is not allocated or not configured ends the job with an error message.
// Source: Kalray's public interface.

void mppa_noc_cnoc_tx_push(int interface, unsigned tag, uint64_t value);
void mppa_noc_cnoc_tx_push_eot(int interface, unsigned tag, uint64_t value);

// -- Events ------------------------------------------------------------------------------------------------------------

//@ mppa_noc_wait_clear_event: mppa_noc_wait_clear_event mppa_noc_cnoc_clear_rx_event
// Waits for an event, and sets the count of events to 0. The core sleeps while it waits. If several cores wait for one
// mailbox, one of them gets all of its events. mppa_noc_cnoc_clear_rx_event does not wait.
//   interface  0
//   line       MPPA_NOC_INTERRUPT_LINE_CNOC_RX
//   tag        a mailbox that the program has allocated
// Returns: the number of events since the last one that was cleared.
// Errors: another line, or a mailbox that is not allocated, ends the job with an error message. If no event can come, the
// simulator reports which cores wait.
// Source: Kalray's public interface.

int mppa_noc_wait_clear_event(int interface, mppa_noc_interrupt_line_t line, unsigned tag);
int mppa_noc_cnoc_clear_rx_event(int interface, unsigned tag);

//@ mppa_noc_has_pending_event: mppa_noc_has_pending_event
// Tests if there is an event that was not cleared, of any mailbox that the program has allocated.
//   interface  0
//   line       MPPA_NOC_INTERRUPT_LINE_CNOC_RX
// Returns: true or false.
// Errors: another line ends the job with an error message.
// Source: Kalray's public interface.

bool mppa_noc_has_pending_event(int interface, mppa_noc_interrupt_line_t line);

#endif
