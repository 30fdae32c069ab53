// SPDX-License-Identifier: BSD-3-Clause
// Models the two DMA channels of a core. The channels share one path to the core's memory and one path to the network.
// * Together the channels make at most one access a cycle, in turn.
// * A channel reads an element and then writes it. If the source is not in this core's memory, the channel sends a read
//   request, and writes the element when the reply arrives. Several requests can be under way.
// * A channel is idle again as soon as it has written its last element, or has sent the read request for it. In message
//   mode, the channel also waits for the replies to its requests.
//
// Sources:
// * the e-lib headers: descriptor, bits of CONFIG;
// * Adapteva's functional simulator: order of strides and counts, states, errors;
// * Adapteva's e-hal: bit 24 of the core's CONFIG pauses both channels, STATUS = 0 abandons a transfer;
// * Adapteva's examples: slave and message mode;
// * the OH library's edma: clearing ENABLE ends the error state.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/ports.hpp"
#include "dma/timing.hpp"
#include "epiphany/isa/registers.hpp"

namespace skerry::sim {

constexpr unsigned dma_channels = 2;

// The states of a channel, numbered as in the lower four bits of STATUS.
enum class DmaState : std::uint8_t {
    idle = 0,
    active = 5,
    slave = 6, // its elements come from writes to AUTO0 and AUTO1
    wait = 10, // in message mode: all elements have been requested, but some replies have not arrived
    pause = 11,
    error = 13,
};

enum class DmaMistake : std::uint8_t {
    none,
    read_nowhere,   // a read from an address without memory
    write_nowhere,  // a write to an address without memory, or to protected bytes
    unaligned,      // the address of an element is no multiple of the element's size
    bad_descriptor, // a descriptor that is not at a multiple of 8 in the core's memory
    not_enabled,    // a descriptor with neither ENABLE nor STARTUP
    no_count,       // the inner count of a transfer is zero
    still_running,  // a write to CONFIG of a channel that was not idle
};

struct DmaFault {
    DmaMistake mistake = DmaMistake::none;
    std::uint32_t address = 0;
    std::uint8_t size = 0;
};

enum class DmaStall : std::uint8_t {
    bank,    // the core or the network used the bank
    network, // the network had no place for a write or request
    replies, // as many reads as possible are on their way, or message mode waits for the last replies
    pace,    // the engine's own interval between elements or requests had not passed
    channel, // the engine's one access of the cycle was used for the other channel or for the data of a reply
};
constexpr unsigned dma_stall_count = 5;

struct DmaCounters {
    std::uint64_t transfers = 0; // number of transfers (descriptors) completed
    std::uint64_t elements = 0;
    std::uint64_t bytes = 0;
    std::uint64_t active = 0; // cycles from a start until the channel is idle, summed over all starts
    std::array<std::uint64_t, dma_stall_count> stalls{};

    std::uint64_t operator[](DmaStall cause) const {
        return stalls[static_cast<unsigned>(cause)];
    }
};

// The interface through which a DMA engine uses the chip.
class DmaPort {
  public:
    virtual ~DmaPort() = default;
    // read_own and write_own access the core's own memory and registers. The offset is relative to the core's range of
    // 1 MB and aligned to the size. The functions return Access::again if the memory bank is busy or the register
    // cannot accept the write now. The functions return Access::fault if no memory or register has this offset.
    virtual Access read_own(std::uint32_t offset, unsigned size, std::uint64_t &value, std::uint64_t now) = 0;
    virtual Access write_own(std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t now) = 0;
    // send_write sends a write, and send_read sends a read request, to an address outside the core's own range. The
    // chip delivers the reply to a read request by a call of Dma::reply. The request's tag, a number, identifies it.
    virtual Acceptance send_write(std::uint32_t address, unsigned size, std::uint64_t value, std::uint64_t now) = 0;
    virtual Acceptance send_read(std::uint32_t address, unsigned size, std::uint16_t tag, std::uint64_t now) = 0;
    // Returns true if an address belongs to a core. Only a core can get the message that ends a transfer in message
    // mode.
    virtual bool is_core(std::uint32_t address) const = 0;
    virtual void interrupt(Interrupt which, std::uint64_t now) = 0;
    // Called when a channel has entered the error state; Dma::fault has the reason.
    virtual void dma_stopped(unsigned channel) = 0;
};

class Dma {
  public:
    Dma(std::uint32_t core_id, DmaPort &port, const DmaTiming &timing = {});

    // Performs the engine's actions of the cycle `now`, which must be equal to ready_at.
    void run(std::uint64_t now);
    // Accepts the reply to a read. Returns false if the memory bank of the destination is busy in this cycle. The
    // caller must then call this function again in a later cycle.
    bool reply(std::uint16_t tag, std::uint64_t value, std::uint64_t now);

    static bool has(SpecialRegister which) {
        return group_of(which) == SpecialGroup::dma && static_cast<unsigned>(which) % 64 < 8 * dma_channels;
    }
    std::uint32_t read_register(SpecialRegister which) const;
    // Returns true if the register can be written in this cycle. Only two registers can make a write wait: AUTO0 and
    // AUTO1 of a slave channel. A slave channel copies the elements that are written to these registers. They cannot be
    // written while the channel has not yet written the previous element to its destination.
    bool takes(SpecialRegister which) const;
    // Writes a register. Returns Access::again if takes() is false for this register.
    Access write_register(SpecialRegister which, std::uint32_t value, std::uint64_t now);
    // Pauses both channels, or lets them continue. Called when the pause bit of the core's CONFIG changes.
    void pause(bool paused, std::uint64_t now);

    // Returns true if the engine has a next cycle in which it acts (ready_at), or if replies are on their way.
    bool busy() const {
        return ready_at != never_ || outstanding_ != 0;
    }
    DmaState state(unsigned channel) const;
    const DmaFault &fault(unsigned channel) const {
        return channel_[channel].fault;
    }
    // Returns a channel's counters. For a channel that is still active, `active` includes the cycles up to `now`.
    DmaCounters counters(unsigned channel, std::uint64_t now) const;

    std::uint64_t ready_at = never_;

  private:
    static constexpr std::uint64_t never_ = ~std::uint64_t{0};

    enum class Step : std::uint8_t { rest, fetch, element, deliver, drain, message };

    struct Channel {
        std::uint32_t config = 0;
        std::uint32_t stride = 0;
        std::uint32_t count = 0;
        std::uint32_t source = 0;
        std::uint32_t destination = 0;
        std::array<std::uint32_t, 2> automatic{};
        std::uint32_t descriptor = 0;

        DmaState state = DmaState::idle;
        Step step = Step::rest;
        std::uint8_t fetched = 0; // number of double words of the descriptor that have been fetched
        std::array<std::uint64_t, 3> words{};
        std::uint32_t outer_stride = 0;
        std::uint32_t inner_count = 0; // the inner count at the start of each inner loop
        std::uint64_t data = 0;        // the element that has been read and not yet written
        std::uint32_t last_destination = 0;
        std::uint32_t outstanding = 0;
        std::uint64_t next_at = never_;
        std::uint64_t since = 0;         // cycle in which the channel became active
        std::uint64_t waiting_since = 0; // cycle in which the channel began to wait for replies
        DmaFault fault;
        DmaCounters counters;
    };
    // A read request whose data were not yet written to their destination. The request's tag is the index of its Slot
    // in slots_. If the destination is outside this core, the engine must send the data there.
    struct Slot {
        std::uint32_t destination = 0;
        std::uint8_t channel = 0;
        std::uint8_t size = 0;
        bool taken = false;
        std::uint64_t data = 0;
    };

    unsigned index(const Channel &c) const {
        return static_cast<unsigned>(&c - channel_.data());
    }
    static unsigned size_of(const Channel &c) {
        return 1U << (c.config >> dma_config::data_size_shift & 3);
    }
    bool is_own(std::uint32_t address) const {
        return address < core_space || address >> 20 == core_id_;
    }
    // The actions of a channel in one cycle. Each function returns true if its action was an access: the engine can
    // make only one access in a cycle.
    bool act(Channel &c, std::uint64_t now);
    bool fetch(Channel &c, std::uint64_t now);
    bool begin_element(Channel &c, std::uint64_t now);
    bool request(Channel &c, std::uint64_t now);
    bool deliver(Channel &c, std::uint64_t now);
    bool send_message(Channel &c, std::uint64_t now);
    bool forward(std::uint64_t now);

    void write_config(Channel &c, std::uint32_t value, std::uint64_t now);
    void write_auto(Channel &c, unsigned which, std::uint32_t value, std::uint64_t now);
    void start(Channel &c, std::uint64_t now);
    void begin_transfer(Channel &c, std::uint64_t now);
    void next_element(Channel &c, std::uint64_t now);
    void all_sent(Channel &c, std::uint64_t now);
    void finish(Channel &c, std::uint64_t now);
    void rest(Channel &c, DmaState state, std::uint64_t now);
    bool settled(Channel &c, Access access, DmaMistake mistake, std::uint32_t address, std::uint64_t now);
    bool settled(Channel &c, Acceptance offer, DmaMistake mistake, std::uint32_t address, std::uint64_t now);
    bool error(Channel &c, DmaMistake mistake, std::uint32_t address, unsigned size, std::uint64_t now);
    bool stall(Channel &c, DmaStall cause, std::uint64_t until, std::uint64_t now);
    void await_reply(Channel &c, std::uint64_t now);
    void release(Slot &slot, std::uint64_t now);
    void schedule();

    std::uint32_t core_id_;
    DmaPort &port_;
    DmaTiming timing_;
    std::array<Channel, dma_channels> channel_;
    std::vector<Slot> slots_;
    std::uint32_t outstanding_ = 0;         // number of slots in use
    std::vector<std::uint16_t> to_forward_; // tags of the replies whose data must be sent to another core, oldest first
    std::uint64_t forward_at_ = 0;
    std::uint64_t element_free_at_ = 0;
    std::uint64_t read_free_at_ = 0;
    unsigned last_ = 1; // the channel that acted last
    bool paused_ = false;
};

} // namespace skerry::sim
