// SPDX-License-Identifier: BSD-3-Clause
// Finds the tasks after which a task with dependences begins, as OpenMP defines it: for each address that it names, those of the
// earlier tasks of the same parent that name the address too, unless both only read, or both have inoutset. For each address, two
// groups of tasks are enough: the last one (a task that writes, tasks that read, or tasks with inoutset) and the one before it, as
// each task of a group begins after all tasks of the group before. Tasks with mutexinoutset count as tasks that write, in the order
// in which they were made.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace skerry::sim {

struct MadeTask;

// Kinds of dependences, with the runtime's numbers.
enum class DependenceKind : std::uint8_t { in = 1, out, inout, mutexinoutset, inoutset };

constexpr std::uint32_t all_memory = 0; // in place of an address: omp_all_memory

struct Dependence {
    std::uint32_t address = all_memory;
    DependenceKind kind = DependenceKind::out;
};

// The dependences of the children of one task.
class TaskDependences {
  public:
    // Records a child with its dependences. Returns the tasks after whose ends it begins.
    std::vector<std::shared_ptr<MadeTask>> add(const std::shared_ptr<MadeTask> &task,
                                               const std::vector<Dependence> &dependences);
    // Forgets all children, which have ended.
    void clear() {
        addresses_.clear();
        all_ = {};
    }

  private:
    struct Address {
        DependenceKind kind = DependenceKind::out; // of the last group
        std::vector<std::shared_ptr<MadeTask>> last, before;
    };
    // Adds a task to the groups of an address, and to `found` the tasks of the group before.
    static void enter(Address &address, DependenceKind kind, const std::shared_ptr<MadeTask> &task,
                      std::vector<std::shared_ptr<MadeTask>> &found);

    std::unordered_map<std::uint32_t, Address> addresses_;
    Address all_; // tasks that depend on all memory; they are in all elements of addresses_ too
};

} // namespace skerry::sim
