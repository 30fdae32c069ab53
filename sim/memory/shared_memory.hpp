// SPDX-License-Identifier: BSD-3-Clause
// Models one memory that all cores of a cluster (or of the machine) access directly, through a crossbar. The memory has many banks. Consecutive double
// words are in different banks. Each bank performs one access a cycle, or, if it is a slow server, one in some cycles. A core whose access finds the bank busy tries
// again in the next cycle.
//
// A bank serves the waiting cores in the order in which they came. In each cycle the chip simulates cores with lower
// numbers first. Without this order, these cores could keep other cores waiting for ever.
#pragma once
#include <cstdint>
#include <deque>
#include <vector>

#include "memory/memory.hpp"

namespace skerry::sim {

struct SharedMemoryConfiguration {
    std::uint32_t base = 0;
    std::uint32_t size = 0; // bytes; 0: the machine has no shared memory
    // A second address of the memory, which other memories of the same kind do not have; 0: none.
    std::uint32_t own_base = 0;
    std::uint32_t banks = 1;        // a power of two
    std::uint32_t extra_cycles = 0; // of a load or an atomic operation, more than for a core's own memory
    std::uint32_t service = 1;      // cycles from the begin of one access of a bank until the next one can begin
};

class SharedMemory {
  public:
    explicit SharedMemory(const SharedMemoryConfiguration &configuration)
        : memory(configuration.size), configuration_(configuration), banks_(configuration.banks) {
    }

    Memory memory;

    const SharedMemoryConfiguration &configuration() const {
        return configuration_;
    }
    // Changes the second address, which the memory must have.
    void set_own_base(std::uint32_t base) {
        configuration_.own_base = base;
    }
    // Returns the offset in this memory of an address. If the memory does not have this address, the offset is not below
    // its size.
    std::uint32_t offset_of(std::uint32_t address) const {
        const std::uint32_t offset = address - configuration_.base;
        if (offset < memory.size() || configuration_.own_base == 0) return offset;
        return address - configuration_.own_base;
    }
    bool has(std::uint32_t address, std::uint32_t bytes) const {
        return memory.holds(offset_of(address), bytes);
    }
    // Claims the bank (part of the memory that serves one access in a cycle) of an address. Returns false if the bank
    // is busy, or if another core is first in the bank's queue. A core whose claim was refused must claim the bank
    // again in the next cycle. If it does not, it loses its place in the queue.
    bool claim(std::uint32_t address, std::uint64_t cycle, std::uint32_t who) {
        Bank &bank = banks_[(address / bank_width) & (banks_.size() - 1)];
        if (bank.next_free > cycle) {
            bank.wait(who, cycle);
            return false;
        }
        if (!bank.waiting.empty() && !bank.is_first(who, cycle)) {
            bank.wait(who, cycle);
            return false;
        }
        bank.next_free = cycle + configuration_.service;
        return true;
    }

  private:
    static constexpr std::uint32_t bank_width = 8; // bytes

    struct Waiter {
        std::uint32_t who;
        std::uint64_t last_try; // cycle of its last claim
    };
    struct Bank {
        std::uint64_t next_free = 0;
        std::deque<Waiter> waiting;

        void wait(std::uint32_t who, std::uint64_t cycle) {
            for (Waiter &w : waiting) {
                if (w.who != who) continue;
                w.last_try = cycle;
                return;
            }
            waiting.push_back({who, cycle});
        }
        // Removes the cores at the head of the queue that did not repeat their claim in time. Then, if `who` is first
        // in the queue, removes `who` and returns true. Also returns true if the queue is empty.
        bool is_first(std::uint32_t who, std::uint64_t cycle) {
            while (!waiting.empty() && waiting.front().who != who && waiting.front().last_try + 1 < cycle) {
                waiting.pop_front();
            }
            if (waiting.empty()) return true;
            if (waiting.front().who != who) return false;
            waiting.pop_front();
            return true;
        }
    };

    SharedMemoryConfiguration configuration_;
    std::vector<Bank> banks_;
};

} // namespace skerry::sim
