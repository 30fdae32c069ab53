// SPDX-License-Identifier: BSD-3-Clause
// Runs the cores, cycle by cycle. `ready_at` of a core is the next cycle in which the core acts. The chip's loop
// searches the ready_at of all cores in each cycle. Therefore this class keeps a copy of all of them in one array. The
// functions of the loop are inline, because the loop calls them in each cycle.
#pragma once
#include <algorithm>
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
    }

    // Sets the class of all cores. step() then calls run() of this class directly. A virtual call would cost too much,
    // because in most cycles a core executes only one instruction.
    template <class Kind> void set_kind() {
        run_ready_ = &Scheduler::run_ready<Kind>;
    }

    // Finds the cores that act next. Must be called in each cycle before the other functions are called.
    void find_ready() {
        first_ready_ = second_ready_ = never;
        for (std::uint32_t k = 0; k < ready_.size(); k++) {
            if (ready_[k] < first_ready_) {
                second_ready_ = first_ready_;
                first_ready_ = ready_[k];
                first_ = k;
            } else if (ready_[k] < second_ready_) {
                second_ready_ = ready_[k];
            }
        }
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
        for (std::uint32_t k = 0; k < ready_.size(); k++) {
            if (ready_[k] == cycle) f(k, *cores_[k]);
        }
    }

    // Updates the copy of a core's ready_at (the next cycle in which it acts) after an event from outside that core. If
    // another core is running, makes the running core return to the loop.
    void changed(std::uint32_t index) {
        ready_[index] = cores_[index]->ready_at;
        if (index != first_) second_ready_ = std::min(second_ready_, ready_[index]);
        if (running_ != index) yield();
    }
    // If a core is being executed, makes this core return to the loop.
    void yield() {
        if (running_ != no_core) cores_[running_]->yield();
    }

  private:
    template <class Kind> void run_ready(std::uint64_t cycle) {
        for (std::uint32_t k = 0; k < ready_.size(); k++) {
            if (ready_[k] != cycle) continue;
            running_ = k;
            static_cast<Kind &>(*cores_[k]).run(cycle, cycle + 1);
            ready_[k] = cores_[k]->ready_at;
        }
    }

    void (Scheduler::*run_ready_)(std::uint64_t cycle) = &Scheduler::run_ready<Core>;
    std::vector<Core *> cores_;
    std::vector<std::uint64_t> ready_; // copies of each core's ready_at, contiguous for find_ready()
    std::uint64_t first_ready_ = never;
    std::uint64_t second_ready_ = never; // minimum of ready_ over all cores except core first_
    std::uint32_t first_ = 0;
    std::uint32_t running_ = no_core; // index of the core whose instruction is being executed
};

} // namespace skerry::sim
