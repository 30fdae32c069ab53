// SPDX-License-Identifier: BSD-3-Clause
// Follows the explicit tasks of an OpenMP program, for the race detector. Two tasks that nothing orders can run on one core,
// one after the other, or be ordered by what the runtime does to distribute them. So each task has a clock of its own, which
// contains only what OpenMP orders before it:
// * what its maker did before the task was made;
// * what other tasks and threads did before they released a lock that the task takes, or another word that the program's
//   code or a function that does not handle tasks loads;
// * after a taskwait, its children; after the end of a taskgroup, the group's tasks; after a task that must run at once
//   (`if(0)`, a child of a final task), this task;
// * the tasks on which it depends (task_dependences.hpp);
// * after a barrier, everything that happened before on the machine.
//
// A task with an event (`detach`) ends when its function has returned and its event is fulfilled. So what ends before a wait for
// it is what its function has done, and what the task that fulfils the event did before. The event's handle is the first
// word of the task's data when it begins.
//
// The clock of a task is an element of the vector clocks, as if the task were a core. An element is used again for a task that
// begins after the one before has ended.
//
// The detector sees when the program calls a function of the runtime that handles tasks, and when the runtime calls the
// function of a task. It does not see which of the tasks of this function begins. So it compares the tasks' data. If it finds
// no difference, the task begins after the makers of all tasks that come into question, and ends for all of them. This can hide
// a race, and never makes one up.
#pragma once
#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "race/task_dependences.hpp"
#include "race/vector_clock.hpp"

namespace skerry::sim {

struct TaskGroup;
using TaskGroups = std::vector<std::shared_ptr<TaskGroup>>;

// A taskgroup. `ends`: what its ended tasks have done.
struct TaskGroup {
    VectorClock ends;
    bool needs_machine = false; // a task of the group needs the machine's order (MadeTask)
    TaskGroups outer;
};

// The functions of the runtime that matter here. `joins`: after the call everything that happened on the machine before is
// ordered. `yields`: the call can run tasks, and orders nothing. `wait_some`: waits for the tasks that dependences name.
enum class TaskCall : std::uint8_t { none, make, loop, wait, wait_some, group_begin, group_end, fulfil, yields, joins };
TaskCall task_call_of(std::string_view function);

struct Task;

// A task that was made, or several that cannot be distinguished.
struct MadeTask {
    std::vector<std::uint8_t> data; // its first bytes
    bool has_data = false;          // `data` is known, and will be the same when the task begins
    std::uint32_t bytes = 0;        // of all its data
    unsigned count = 0;             // tasks that have not begun; not counted if the data is not known
    bool is_final = false;
    bool is_outside = false;                        // made outside all regions
    bool needs_machine = false;                     // the order of the machine counts: it is outside
    bool has_event = false;                         // the first word of the data is not known before it begins
    VectorClock clock;                              // what happened before it was made
    VectorClock ends;                               // what it has done
    std::vector<std::shared_ptr<MadeTask>> follows; // it begins after the ends of these
    std::vector<std::shared_ptr<Task>> makers;
    TaskGroups groups;
};

// A call of the runtime that has not returned.
struct OpenCall {
    TaskCall kind = TaskCall::none;
    std::uint32_t returns_to = 0;   // without the core's number
    std::uint32_t stack = 0;        // the stack pointer after the return
    bool is_awaited = false;        // the made task ends before the call returns
    std::shared_ptr<MadeTask> made; // of wait_some: stands for the call, which waits for the tasks that it follows
};

// A task that a core runs: an explicit one, or the core's implicit tasks, all of which are one here.
struct Task {
    std::uint32_t element = 0;  // of the vector clocks
    VectorClock clock;          // what happened before its next instruction
    VectorClock released;       // the part that its stores release
    VectorClock children;       // what its ended children have done
    bool needs_machine = false; // a child needs the machine's order
    bool is_final = false;
    bool is_outside = false;
    bool knows_thread = false;   // it has asked for the number of its thread
    TaskGroups groups;           // for its children
    TaskDependences dependences; // of its children
    std::vector<OpenCall> calls;
    std::uint32_t returns_to = 0, stack = 0; // as in OpenCall, for the end of the task
    std::uint32_t data = 0, data_end = 0;    // the task's data, which the runtime can give to another task later
    std::vector<std::shared_ptr<MadeTask>> origins;
};

class TaskClocks {
  public:
    // `first`: the elements before are those of cores.
    explicit TaskClocks(std::uint32_t first) : next_element_(first) {
    }
    // Returns an element for a new unit beside the cores.
    std::uint32_t new_element() {
        return next_element_++;
    }
    // Records that `maker` makes a task (or several, if `is_loop`) with this function. The maker's clock is that before.
    std::shared_ptr<MadeTask> make(std::uint32_t function, const std::shared_ptr<Task> &maker, MadeTask made,
                                   bool is_loop, const std::vector<Dependence> &dependences);
    // Forgets a taskloop, all of whose tasks have ended.
    void forget(std::uint32_t function, const std::shared_ptr<MadeTask> &made);
    // Returns the size of the greatest data of a task that has this function, and -1 if no task has it.
    std::int64_t data_bytes(std::uint32_t function) const;
    // Begins a task on a core. `data`: the first bytes of its data. `machine`: the core's clock. `core`: its element.
    std::shared_ptr<Task> begin(std::uint32_t function, const std::vector<std::uint8_t> &data,
                                const VectorClock &machine, std::uint32_t core);
    // Ends a task, and adds to the core's clock what it has done.
    void end(Task &task, VectorClock &machine, std::uint32_t core);
    // The event with this handle is fulfilled. `clock`: that of the task that does it.
    void fulfil(std::uint32_t event, const VectorClock &clock);

  private:
    static void complete(const Task &task, const VectorClock &clock);
    std::shared_ptr<MadeTask> record(std::uint32_t function, MadeTask made, bool is_loop);
    using Candidates = std::vector<std::shared_ptr<MadeTask>>;
    // A task's element, and the last period in which its tasks have accessed memory.
    struct Element {
        std::uint32_t number;
        std::uint32_t period;
        bool is_used;
    };
    std::uint32_t take_element(Task &task, std::uint32_t core);

    std::uint32_t next_element_;
    std::vector<Element> elements_;
    std::unordered_map<std::uint32_t, Candidates> made_; // by the address of the function
    // Events whose task has begun (`task`), or that are fulfilled (`clock`), but not both. By their handles.
    struct Event {
        std::shared_ptr<const Task> task;
        VectorClock clock;
    };
    std::unordered_map<std::uint32_t, Event> events_;
};

} // namespace skerry::sim
