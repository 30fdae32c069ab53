// SPDX-License-Identifier: BSD-3-Clause
// Runs the cores, cycle by cycle. `ready_at` of a core is the next cycle in which the core acts. The chip's loop
// searches the ready_at of the cores in each cycle. Therefore this class keeps a copy of all of them in one array. It also
// keeps a set of the cores that have such a cycle, and searches only these: a core that sleeps, or that waits for an answer,
// costs nothing. The functions of the loop are inline, because the loop calls them in each cycle.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "chip/address_map.hpp"

namespace skerry::sim {

class Scheduler {
  public:
    // Adds a core. The cores must be added in the order of their indices.
    void add(Core &core) {
        cores_.push_back(&core);
        ready_.push_back(core.ready_at);
        if (ready_.size() > set_bits * awake_.size()) awake_.push_back(0);
        note(static_cast<std::uint32_t>(ready_.size() - 1));
    }

    // Sets the class of all cores. step() then calls run() of this class directly. A virtual call would cost too much,
    // because in most cycles a core executes only one instruction.
    template <class Kind> void set_kind() {
        run_ready_ = &Scheduler::run_ready<Kind>;
    }

    // Finds the cores that act next. Must be called in each cycle before the other functions are called.
    void find_ready() {
        first_ready_ = second_ready_ = never;
        for_each_awake([this](std::uint32_t k) {
            if (ready_[k] < first_ready_) {
                second_ready_ = first_ready_;
                first_ready_ = ready_[k];
                first_ = k;
            } else if (ready_[k] < second_ready_) {
                second_ready_ = ready_[k];
            }
        });
    }
    // Returns the next cycle in which a core acts, or never. find_ready() finds this cycle, so it must be called
    // before.
    std::uint64_t first_at() const {
        return first_ready_;
    }
    // Returns true if at most one core acts in this cycle.
    bool alone(std::uint64_t cycle) const {
        return second_ready_ > cycle;
    }
    // The next two functions must be called only if alone() is true. alone_at() returns the next cycle in which the
    // only ready core acts. others_at() returns the next cycle in which another core acts.
    std::uint64_t alone_at() const {
        return ready_[first_];
    }
    std::uint64_t others_at() const {
        return second_ready_;
    }

    // Runs the only ready core from this cycle until cycle `limit`, or until another core acts. alone() must be true.
    // Returns the last cycle in which the core acted.
    std::uint64_t run_alone(std::uint64_t cycle, std::uint64_t limit) {
        running_ = first_;
        cores_[first_]->run(cycle, std::min(limit, second_ready_));
        ready_[first_] = cores_[first_]->ready_at;
        note(first_);
        running_ = no_core;
        return cores_[first_]->now();
    }
    // Advances all cores that act in this cycle by one cycle.
    void step(std::uint64_t cycle) {
        (this->*run_ready_)(cycle);
        running_ = no_core;
    }
    // Calls f(index, core) for each core that acts in this cycle.
    template <class Function> void for_each_ready(std::uint64_t cycle, Function &&f) {
        if (alone(cycle)) return f(first_, *cores_[first_]);
        for_each_awake([&](std::uint32_t k) {
            if (ready_[k] == cycle) f(k, *cores_[k]);
        });
    }

    // Updates the copy of a core's ready_at (the next cycle in which it acts) after an event from outside that core. If
    // another core is running, makes the running core return to the loop.
    void changed(std::uint32_t index) {
        ready_[index] = cores_[index]->ready_at;
        note(index);
        woken_ = true;
        if (index != first_) second_ready_ = std::min(second_ready_, ready_[index]);
        if (running_ != index) yield();
    }
    // If a core is being executed, makes this core return to the loop.
    void yield() {
        if (running_ != no_core) cores_[running_]->yield();
    }

  private:
    template <class Kind> void run_ready(std::uint64_t cycle) {
        for_each_awake([this, cycle](std::uint32_t k) {
            if (ready_[k] != cycle) return;
            running_ = k;
            static_cast<Kind &>(*cores_[k]).run(cycle, cycle + 1);
            ready_[k] = cores_[k]->ready_at;
            if (ready_[k] == never) note(k);
        });
    }

    // Calls f(index) for the cores in the set, in the order of their indices. If f adds a core whose index is higher than
    // the present one, calls f for that core too.
    template <class Function> void for_each_awake(Function &&f) {
        for (std::uint32_t w = 0; w < awake_.size(); w++) {
            woken_ = false;
            for (std::uint64_t left = awake_[w]; left != 0;) {
                const auto bit = static_cast<std::uint32_t>(std::countr_zero(left));
                left &= left - 1;
                f(w * set_bits + bit);
                if (woken_) [[unlikely]] {
                    left = awake_[w] & ~std::uint64_t{1} << bit;
                    woken_ = false;
                }
            }
        }
    }
    // Puts a core into the set of awake cores, or removes it, as its ready_at says.
    void note(std::uint32_t index) {
        const std::uint64_t bit = std::uint64_t{1} << index % set_bits;
        std::uint64_t &word = awake_[index / set_bits];
        word = ready_[index] == never ? word & ~bit : word | bit;
    }

    static constexpr std::uint32_t set_bits = 64;

    void (Scheduler::*run_ready_)(std::uint64_t cycle) = &Scheduler::run_ready<Core>;
    std::vector<Core *> cores_;
    std::vector<std::uint64_t> ready_; // copies of each core's ready_at, contiguous for find_ready()
    std::vector<std::uint64_t> awake_; // set of the cores whose ready_at is not `never`; core k is bit k modulo 64
    bool woken_ = false;               // changed() was called since for_each_awake() has read a word of the set
    std::uint64_t first_ready_ = never;
    std::uint64_t second_ready_ = never; // minimum of ready_ over all cores except core first_
    std::uint32_t first_ = 0;
    std::uint32_t running_ = no_core; // index of the core whose instruction is being executed
};

} // namespace skerry::sim
