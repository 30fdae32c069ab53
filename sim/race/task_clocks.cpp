// SPDX-License-Identifier: BSD-3-Clause
#include "race/task_clocks.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace skerry::sim {
namespace {

// The greatest number of tasks that have elements of their own. Further ones count as parts of the core's implicit task.
constexpr std::size_t most_elements = 512;

constexpr std::size_t handle_bytes = 4; // of the handle of an event

struct NamedCall {
    std::string_view name;
    TaskCall call;
};
constexpr std::array named_calls = {
    NamedCall{"GOMP_task", TaskCall::make},
    NamedCall{"GOMP_taskloop", TaskCall::loop},
    NamedCall{"GOMP_taskloop_ull", TaskCall::loop},
    NamedCall{"GOMP_taskwait", TaskCall::wait},
    NamedCall{"GOMP_taskgroup_start", TaskCall::group_begin},
    NamedCall{"GOMP_taskgroup_end", TaskCall::group_end},
    NamedCall{"GOMP_taskyield", TaskCall::yields},
    NamedCall{"GOMP_taskwait_depend", TaskCall::wait_some},
    NamedCall{"GOMP_barrier", TaskCall::joins},
    NamedCall{"GOMP_barrier_cancel", TaskCall::joins},
    NamedCall{"skerry_omp_reduce_barrier", TaskCall::joins},
    NamedCall{"GOMP_loop_end", TaskCall::joins},
    NamedCall{"GOMP_loop_end_cancel", TaskCall::joins},
    NamedCall{"GOMP_sections_end", TaskCall::joins},
    NamedCall{"GOMP_sections_end_cancel", TaskCall::joins},
    NamedCall{"GOMP_parallel_end", TaskCall::joins},
    NamedCall{"GOMP_workshare_task_reduction_unregister", TaskCall::joins},
    NamedCall{"omp_fulfill_event", TaskCall::fulfil},
};
constexpr std::array joining_prefixes = {std::string_view("GOMP_parallel"), std::string_view("GOMP_teams"),
                                         std::string_view("GOMP_target")};

template <class T> void add_new(std::vector<T> &to, const std::vector<T> &from) {
    for (const T &one : from)
        if (std::ranges::find(to, one) == to.end()) to.push_back(one);
}

void end_in(const TaskGroups &groups, const VectorClock &clock, bool needs_machine) {
    for (const auto &group : groups) {
        group->ends.join(clock);
        group->needs_machine |= needs_machine;
        end_in(group->outer, clock, needs_machine);
    }
}

} // namespace

TaskCall task_call_of(std::string_view function) {
    const auto found = std::ranges::find(named_calls, function, &NamedCall::name);
    if (found != named_calls.end()) return found->call;
    const bool joins =
        std::ranges::any_of(joining_prefixes, [&](std::string_view p) { return function.starts_with(p); });
    return joins ? TaskCall::joins : TaskCall::none;
}

std::shared_ptr<MadeTask> TaskClocks::make(std::uint32_t function, const std::shared_ptr<Task> &maker, MadeTask made,
                                           bool is_loop, const std::vector<Dependence> &dependences) {
    made.count = 1;
    made.clock = maker->clock;
    made.makers = {maker};
    made.groups = maker->groups;
    if (made.needs_machine) {
        maker->needs_machine = true;
        end_in(maker->groups, {}, true);
    }
    std::shared_ptr<MadeTask> recorded = record(function, std::move(made), is_loop);
    if (!dependences.empty()) add_new(recorded->follows, maker->dependences.add(recorded, dependences));
    return recorded;
}

// Returns the record of a task, which is that of earlier ones if these cannot be distinguished from it.
std::shared_ptr<MadeTask> TaskClocks::record(std::uint32_t function, MadeTask made, bool is_loop) {
    Candidates &candidates = made_[function];
    const auto same = std::ranges::find_if(candidates, [&](const auto &c) {
        return !is_loop && c->has_data == made.has_data && c->data == made.data && c->bytes == made.bytes &&
               c->has_event == made.has_event;
    });
    if (same == candidates.end()) return candidates.emplace_back(std::make_shared<MadeTask>(std::move(made)));
    MadeTask &known = **same;
    known.count++;
    known.is_final &= made.is_final;
    known.is_outside |= made.is_outside;
    known.needs_machine |= made.needs_machine;
    known.clock.join(made.clock);
    add_new(known.makers, made.makers);
    add_new(known.groups, made.groups);
    return *same;
}

void TaskClocks::forget(std::uint32_t function, const std::shared_ptr<MadeTask> &made) {
    std::erase(made_[function], made);
}

std::int64_t TaskClocks::data_bytes(std::uint32_t function) const {
    const auto found = made_.find(function);
    if (found == made_.end() || found->second.empty()) return -1;
    const auto most = std::ranges::max_element(found->second, {}, &MadeTask::bytes);
    return (*most)->bytes;
}

std::shared_ptr<Task> TaskClocks::begin(std::uint32_t function, const std::vector<std::uint8_t> &data,
                                        const VectorClock &machine, std::uint32_t core) {
    Candidates &candidates = made_[function];
    const auto same = std::ranges::find_if(candidates, [&](const auto &c) {
        if (!c->has_data || c->data.size() > data.size()) return false;
        const std::ptrdiff_t known = c->has_event ? handle_bytes : 0;
        return std::equal(c->data.begin() + known, c->data.end(), data.begin() + known);
    });
    auto task = std::make_shared<Task>();
    if (same != candidates.end()) {
        task->origins = {*same};
    } else task->origins = candidates;
    task->is_final = true;
    for (const auto &origin : task->origins) {
        task->clock.join(origin->clock);
        task->is_final &= origin->is_final;
        task->is_outside |= origin->is_outside;
        if (origin->needs_machine) task->clock.join(machine);
        for (const auto &earlier : origin->follows) task->clock.join(earlier->ends);
        add_new(task->groups, origin->groups);
    }
    if (same != candidates.end() && --(*same)->count == 0) {
        (*same)->follows.clear(); // otherwise a chain of tasks would keep all records
        candidates.erase(same);
    }
    task->element = take_element(*task, core);
    if (task->element == core) task->clock.join(machine);
    task->released = task->clock;
    if (std::ranges::any_of(task->origins, &MadeTask::has_event) && data.size() >= handle_bytes) {
        std::uint32_t event = 0;
        std::memcpy(&event, data.data(), handle_bytes);
        const auto found = events_.find(event);
        if (found != events_.end() && !found->second.task) {
            complete(*task, found->second.clock);
            events_.erase(found);
        } else events_[event] = {.task = task, .clock = {}};
    }
    return task;
}

// Returns an element for a new task, and sets the task's clock to its first period. The element can be that of an ended task
// that happened before the new one.
std::uint32_t TaskClocks::take_element(Task &task, std::uint32_t core) {
    auto found = std::ranges::find_if(elements_,
                                      [&](const Element &e) { return !e.is_used && task.clock[e.number] >= e.period; });
    if (found == elements_.end()) {
        if (elements_.size() == most_elements) return core;
        found = elements_.insert(found, {.number = next_element_++, .period = 0, .is_used = false});
    }
    found->is_used = true;
    task.clock.set(found->number, ++found->period);
    return found->number;
}

void TaskClocks::fulfil(std::uint32_t event, const VectorClock &clock) {
    const auto found = events_.find(event);
    if (found == events_.end() || !found->second.task) {
        events_[event] = {.task = nullptr, .clock = clock};
        return;
    }
    complete(*found->second.task, clock);
    events_.erase(found);
}

// Puts `clock` before everything that waits for the task.
void TaskClocks::complete(const Task &task, const VectorClock &clock) {
    for (const auto &origin : task.origins) {
        origin->ends.join(clock);
        for (const auto &maker : origin->makers) maker->children.join(clock);
    }
    end_in(task.groups, clock, false);
}

void TaskClocks::end(Task &task, VectorClock &machine, std::uint32_t core) {
    complete(task, task.clock);
    machine.join(task.clock);
    if (task.element == core) return;
    const auto found = std::ranges::find(elements_, task.element, &Element::number);
    found->period = task.clock[task.element];
    found->is_used = false;
}

} // namespace skerry::sim
