// SPDX-License-Identifier: BSD-3-Clause
// Declares the networks on the chip under the names of Kalray's MPPA. The control network carries words of 64 bits to the
// mailboxes of other clusters, and the data network bytes to memory of other clusters (Rx tags). Programs for the simulated clusters (oshcc --machine mppa) have these names. Their runtime
// uses the same networks, so some numbers belong to it. docs/guide/mppa.md has an example.
//
// A cluster has one interface, 0, whose mailboxes, tags and senders its cores share. PE p of a job is cluster p.
#ifndef SKERRY_MPPA_NOC_H
#define SKERRY_MPPA_NOC_H

#ifdef __linux__
#error                                                                                                                 \
    "mppa_noc.h: programs for Linux cannot use the networks on the chip; oshcc --machine mppa compiles for simulated clusters that have them"
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
    MPPA_NOC_INTERRUPT_LINE_DNOC_TX, // of a micro-core: a job whose packets have been sent
    MPPA_NOC_INTERRUPT_LINE_DNOC_RX, // of an Rx tag of the data network
    MPPA_NOC_INTERRUPT_LINE_CNOC_RX  // of a mailbox
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
    uint64_t reg;
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

mppa_noc_ret_t mppa_noc_cnoc_tx_configure(int interface, unsigned tag, mppa_cnoc_config_t config,
                                          mppa_cnoc_header_t header);

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

// -- The data network: receiving ---------------------------------------------------------------------------------------

// What is an event of an Rx tag, and what its item counter counts.
typedef enum {
    MPPA_NOC_RX_RELOAD_MODE_INCR_DATA_NOTIF, // each end of a transfer is an event; the items are the bytes that arrived
    MPPA_NOC_RX_RELOAD_MODE_DECR_DATA_RELOAD,    // bytes are subtracted from the items; it is an event if none is left
    MPPA_NOC_RX_RELOAD_MODE_DECR_DATA_NO_RELOAD, // the same, once
    MPPA_NOC_RX_RELOAD_MODE_DECR_NOTIF_RELOAD,   // ends of transfers are subtracted; it is an event if no item is left
    MPPA_NOC_RX_RELOAD_MODE_DECR_NOTIF_NO_RELOAD // the same, once
} mppa_noc_rx_reload_mode_t;

#define MPPA_NOC_ACTIVATED 1
#define MPPA_NOC_DNOC_RX_CONFIGURATION_INIT                                                                            \
    { 0 }
typedef struct {
    uintptr_t buffer_base;
    uint32_t buffer_size, current_offset;
    uint32_t event_counter, item_counter, item_reload;
    mppa_noc_rx_reload_mode_t reload_mode;
    uint32_t activation, counter_id;
} mppa_noc_dnoc_rx_configuration_t;

#define MPPA_NOC_BITMASK_WORDS 4
typedef struct {
    uint64_t bitmask[MPPA_NOC_BITMASK_WORDS]; // bit t % 64 of word t / 64 is that of tag t
} mppa_noc_dnoc_rx_bitmask_t;

//@ mppa_noc_dnoc_rx_alloc: mppa_noc_dnoc_rx_alloc mppa_noc_dnoc_rx_alloc_auto mppa_noc_dnoc_rx_free
// Allocates or frees an Rx tag of this cluster. A tag receives packets of the data network in a buffer, from the first call
// of mppa_noc_dnoc_rx_configure on. Programs may allocate the tags 0 to 191; the runtime uses the other 64.
//   interface  0
//   tag        number of the tag. mppa_noc_dnoc_rx_alloc_auto stores there the lowest one that is free
//   blocking   MPPA_NOC_BLOCKING: waits until a tag is free. MPPA_NOC_NON_BLOCKING: does not wait
// Returns: MPPA_NOC_RET_SUCCESS; MPPA_NOC_RET_FAILURE if the tag is in use or is not a program's, or if none is free.
// Errors: another interface than 0, or a free of a tag that is not allocated, ends the job with an error message. A packet
// that arrives for a tag that nobody has allocated and configured does the same.
// Source: Kalray's public interface.

mppa_noc_ret_t mppa_noc_dnoc_rx_alloc(int interface, unsigned tag);
mppa_noc_ret_t mppa_noc_dnoc_rx_alloc_auto(int interface, unsigned *tag, int blocking);
void mppa_noc_dnoc_rx_free(int interface, unsigned tag);

//@ mppa_noc_dnoc_rx_configure: mppa_noc_dnoc_rx_configure
// Says where the packets of an Rx tag are written, and what is counted. A packet with an offset is written at this offset in
// the buffer. A packet without one is written behind the last such packet, and behind the end of the buffer comes its begin.
// A tag can be configured again while no packet for it is under way.
//   interface, tag  a tag that the program has allocated
//   configuration   `buffer_base`, `buffer_size`: memory of this cluster. `current_offset`: where the first packet without an
//                   offset is written. `reload_mode`: what is counted. `item_counter`, `event_counter`: the counters at the
//                   begin. `item_reload`: the items after an event, in a mode that reloads. `activation`:
//                   MPPA_NOC_ACTIVATED. `counter_id`: ignored
// Returns: MPPA_NOC_RET_SUCCESS; MPPA_NOC_RET_FAILURE for a buffer without bytes or that is no memory of this cluster, an offset
// behind its end, or another mode or activation.
// Errors: a tag that is not allocated ends the job with an error message. So does a packet that does not fit into the
// buffer, or whose place is code of the program.
// Source: Kalray's public interface.

mppa_noc_ret_t mppa_noc_dnoc_rx_configure(int interface, unsigned tag, mppa_noc_dnoc_rx_configuration_t configuration);

//@ mppa_noc_dnoc_rx_get_event_counter: mppa_noc_dnoc_rx_get_event_counter mppa_noc_dnoc_rx_lac_event_counter mppa_noc_dnoc_rx_get_item_counter mppa_noc_dnoc_rx_lac_item_counter mppa_noc_dnoc_rx_get_events_bitmask
// Reads the counters of an Rx tag, without a wait. The routines with `lac` also set the counter to 0, in one step.
// mppa_noc_dnoc_rx_get_events_bitmask reads which tags have events.
//   interface, tag  a tag that the program has allocated
// Order: a core that has seen a count finds the bytes that arrived before it.
// Returns: the counter; the set of the tags that the program has allocated and that have events.
// Errors: a tag that is not allocated ends the job with an error message.
// Source: Kalray's public interface.

int mppa_noc_dnoc_rx_get_event_counter(int interface, unsigned tag);
int mppa_noc_dnoc_rx_lac_event_counter(int interface, unsigned tag);
uint32_t mppa_noc_dnoc_rx_get_item_counter(int interface, unsigned tag);
uint32_t mppa_noc_dnoc_rx_lac_item_counter(int interface, unsigned tag);
mppa_noc_dnoc_rx_bitmask_t mppa_noc_dnoc_rx_get_events_bitmask(int interface);

// -- The data network: sending -----------------------------------------------------------------------------------------

// The first step of a route (mppa_routing.h), and the limits of a channel. The members without a comment have no effect.
typedef struct {
    struct {
        uint32_t first_dir;
        uint32_t payload_max;   // most flits of a packet of a micro-core, without its header, 1 to 62; 0: 32
        uint32_t bw_max_credit; // flits that can be sent at once after a pause, if there is a limit
        uint32_t bw_slow_delay; // cycles between two flits, on average; 0: no limit
        uint32_t bw_fast_delay; // must be 0
        uint32_t bw_current_credit, payload_min, loopback_multicast, cfg_pe_en, cfg_user_en, write_pe_en, write_user_en;
        uint32_t decounter_id, decounted;
    } _;
} mppa_dnoc_channel_config_t;

// The other steps of the route, and the Rx tag at its end.
typedef struct {
    struct {
        uint32_t tag, valid, multicast, route;
    } _;
} mppa_dnoc_header_t;

// Where the next packet is written: with `valid` 1 and `protocol` 1 at `offset` in the buffer, else behind the last packet.
typedef struct {
    struct {
        uint32_t offset, protocol, valid;
    } _;
} mppa_dnoc_push_offset_t;

// Sets the limits of a channel to none.
#define MPPA_NOC_DNOC_TX_CONFIG_INITIALIZER_DEFAULT(CONFIG, COUNTER)                                                   \
    ((CONFIG)._.payload_max = 32, (CONFIG)._.payload_min = 0, (CONFIG)._.bw_current_credit = 0xff,                     \
     (CONFIG)._.bw_max_credit = 0xff, (CONFIG)._.bw_fast_delay = 0, (CONFIG)._.bw_slow_delay = 0,                      \
     (CONFIG)._.decounter_id = (COUNTER), (void)0)

//@ mppa_noc_dnoc_tx_alloc: mppa_noc_dnoc_tx_alloc mppa_noc_dnoc_tx_alloc_auto mppa_noc_dnoc_tx_free
// Allocates or frees a channel, by which the cores of this cluster send packets of the data network. A cluster has 7 of
// them, 0 to 6, each with a packet shaper.
//   interface  0
//   tag        number of the channel. mppa_noc_dnoc_tx_alloc_auto stores there the lowest one that is free
//   blocking   MPPA_NOC_BLOCKING: waits until a channel is free. MPPA_NOC_NON_BLOCKING: does not wait
// Returns: MPPA_NOC_RET_SUCCESS; MPPA_NOC_RET_FAILURE if the channel is in use or does not exist, or if none is free.
// Errors: another interface than 0, or a free of a channel that is not allocated, ends the job with an error message.
// Source: Kalray's public interface.

mppa_noc_ret_t mppa_noc_dnoc_tx_alloc(int interface, unsigned tag);
mppa_noc_ret_t mppa_noc_dnoc_tx_alloc_auto(int interface, unsigned *tag, int blocking);
void mppa_noc_dnoc_tx_free(int interface, unsigned tag);

//@ mppa_noc_dnoc_tx_configure: mppa_noc_dnoc_tx_configure
// Says where the packets of a channel go, and how many of them in a time. The next packet has no offset.
//   interface, tag  a channel that the program has allocated
//   header, config  a route of mppa_routing_get_dnoc_unicast_route. header._.tag: the Rx tag at its end. The packet shaper
//                   limits the packets if config._.bw_slow_delay is not 0: a flit is 4 bytes, and a packet has two for its
//                   header
// Returns: MPPA_NOC_RET_SUCCESS; MPPA_NOC_RET_FAILURE for a tag that programs do not have, several targets, a limit that the
// shaper cannot hold, or a credit of fewer flits than a packet has (18, and config._.payload_max + 2).
// Errors: a channel that is not allocated, or a route that leaves the network, ends the job with an error message.
// Source: Kalray's public interface.

mppa_noc_ret_t mppa_noc_dnoc_tx_configure(int interface, unsigned tag, mppa_dnoc_header_t header,
                                          mppa_dnoc_channel_config_t config);

//@ mppa_noc_dnoc_tx_send_data: mppa_noc_dnoc_tx_send_data mppa_noc_dnoc_tx_send_data_eot mppa_noc_dnoc_tx_flush mppa_noc_dnoc_tx_flush_eot mppa_noc_dnoc_tx_set_push_offset
// Sends bytes of memory to the Rx tag of a channel. The routines with `eot` end a transfer: the tag counts this behind the
// bytes. Bytes are sent at once, so mppa_noc_dnoc_tx_flush has nothing to do. mppa_noc_dnoc_tx_set_push_offset says where
// the next bytes are written in the tag's buffer; the bytes after them follow, until the next call. One core at a time uses
// a channel.
//   interface, tag  a channel that the program has configured
//   size, data      bytes, and where they are. On return the memory is free
//   offset          where the next bytes are written
// Order: the bytes of a channel, and their ends, arrive in the order in which they were sent.
// Errors: a channel that is not allocated or not configured ends the job with an error message.
// Source: Kalray's public interface.

void mppa_noc_dnoc_tx_send_data(int interface, unsigned tag, uint32_t size, const void *data);
void mppa_noc_dnoc_tx_send_data_eot(int interface, unsigned tag, uint32_t size, const void *data);
void mppa_noc_dnoc_tx_flush(int interface, unsigned tag);
void mppa_noc_dnoc_tx_flush_eot(int interface, unsigned tag);
void mppa_noc_dnoc_tx_set_push_offset(int interface, unsigned tag, mppa_dnoc_push_offset_t offset);

// -- The data network: micro-cores -------------------------------------------------------------------------------------

// The program that micro-cores execute: sends a range of memory, and an end of a transfer behind it, and makes an event.
extern const char mppa_noc_linear_firmware_eot_event[];

#define MPPA_NOC_DNOC_UC_CONFIGURATION_INIT                                                                            \
    { 0 }
typedef struct {
    uintptr_t program_start; // mppa_noc_linear_firmware_eot_event
    uintptr_t buffer_base;   // memory of this cluster
    uint32_t buffer_size;
    uint32_t parameters[8]; // mppa_noc_dnoc_uc_set_linear_params sets them
    struct {
        struct {
            uint32_t channel_0, channel_1, channel_2, channel_3, channel_4, channel_5, channel_6, channel_7;
        } _;
    } channel_ids;        // ignored: mppa_noc_dnoc_uc_link chooses the channel
    const void *pointers; // ignored, as event_counter
    uint32_t event_counter;
} mppa_noc_dnoc_uc_configuration_t;

typedef union {
    struct {
        uint32_t activation, semaphore;
    };
    uint64_t dword;
} mppa_noc_uc_program_run_t;

//@ mppa_noc_dnoc_uc_alloc: mppa_noc_dnoc_uc_alloc mppa_noc_dnoc_uc_alloc_auto mppa_noc_dnoc_uc_free mppa_noc_dnoc_uc_link mppa_noc_dnoc_uc_unlink
// Allocates or frees a micro-core, which sends memory of this cluster while the cores compute. A cluster has 7 of them, 0 to
// 6, which share the DMA unit's micro-cores with the runtime. mppa_noc_dnoc_uc_link says by which channel a micro-core
// sends; the channel's limit holds for it too. mppa_noc_dnoc_uc_unlink ends this, when the last job has ended.
//   interface      0
//   uc             number of the micro-core. mppa_noc_dnoc_uc_alloc_auto stores there the lowest one that is free
//   tx             a channel that the program has allocated
//   configuration  ignored
//   blocking       MPPA_NOC_BLOCKING: waits until a micro-core is free. MPPA_NOC_NON_BLOCKING: does not wait
// Returns: MPPA_NOC_RET_SUCCESS; MPPA_NOC_RET_FAILURE if the micro-core is in use or does not exist, if none is free, or if
// it is not linked with this channel.
// Errors: another interface than 0, or a micro-core or channel that is not allocated, ends the job with an error message.
// Source: Kalray's public interface.

mppa_noc_ret_t mppa_noc_dnoc_uc_alloc(int interface, unsigned uc);
mppa_noc_ret_t mppa_noc_dnoc_uc_alloc_auto(int interface, unsigned *uc, int blocking);
void mppa_noc_dnoc_uc_free(int interface, unsigned uc);
mppa_noc_ret_t mppa_noc_dnoc_uc_link(int interface, unsigned uc, unsigned tx,
                                     mppa_noc_dnoc_uc_configuration_t configuration);
mppa_noc_ret_t mppa_noc_dnoc_uc_unlink(int interface, unsigned uc, unsigned tx);

//@ mppa_noc_dnoc_uc_configure: mppa_noc_dnoc_uc_configure mppa_noc_dnoc_uc_set_linear_params mppa_noc_dnoc_uc_set_program_run
// Says what a micro-core sends, and starts it. mppa_noc_dnoc_uc_set_linear_params stores the range into a configuration.
// mppa_noc_dnoc_uc_set_program_run starts a job with the last configuration, and returns before the bytes have been sent. If
// the last job of this micro-core has not ended, it waits until it has. The end of a job is an event of the line
// MPPA_NOC_INTERRUPT_LINE_DNOC_TX with the micro-core's number: from then on the memory may change.
//   interface, uc   a micro-core that the program has allocated
//   configuration   `program_start`: mppa_noc_linear_firmware_eot_event. `buffer_base`, `buffer_size`: memory of this
//                   cluster. `parameters`: the range
//   header, config  a route of mppa_routing_get_dnoc_unicast_route. header._.tag: the Rx tag at its end. Limits in `config` are
//                   ignored: those of the linked channel hold
//   size            bytes
//   local_offset, remote_offset  where they begin in the buffer, and in the buffer of the tag
//   run             `activation`: 1. `semaphore` is ignored
// Returns: MPPA_NOC_RET_SUCCESS; MPPA_NOC_RET_FAILURE for another program, a range outside the buffer or of no memory of this
// cluster, or a tag that programs do not have.
// Errors: a micro-core that is not allocated, or that is started before it was configured and linked, ends the job with an
// error message. So does a route that leaves the network.
// Source: Kalray's public interface.

void mppa_noc_dnoc_uc_set_linear_params(mppa_noc_dnoc_uc_configuration_t *configuration, uint32_t size,
                                        uint32_t local_offset, uint32_t remote_offset);
mppa_noc_ret_t mppa_noc_dnoc_uc_configure(int interface, unsigned uc, mppa_noc_dnoc_uc_configuration_t configuration,
                                          mppa_dnoc_header_t header, mppa_dnoc_channel_config_t config);
void mppa_noc_dnoc_uc_set_program_run(int interface, unsigned uc, mppa_noc_uc_program_run_t run);

// -- Events ------------------------------------------------------------------------------------------------------------

//@ mppa_noc_wait_clear_event: mppa_noc_wait_clear_event mppa_noc_cnoc_clear_rx_event
// Waits for an event, and sets the count of events to 0. The core sleeps while it waits. If several cores wait for one
// mailbox, tag or micro-core, one of them gets all of its events. mppa_noc_cnoc_clear_rx_event does not wait.
//   interface  0
//   line       MPPA_NOC_INTERRUPT_LINE_CNOC_RX: a mailbox; MPPA_NOC_INTERRUPT_LINE_DNOC_RX: an Rx tag;
//              MPPA_NOC_INTERRUPT_LINE_DNOC_TX: a micro-core
//   tag        a mailbox, Rx tag or micro-core that the program has allocated
// Order: after an event of an Rx tag the core finds the bytes that arrived before it.
// Returns: the number of events since the last one that was cleared.
// Errors: another line, or a mailbox or tag that is not allocated, ends the job with an error message. If no event can come, the
// simulator reports which cores wait.
// Source: Kalray's public interface.

int mppa_noc_wait_clear_event(int interface, mppa_noc_interrupt_line_t line, unsigned tag);
int mppa_noc_cnoc_clear_rx_event(int interface, unsigned tag);

//@ mppa_noc_has_pending_event: mppa_noc_has_pending_event
// Tests if there is an event that was not cleared, of any mailbox, Rx tag or micro-core that the program has allocated.
//   interface  0
//   line       MPPA_NOC_INTERRUPT_LINE_CNOC_RX: of mailboxes; MPPA_NOC_INTERRUPT_LINE_DNOC_RX: of Rx tags;
//              MPPA_NOC_INTERRUPT_LINE_DNOC_TX: of micro-cores
// Returns: true or false.
// Errors: another line ends the job with an error message.
// Source: Kalray's public interface.

bool mppa_noc_has_pending_event(int interface, mppa_noc_interrupt_line_t line);

//@ mppa_noc_register_interrupt_handler: mppa_noc_register_interrupt_handler mppa_noc_disable_interrupt_handler
// Makes the resource manager of this cluster call a function when a mailbox, Rx tag or micro-core has events, or removes this
// function. The call sets the count of events to 0, so it can be for several events. Events before the registration count
// too. The function runs beside the program. It may send, and put, get and do atomic operations by shmem.h, but must not wait
// for another PE's program. A free of the mailbox, tag or micro-core also removes the function.
//   interface  0
//   line, tag  as for mppa_noc_wait_clear_event. mppa_noc_disable_interrupt_handler: can have no function, and need not be
//              allocated
//   handler    called with interface, line, tag and argument
//   argument   for the function
// Order: the function finds the bytes that arrived before the event.
// Returns: MPPA_NOC_RET_SUCCESS; MPPA_NOC_RET_FAILURE if 32 others were registered, `handler` is NULL, or the job has one PE,
// whose resource manager has no work.
// Errors: another line, or a mailbox or tag that is not allocated, ends the job with an error message.
// Source: Kalray's public interface.

typedef void (*mppa_noc_callback_t)(unsigned interface, mppa_noc_interrupt_line_t line, unsigned tag, void *argument);
mppa_noc_ret_t mppa_noc_register_interrupt_handler(int interface, mppa_noc_interrupt_line_t line, unsigned tag,
                                                   mppa_noc_callback_t handler, void *argument);
void mppa_noc_disable_interrupt_handler(int interface, mppa_noc_interrupt_line_t line, unsigned tag);

#endif
