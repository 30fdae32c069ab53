// SPDX-License-Identifier: BSD-3-Clause
// Keeps a vector clock for each word by which cores synchronise: a release joins the core's clock into the word's clock,
// and an acquire joins the word's clock into the core's clock. Also follows the lines of the event units (counters,
// queues, command buffers): a notification or an item carries the clocks of the cores that have caused it.
//
// The clock of a word only grows, and a message counts as delivered at once. So an acquire can also see a release whose
// value has been overwritten, or is still under way. Such an order that does not exist can hide a race, and never makes
// one up.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>

#include "chip/address_map.hpp"
#include "events/configuration.hpp"
#include "events/event_unit.hpp"
#include "race/vector_clock.hpp"

namespace skerry::sim {

class WordClocks {
  public:
    // `map` tells which addresses are those of event units.
    explicit WordClocks(const AddressMap &map) : map_(&map) {
    }
    // Handles a store that releases `clock`. `address` is a global address. `value` is used if a line of an event unit is
    // there.
    void store(std::uint32_t address, unsigned size, std::uint32_t value, const VectorClock &clock);
    // Handles an atomic operation or an interrupt that releases `clock`.
    void release(std::uint32_t address, const VectorClock &clock) {
        words_[address & ~3U].join(clock);
    }
    // Returns true if an address is that of a word in a line of an event unit.
    bool is_line(std::uint32_t address) const;
    // Returns the copy that a store to a command line starts, with global addresses, or nothing if it starts none.
    std::optional<Copy> copy_of(std::uint32_t address, std::uint32_t value) const;
    // Handles the end of a copy, which releases `clock` to the words of its counter and to those that the counter notifies.
    void copied(std::uint32_t counter, const VectorClock &clock) {
        flow(counter, 4, clock);
    }
    // Handles a load of `size` bytes: joins the clocks of the words into `clock`. Returns true if a word has a clock.
    bool acquire(std::uint32_t address, unsigned size, VectorClock &clock) const;

  private:
    struct Line {
        LineKind kind = LineKind::plain;
        std::array<std::uint32_t, events::line_words> words{}; // as they were stored
        std::set<std::uint32_t> answers; // of a queue: the addresses to which items have been requested
    };
    bool is_event_unit(std::uint32_t address) const;
    bool is_tag(std::uint32_t address) const;
    void set_tag(std::uint32_t address, std::uint32_t tag);
    void store_line(std::uint32_t address, std::uint32_t value, const VectorClock &clock);
    void start(const Line &command, std::uint32_t go, const VectorClock &clock);
    void flow(std::uint32_t address, unsigned bytes, const VectorClock &clock);
    void flow(std::uint32_t address, unsigned bytes, const VectorClock &clock, std::set<std::uint32_t> &visited);

    const AddressMap *map_;
    std::unordered_map<std::uint32_t, VectorClock> words_; // by the address of the word, a multiple of 4
    std::unordered_map<std::uint32_t, Line> lines_;        // by the address of the line
};

} // namespace skerry::sim
