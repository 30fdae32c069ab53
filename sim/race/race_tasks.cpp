// SPDX-License-Identifier: BSD-3-Clause
// The part of the race detector that follows explicit tasks: where tasks are made, begin and end, and which accesses belong to
// them (task_clocks.hpp).
#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "race/race_detector.hpp"
#include "trace/profile.hpp"

namespace skerry::sim {

// Orders everything that has happened on the machine before the core's next instruction.
void RaceDetector::join_machine(Watched &watched) {
    Task &task = *watched.tasks.back();
    task.clock.join(watched.clock);
    task.released.join(watched.released);
}

// Handles the instruction at the program counter if tasks begin or end here, or if the program calls the runtime.
void RaceDetector::follow_tasks(std::uint32_t index, const RiscvCore &core, std::uint32_t previous) {
    Watched &w = cores_[index];
    const std::uint32_t stack = core.state.x[riscv::stack_pointer];
    if (!w.tasks.empty()) {
        const auto has_returned = [&](const auto &called) {
            return called.returns_to == w.pc && called.stack == stack;
        };
        while (!w.tasks.back()->calls.empty() && has_returned(w.tasks.back()->calls.back())) end_call(w);
        if (w.tasks.size() > 1 && has_returned(*w.tasks.back())) {
            end_task(index);
            forget_stack(core.id(), stack);
        }
    }
    if (previous < library_) {
        if (w.code.call != TaskCall::none) begin_call(index, core);
        return;
    }
    if (w.pc >= library_) return;
    if (begin_task(index, core)) return forget_stack(core.id(), stack);
    if (!constructs_.contains(w.pc)) return;
    join_machine(w); // the region of a thread begins
    w.tasks.back()->dependences.clear();
}

// Handles the call of a function that is listed in task_calls_.
void RaceDetector::begin_call(std::uint32_t index, const RiscvCore &core) {
    Watched &w = cores_[index];
    const bool makes = w.code.call == TaskCall::make || w.code.call == TaskCall::loop;
    constexpr std::uint32_t even = ~1U, known_bytes = 64, first = riscv::argument_register;
    // Flags of GOMP_task and GOMP_taskloop.
    constexpr std::uint32_t final = 1U << 1, depend = 1U << 3, no_group = 1U << 11, detach = 1U << 13;
    const auto &x = core.state.x;
    const std::shared_ptr<Task> task = w.tasks.back();
    const std::uint32_t stack = x[riscv::stack_pointer];
    while (!task->calls.empty() && task->calls.back().stack < stack)
        task->calls.pop_back(); // they have been left otherwise
    OpenCall call{.kind = w.code.call,
                  .returns_to = without_core(core, core.return_address()),
                  .stack = stack,
                  .is_awaited = false,
                  .made = nullptr};
    if (makes) {
        const bool is_loop = call.kind == TaskCall::loop, is_copied = x[first + 2] != 0;
        const std::uint32_t flags = x[first + (is_loop ? 5 : 6)];
        MadeTask made;
        made.bytes = x[first + 3];
        made.has_event = !is_loop && (flags & detach) != 0;
        made.has_data = !is_loop && !is_copied;
        if (made.has_data) made.data = bytes_at(core, x[first + 1], std::min(made.bytes, known_bytes));
        if (made.has_event && made.data.size() >= 4) std::fill_n(made.data.begin(), 4, 0); // the handle
        made.is_final = task->is_final || (flags & final) != 0;
        // One thread runs all tasks that are made outside regions.
        made.is_outside = task->is_outside || (index == 0 && w.tasks.size() == 1 && task->calls.empty());
        made.needs_machine = made.is_outside;
        call.is_awaited = made.is_outside || (is_loop ? (flags & no_group) == 0 : x[first + 5] == 0 || task->is_final);
        const bool depends = !is_loop && (flags & depend) != 0;
        call.made = tasks_.make(without_core(core, x[first] & even), task, std::move(made), is_loop,
                                depends ? dependences_at(core, x[first + 7]) : std::vector<Dependence>());
        next_period(index); // the maker's later accesses do not happen before the task
    } else if (call.kind == TaskCall::wait_some) {
        call.made = std::make_shared<MadeTask>();
        call.made->follows = task->dependences.add(call.made, dependences_at(core, x[first]));
    } else if (call.kind == TaskCall::fulfil) {
        tasks_.fulfil(x[first], task->clock);
        next_period(index); // the later accesses do not happen before what waits for the event
    }
    task->calls.push_back(std::move(call));
}

void RaceDetector::end_call(Watched &watched) {
    Task &task = *watched.tasks.back();
    const OpenCall call = std::move(task.calls.back());
    task.calls.pop_back();
    switch (call.kind) {
    case TaskCall::make:
    case TaskCall::loop:
        if (call.is_awaited) task.clock.join(call.made->ends);
        break;
    case TaskCall::wait:
        task.clock.join(task.children);
        task.dependences.clear();
        if (task.needs_machine) join_machine(watched);
        break;
    case TaskCall::wait_some:
        for (const auto &earlier : call.made->follows) task.clock.join(earlier->ends);
        call.made->follows.clear();
        if (task.needs_machine) join_machine(watched);
        break;
    case TaskCall::group_begin: {
        auto group = std::make_shared<TaskGroup>();
        group->outer = std::move(task.groups);
        task.groups = {std::move(group)};
        break;
    }
    case TaskCall::group_end: {
        if (task.groups.empty()) break;
        const std::shared_ptr<TaskGroup> group = task.groups.front();
        task.clock.join(group->ends);
        if (group->needs_machine) join_machine(watched);
        task.groups = group->outer;
        break;
    }
    case TaskCall::joins: join_machine(watched); break;
    case TaskCall::fulfil:
    case TaskCall::yields:
    case TaskCall::none: break;
    }
}

// Handles the first instruction of a function of the program that the runtime has called. Returns true if it is that of a task.
bool RaceDetector::begin_task(std::uint32_t index, const RiscvCore &core) {
    Watched &w = cores_[index];
    const std::int64_t bytes = tasks_.data_bytes(w.pc);
    if (bytes < 0) return false;
    constexpr std::int64_t known_bytes = 64;
    const std::uint32_t data = core.state.x[riscv::argument_register];
    const auto task = tasks_.begin(w.pc, bytes_at(core, data, static_cast<std::uint32_t>(std::min(bytes, known_bytes))),
                                   w.clock, index);
    task->returns_to = without_core(core, core.return_address());
    task->stack = core.state.x[riscv::stack_pointer];
    w.tasks.push_back(task);
    task->data = global_address(core.id(), data);
    task->data_end = task->data + static_cast<std::uint32_t>(bytes);
    history_.forget(task->data, task->data_end); // other tasks have used the memory before
    return true;
}

void RaceDetector::end_task(std::uint32_t index) {
    Watched &w = cores_[index];
    const std::shared_ptr<Task> task = std::move(w.tasks.back());
    w.tasks.pop_back();
    tasks_.end(*task, w.clock, index);
    history_.forget(task->data, task->data_end);
    Task &before = *w.tasks.back();
    if (before.element == index) before.clock.set(index, w.clock[index]);
}

// Forgets accesses below the stack pointer of a core: variables of functions that have ended.
void RaceDetector::forget_stack(std::uint32_t core_id, std::uint32_t stack) {
    const std::uint32_t base = core_id * core_space;
    history_.forget(base + stack_limit_, base + offset_in_core(stack));
}

// Returns the dependences of a task. `address` is that of their array, which the compiler makes. Its first words are one of:
// * the number of all addresses, and of those that are written; these come first;
// * 0, and the numbers of all addresses, of those that are written, of those with mutexinoutset, and of those that are read. The
//   rest are addresses of depend objects, each of which consists of an address and a kind.
std::vector<Dependence> RaceDetector::dependences_at(const Core &core, std::uint32_t address) {
    constexpr std::uint32_t most = 1U << 16;
    const auto word = [&](std::uint32_t from, std::uint32_t number) {
        std::uint32_t value = 0;
        std::array<std::uint8_t, 4> bytes{};
        if (chip_.read(core, from + 4 * number, bytes)) value = std::bit_cast<std::uint32_t>(bytes);
        return value;
    };
    const bool is_short = word(address, 0) != 0;
    const std::uint32_t all = std::min(word(address, is_short ? 0 : 1), most), begin = is_short ? 2 : 5;
    const std::uint32_t written = word(address, is_short ? 1 : 2);
    const std::uint32_t exclusive = written + (is_short ? 0 : word(address, 3));
    const std::uint32_t read = is_short ? all : exclusive + word(address, 4);
    std::vector<Dependence> dependences;
    for (std::uint32_t i = 0; i < all; i++) {
        Dependence d{.address = word(address, begin + i), .kind = DependenceKind::in};
        if (i < written) d.kind = DependenceKind::out;
        else if (i < exclusive) d.kind = DependenceKind::mutexinoutset;
        else if (i >= read) {
            d.kind = static_cast<DependenceKind>(word(d.address, 1));
            d.address = word(d.address, 0);
        }
        if (d.address != all_memory) d.address = global_address(core.id(), d.address);
        dependences.push_back(d);
    }
    return dependences;
}

// Returns bytes of the memory, or fewer if no memory is there.
std::vector<std::uint8_t> RaceDetector::bytes_at(const Core &core, std::uint32_t address, std::uint32_t size) {
    std::vector<std::uint8_t> bytes(size);
    if (!chip_.read(core, address, bytes)) bytes.clear();
    return bytes;
}

// Returns true if an access races only with those of other cores: the task has asked for its thread's number, so it can use
// memory of this thread only, or the memory is a variable of the thread.
bool RaceDetector::is_of_thread(const Watched &watched, std::uint32_t core_id, std::uint32_t address) const {
    if (watched.tasks.empty()) return false;
    const std::uint32_t offset = offset_in_core(address);
    const bool is_own = address == global_address(core_id, offset);
    return watched.tasks.back()->knows_thread || (is_own && offset >= tls_begin_ && offset < tls_end_);
}

std::uint32_t RaceDetector::element_of(std::uint32_t index) const {
    const Watched &w = cores_[index];
    return w.tasks.empty() ? index : w.tasks.back()->element;
}

} // namespace skerry::sim
