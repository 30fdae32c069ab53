// SPDX-License-Identifier: BSD-3-Clause
// The two DMA channels of a core, which share one way to its memory and one to the network: one access a cycle, in turn.
// An element is read, then written; one that comes from elsewhere is asked for and written when its answer comes, so
// that several are on their way. Without message mode a channel is idle when it has asked for or sent its last element.
//
// Facts: the e-lib headers (descriptor, bits of CONFIG), Adapteva's GPL simulator (order of strides and counts, states,
// errors), its e-hal (CONFIG bit 24 of the core pauses both channels, STATUS = 0 abandons), its examples (slave and
// message mode), OH's edma (ENABLE cleared leaves the error state).
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/ports.hpp"
#include "dma/timing.hpp"
#include "isa/registers.hpp"

namespace skerry::sim {

constexpr unsigned dma_channels = 2;

// As in the lower four bits of STATUS.
enum class DmaState : std::uint8_t {
    idle = 0,
    active = 5,
    slave = 6, // writes to AUTO0 and AUTO1 give it its elements
    wait = 10, // message mode: everything is asked for, and not all of it has arrived
    pause = 11,
    error = 13,
};

enum class DmaMistake : std::uint8_t {
    none,
    read_nowhere,   // an address where nothing is
    write_nowhere,  //
    unaligned,      // the address of an element is no multiple of its size
    bad_descriptor, // not at a multiple of 8 in the core's memory
    not_enabled,    // a descriptor with neither ENABLE nor STARTUP
    no_count,       // an inner count of zero
    still_running,  // CONFIG was written to a channel that was not idle
};

struct DmaFault {
    DmaMistake mistake = DmaMistake::none;
    std::uint32_t address = 0;
    std::uint8_t size = 0;
};

enum class DmaStall : std::uint8_t {
    bank,    // the core or the network had the bank
    network, // it did not take a write or request
    replies, // as many reads as there may be are on their way, or message mode waits for the last
    pace,    // the engine's own intervals
    channel, // the other channel had the turn
};
constexpr unsigned dma_stall_count = 5;

struct DmaCounters {
    std::uint64_t transfers = 0; // descriptors done
    std::uint64_t elements = 0;
    std::uint64_t bytes = 0;
    std::uint64_t active = 0; // cycles from start to idle
    std::array<std::uint64_t, dma_stall_count> stalls{};

    std::uint64_t operator[](DmaStall cause) const {
        return stalls[static_cast<unsigned>(cause)];
    }
};

// What the engine asks of the chip around it.
class DmaPort {
  public:
    virtual ~DmaPort() = default;
    // The core's own memory and registers, at an offset of its megabyte, aligned. again: the bank is taken.
    virtual Access read_own(std::uint32_t offset, unsigned size, std::uint64_t &value, std::uint64_t now) = 0;
    virtual Access write_own(std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t now) = 0;
    // Everywhere else. Whoever has the answer to a read calls Dma::reply with the tag.
    virtual Acceptance send_write(std::uint32_t address, unsigned size, std::uint64_t value, std::uint64_t now) = 0;
    virtual Acceptance send_read(std::uint32_t address, unsigned size, std::uint16_t tag, std::uint64_t now) = 0;
    // Whether an address is a core's, who can then be sent a message.
    virtual bool is_core(std::uint32_t address) const = 0;
    virtual void interrupt(Interrupt which, std::uint64_t now) = 0;
    // A channel has gone into its error state: see Dma::fault.
    virtual void dma_stopped(unsigned channel) = 0;
};

class Dma {
  public:
    Dma(std::uint32_t core_id, DmaPort &port, const DmaTiming &timing = {});

    // What happens in the cycle `now`, which is ready_at.
    void run(std::uint64_t now);
    // The answer to a read. False: not in this cycle, its bank is taken.
    bool reply(std::uint16_t tag, std::uint64_t value, std::uint64_t now);

    static bool has(SpecialRegister which) {
        return group_of(which) == SpecialGroup::dma && static_cast<unsigned>(which) % 64 < 8 * dma_channels;
    }
    std::uint32_t read_register(SpecialRegister which) const;
    // Whether a write would be done at once: not where a slave has yet to write what it was given before.
    bool takes(SpecialRegister which) const;
    // again: it does not take it.
    Access write_register(SpecialRegister which, std::uint32_t value, std::uint64_t now);
    // Both channels, by the core's CONFIG.
    void pause(bool paused, std::uint64_t now);

    // Something will still happen: a channel works, or answers are on their way.
    bool busy() const {
        return ready_at != never_ || outstanding_ != 0;
    }
    DmaState state(unsigned channel) const;
    const DmaFault &fault(unsigned channel) const {
        return channel_[channel].fault;
    }
    // Counted up to `now`, where a channel is still active.
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
        std::uint8_t fetched = 0; // double words of the descriptor
        std::array<std::uint64_t, 3> words{};
        std::uint32_t outer_stride = 0;
        std::uint32_t inner_count = 0; // each round of the outer loop begins with it
        std::uint64_t data = 0;        // read and not yet written
        std::uint32_t last_destination = 0;
        std::uint32_t outstanding = 0;
        std::uint64_t next_at = never_;
        std::uint64_t since = 0; // when it became active, and when it began to wait for replies
        std::uint64_t waiting_since = 0;
        DmaFault fault;
        DmaCounters counters;
    };
    // A read on its way, by tag; what it brings may have to leave again.
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
    // Ways to act: whether it took the cycle's access.
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
    std::uint32_t outstanding_ = 0;         // slots taken
    std::vector<std::uint16_t> to_forward_; // tags of those that have arrived and are to be sent on, in this order
    std::uint64_t forward_at_ = 0;
    std::uint64_t element_free_at_ = 0;
    std::uint64_t read_free_at_ = 0;
    unsigned last_ = 1; // the channel that had the last turn
    bool paused_ = false;
};

} // namespace skerry::sim
