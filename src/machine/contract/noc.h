// SPDX-License-Identifier: BSD-3-Clause
// Declares the part of a machine's contract for networks on a chip that programs use without a programming model in
// between: routes, mailboxes of a network for words, and tags of a network for data. Only machines that have such networks
// define the macros below; pe.h includes this file for them. PE p is node p of the networks.
#ifndef SKERRY_MACHINE_CONTRACT_NOC_H
#define SKERRY_MACHINE_CONTRACT_NOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Numbers of what programs may use. The machine itself uses others.
//     SKERRY_NOC_MAILBOXES  mailboxes 0 and following of each PE
//     SKERRY_NOC_SENDERS    senders of words 0 and following of each PE
//     SKERRY_NOC_TAGS       tags 0 and following of each PE
//     SKERRY_NOC_CHANNELS   channels 0 and following of each PE
//     SKERRY_NOC_ENGINES    engines 0 and following of each PE

// -- Routes ------------------------------------------------------------------------------------------------------------

// Stores the route from one node to another, in three bits for each router: the sender's router first. Nodes have the numbers
// that the machine's networks give them. Routes of this function cannot deadlock. Returns false if there is no such node.
bool skerry_noc_route(int from, int to, uint32_t *route);

// Returns true if a route from this PE's node does not leave the network.
bool skerry_noc_is_route(uint32_t route);

// -- Mailboxes ---------------------------------------------------------------------------------------------------------

// Opens a mailbox of this PE, or changes an open one. A word that arrives for a closed mailbox ends the job with an error
// message.
// * A mailbox for words begins with the value `value`. Each word that arrives replaces the value, and is an event.
// * A barrier waits for the bits that are 0 in `value`. The bits of arriving words are collected. When all bits are there,
//   they are removed, and that is an event. A barrier that is opened again for the same bits keeps those that have arrived.
void skerry_noc_open_mailbox(uint32_t mailbox, bool is_barrier, uint64_t value);
void skerry_noc_close_mailbox(uint32_t mailbox);

// Returns the last word; of a barrier, `value` of skerry_noc_open_mailbox with the bits that have arrived.
uint64_t skerry_noc_mailbox_value(uint32_t mailbox);

// skerry_noc_mailbox_events returns the number of events. skerry_noc_mailbox_clear returns it and sets it to 0, in one
// step. skerry_noc_mailbox_wait waits until it is not 0, and does the same. What a sender has stored to its memory or sent
// over another network before a word is not ordered with the word.
uint32_t skerry_noc_mailbox_events(uint32_t mailbox);
uint32_t skerry_noc_mailbox_clear(uint32_t mailbox);
uint32_t skerry_noc_mailbox_wait(uint32_t mailbox);

// skerry_noc_set_sender says where the words of a sender go: the end of a route, and a mailbox there. skerry_noc_send_word
// sends one. Threads may share a sender. A thread that finds no room in the network waits. After skerry_noc_clear_sender, a
// word that is sent ends the job with an error message.
void skerry_noc_set_sender(uint32_t sender, uint32_t route, uint32_t mailbox);
void skerry_noc_clear_sender(uint32_t sender);
void skerry_noc_send_word(uint32_t sender, uint64_t word);

// -- Tags: where data arrives ------------------------------------------------------------------------------------------

// What is an event of a tag, and what its items are:
//     COUNT_ENDS   each end of a transfer is an event; the items are the bytes that have arrived
//     COUNT_BYTES  each byte that arrives takes an item away; it is an event if none is left
//     COUNT_DOWN   the same for each end of a transfer
// In the latter two, an event sets the number of items to `items_reload`; while it is 0, nothing is counted.
enum skerry_noc_counting { SKERRY_NOC_COUNT_ENDS, SKERRY_NOC_COUNT_BYTES, SKERRY_NOC_COUNT_DOWN };

struct skerry_noc_window {
    void *memory;
    uint32_t bytes;    // at least 1
    uint32_t position; // offset of the first packet that has no offset of its own
    uint32_t events;   // at the begin
    enum skerry_noc_counting counting;
    uint32_t items;
    uint32_t items_reload;
};

// Opens a tag of this PE, or changes an open one to which no packet is under way. A packet that arrives for a closed tag, or
// does not fit into the window, ends the job with an error message. A packet without an offset is written behind the last
// packet without one, and behind the end of the window comes its begin.
void skerry_noc_open_tag(uint32_t tag, const struct skerry_noc_window *window);
void skerry_noc_close_tag(uint32_t tag);

// skerry_noc_tag_events returns the number of events, less than 2^17. skerry_noc_tag_clear returns it and sets it to 0, in
// one step. skerry_noc_tag_wait waits until it is not 0, and does the same. A thread that has seen an event finds the bytes
// that arrived before it.
uint32_t skerry_noc_tag_events(uint32_t tag);
uint32_t skerry_noc_tag_clear(uint32_t tag);
uint32_t skerry_noc_tag_wait(uint32_t tag);
// skerry_noc_tag_take_items returns the number of items and sets it to 0.
uint32_t skerry_noc_tag_items(uint32_t tag);
uint32_t skerry_noc_tag_take_items(uint32_t tag);

// -- Channels: how data is sent ----------------------------------------------------------------------------------------

// The limit of a channel's packets, in flits of 4 bytes. A packet has 2 flits of header.
struct skerry_noc_rate {
    uint32_t flit_cycles;   // cycles for each flit on average, at most 1024; 0 and 1: no limit
    uint32_t burst_flits;   // flits that can be sent at once after a pause, at least those of a packet
    uint32_t payload_flits; // most flits of an engine's packet, without its header: 1 to 62
};

// Says where the packets of a channel go: the end of a route, and a tag there. After skerry_noc_clear_channel, a packet that
// is sent ends the job with an error message.
void skerry_noc_set_channel(uint32_t channel, uint32_t route, uint32_t tag, const struct skerry_noc_rate *rate);
void skerry_noc_clear_channel(uint32_t channel);

// Returns true if the network can read and write these bytes: they are memory of this PE.
bool skerry_noc_is_memory(const void *memory, size_t bytes);

// Sends bytes of this PE's memory to an offset in the tag's window, or to where packets without an offset are written
// (SKERRY_NOC_BEHIND). If `end` is true, the last packet is the end of a transfer; `bytes` can be 0 then. On return the source
// is free. Threads may share a channel. Packets of a thread in one channel arrive in the order of the calls.
#define SKERRY_NOC_BEHIND UINT32_MAX
void skerry_noc_send(uint32_t channel, uint32_t offset, const void *source, size_t bytes, bool end);

// -- Engines: how data is sent while threads compute -------------------------------------------------------------------

// skerry_noc_open_engine must be called before an engine is used. The count of its events is then 0.
void skerry_noc_open_engine(uint32_t engine);
// Starts a job of an engine whose last job has ended: sends bytes of this PE's memory to an offset in the window of a tag at
// the end of a route, and ends the transfer, under the limit of a channel. The end of the job, from which on the source may
// change, is an event of the engine. Jobs of other engines can delay it.
void skerry_noc_start_engine(uint32_t engine, uint32_t channel, uint32_t route, uint32_t tag, uint32_t offset,
                             const void *source, size_t bytes);
// As those of a tag.
uint32_t skerry_noc_engine_events(uint32_t engine);
uint32_t skerry_noc_engine_wait(uint32_t engine);

// -- Handlers ----------------------------------------------------------------------------------------------------------

// Makes the machine's server call `run` after events of this PE's mailboxes, tags and engines, and once now. `run` returns
// true if it has found an event. It runs beside the program, and may do what a remote procedure may. Returns false, and does
// nothing, if the PE has no server: in a job of one PE.
bool skerry_noc_on_events(bool (*run)(void));

#endif
