// SPDX-License-Identifier: BSD-3-Clause
#include "race/race_detector.hpp"

#include <algorithm>
#include <bit>

#include "mppa_dma/registers.hpp"
#include "riscv/decode.hpp"
#include "trace/profile.hpp"

namespace skerry::sim {
namespace {

// The linker scripts define this symbol where the code of libraries begins.
constexpr std::string_view border = "skerry_library_code";

// Number of instructions after a fence within which a store counts as a store release: the store and the instructions
// that compute its address and value.
constexpr std::uint64_t store_release_instructions = 8;

// The functions of the runtime that get a function of the program, which the compiler has made from a construct.
struct Outliner {
    std::string_view name; // or the beginning of the name
    std::string_view construct;
    unsigned argument; // which argument is the function, from 0 on
};
constexpr std::array outliners = {
    Outliner{"GOMP_parallel_loop", "parallel for", 0},
    Outliner{"GOMP_parallel_sections", "parallel sections", 0},
    Outliner{"GOMP_parallel", "parallel", 0},
    Outliner{"GOMP_taskloop", "taskloop", 0},
    Outliner{"GOMP_taskwait", "", 0},
    Outliner{"GOMP_taskgroup", "", 0},
    Outliner{"GOMP_taskyield", "", 0},
    Outliner{"GOMP_task", "task", 0},
    Outliner{"GOMP_teams_reg", "teams", 0},
    Outliner{"GOMP_target_ext", "target", 1},
};

constexpr std::uint32_t units_most = 4; // DMA units of a node

// Offset of a core's register MSIP: a store raises the software interrupt, which ends the core's sleep (WFI).
constexpr std::uint32_t software_interrupt = 0xf0000;

// The functions of libraries whose accesses count as those of the program that calls them.
constexpr std::array<std::string_view, 15> copying_functions = {
    "skerry_copy_begin", "memcpy", "memmove", "memset", "memcmp", "memchr",  "strlen", "strcpy",
    "strncpy",           "strcmp", "strncmp", "strcat", "strchr", "strrchr", "strnlen"};

// Returns true if an address is that of a register of an MPPA's DMA unit or of a mailbox.
bool is_register(std::uint32_t address) {
    return address - mppa::registers_base < mppa::registers_bytes * units_most;
}

} // namespace

bool RaceDetector::knows_code(const ElfImage &image) {
    return image.find(border) != nullptr;
}

RaceDetector::RaceDetector(Chip &chip, const ElfImage &image, std::uint32_t first, std::uint32_t count)
    : chip_(chip), first_(first), has_packets_(chip.machine().data_network.rows != 0),
      library_(image.find(border)->address), cores_(count), tasks_(count), words_(chip.map()), task_words_(chip.map()) {
    // Only programs each of whose cores runs one thread have this symbol.
    const auto has = [&](std::string_view name) { return image.find(name) != nullptr; };
    follows_tasks_ = has("skerry_own_core") && (has("GOMP_task") || has("GOMP_taskloop") || has("GOMP_taskloop_ull"));
    const auto offset = [&](std::string_view name) {
        const Symbol *symbol = image.find(name);
        return symbol == nullptr ? 0 : offset_in_core(symbol->address);
    };
    stack_limit_ = offset("__stack_limit");
    tls_begin_ = offset("skerry_tls");
    tls_end_ = tls_begin_ + offset("skerry_tls_size");
    for (std::uint32_t k = 0; k < count; k++) {
        cores_[k].clock = VectorClock(count);
        cores_[k].clock.advance(k); // period 0 has happened before everything
        cores_[k].instructions = chip.core(first + k).counters.instructions();
        if (!follows_tasks_) continue;
        cores_[k].tasks = {std::make_shared<Task>()};
        cores_[k].tasks.back()->element = k;
        cores_[k].tasks.back()->clock = cores_[k].clock;
    }
    for (const Symbol &s : image.symbols) {
        const std::string_view name = image.name_in_c(s.name);
        if (name == "skerry_omp_add_last" || name == "skerry_omp_post_last") entries_[s.address] = Entry::addition;
        if (name == "skerry_omp_reduce_last" || name == "skerry_omp_reduce_barrier")
            entries_[s.address] = Entry::reduction;
        if (name == "GOMP_atomic_start") entries_[s.address] = Entry::section_begin;
        if (name == "GOMP_atomic_end") entries_[s.address] = Entry::section_end;
        // Copies of variables for reductions of tasks belong to a thread, so several tasks of a thread use one.
        if (name == "omp_get_thread_num" || name == "GOMP_task_reduction_remap")
            entries_[s.address] = Entry::thread_number;
        if (const TaskCall call = task_call_of(name); follows_tasks_ && call != TaskCall::none)
            task_calls_[s.address] = call;
        if (std::ranges::find(copying_functions, image.name_in_c(s.name)) != copying_functions.end())
            copies_.insert(s.address);
        const auto found = std::ranges::find_if(
            outliners, [&](const Outliner &o) { return image.name_in_c(s.name).starts_with(o.name); });
        if (found == outliners.end() || found->construct.empty()) continue;
        outliners_[s.address] = static_cast<std::int8_t>(found - outliners.begin());
    }
}

// Returns the address by which the detector knows the memory at an address of a core. The memory of an MPPA's cluster has
// two addresses, of which it is the first one.
std::uint32_t RaceDetector::address_of(const Core &core, std::uint32_t address) const {
    const Machine &m = chip_.machine();
    if (m.cluster.global != 0 && address - m.shared.base >= m.shared.size)
        if (const Place shared = core.shared_place(address); shared.memory != nullptr)
            return m.shared.base + shared.offset;
    return global_address(core.id(), address);
}

// -- instructions -----------------------------------------------------------------------------------------------------

const RaceDetector::Code &RaceDetector::code_at(Watched &watched, const Core &core, std::uint32_t pc) {
    const std::uint32_t base = pc & ~(page_bytes - 1);
    if (base != watched.page_base) {
        std::unique_ptr<CodePage> &page = pages_[base];
        if (page == nullptr) page = std::make_unique<CodePage>();
        watched.page = page.get();
        watched.page_base = base;
    }
    Code &code = (*watched.page)[pc % page_bytes / 2];
    if (code.effect == Effect::unknown) decode(core, pc, code);
    return code;
}

void RaceDetector::decode(const Core &core, std::uint32_t pc, Code &code) const {
    code.effect = Effect::none;
    std::array<std::uint8_t, 4> bytes{};
    const bool whole = chip_.read(core, pc, bytes);
    if (!whole && !chip_.read(core, pc, std::span(bytes).first(2))) return;
    const riscv::Instruction i = riscv::decode(std::bit_cast<std::uint32_t>(bytes));
    code.is_library = pc >= library_;
    code.size = static_cast<std::uint8_t>(riscv::size_of(i.operation));
    code.base = i.rs1;
    code.operand = i.rs2;
    code.distance = i.immediate;
    if (const auto found = outliners_.find(pc); found != outliners_.end()) code.outliner = found->second;
    code.begins_copy = code.is_library && copies_.contains(pc);
    if (const auto found = entries_.find(pc); found != entries_.end()) code.entry = found->second;
    if (const auto found = task_calls_.find(pc); found != task_calls_.end()) code.call = found->second;
    constexpr std::uint32_t writes = 1 << 4; // in the immediate operand of a fence: earlier writes
    switch (riscv::facts_of(i.operation).unit) {
    case riscv::Unit::load: code.effect = Effect::load; break;
    case riscv::Unit::store: code.effect = Effect::store; break;
    case riscv::Unit::atomic:
        code.effect = Effect::atomic;
        code.distance = 0;
        code.releases = (i.rounding & 1) != 0;
        break;
    default:
        if (i.operation == riscv::Operation::wfi) code.effect = Effect::sleep;
        if (i.operation == riscv::Operation::fence && (static_cast<std::uint32_t>(i.immediate) & writes) != 0) {
            code.effect = Effect::fence;
        }
    }
}

// -- execution --------------------------------------------------------------------------------------------------------

// The core can try an instruction several times before the instruction takes effect. The number of its instructions then
// grows. A release counts from the first try on, because the memory of another core possibly performs an atomic operation
// long before the core gets the answer. An acquire counts from the end on.
bool RaceDetector::before(std::uint32_t core_index, Core &core, std::uint64_t cycle) {
    const std::uint32_t index = core_index - first_;
    Watched &w = cores_[index];
    const auto &riscv = static_cast<const RiscvCore &>(core);
    const std::uint32_t pc = without_core(core, riscv.state.pc);
    const std::uint64_t instructions = core.counters.instructions();
    if (instructions != w.instructions) {
        if (w.code.effect != Effect::none) done(index, cycle);
        w.instructions = instructions;
    } else if (pc == w.pc) {
        return true;
    }
    const std::uint32_t previous = w.pc;
    w.pc = pc;
    w.code = code_at(w, core, pc);
    if (pc == w.returns_to) w.returns_to = 1;
    if (follows_tasks_) follow_tasks(index, riscv, previous);
    if (w.code.outliner >= 0 || w.code.begins_copy) enter_functions(w, riscv, previous);
    if (w.code.entry != Entry::none) enter_runtime(index, riscv, previous, cycle);
    w.is_checked = !w.code.is_library || w.returns_to != 1;
    if (w.code.effect != Effect::none) tried(index, riscv, cycle);
    return true;
}

// Handles the first instruction of a function that gets an outlined function, or that copies bytes. `previous` is the
// address of the core's previous instruction, the call. (The return address does not tell who called: the compiler makes a
// call at the end of a function a jump.)
void RaceDetector::enter_functions(Watched &watched, const RiscvCore &core, std::uint32_t previous) {
    constexpr std::uint32_t even = ~1U;
    if (watched.code.outliner >= 0) {
        const Outliner &o = outliners[static_cast<std::size_t>(watched.code.outliner)];
        const std::uint32_t function = core.state.x[riscv::argument_register + o.argument] & even;
        constructs_[without_core(core, function)] = o.construct;
    }
    if (watched.code.begins_copy && previous < library_) {
        watched.returns_to = without_core(core, core.return_address());
        watched.called_at = previous;
    }
}

// Instructions that access registers of the DMA unit are the library's. What a core sends is ordered when it first tries the
// store, because the packet can arrive before the core's next instruction.
void RaceDetector::tried(std::uint32_t index, const RiscvCore &core, std::uint64_t cycle) {
    Watched &w = cores_[index];
    const std::uint32_t address = core.state.x[w.code.base] + static_cast<std::uint32_t>(w.code.distance);
    w.address = address_of(core, address);
    if (is_register(w.address) && has_packets_) {
        if (w.code.effect == Effect::load) return;
        release_all(index); // what the packet causes comes after all stores of the core until now
        arrivals_.sent(w.clock);
        return;
    }
    if (w.code.effect == Effect::store && (!w.is_checked || words_.is_line(w.address))) {
        const std::uint32_t value = core.state.x[w.code.operand];
        publish(w, value);
        if (const auto copy = words_.copy_of(w.address, value)) start_copy(index, *copy, cycle);
    } else if (w.code.effect == Effect::store) {
        w.store_releases &= w.instructions - w.fenced_at <= store_release_instructions;
        if (w.store_releases) publish(w, core.state.x[w.code.operand]);
    }
    if (w.code.effect == Effect::atomic) {
        if (w.code.releases) release_all(index); // the core's stores arrive first, as before the end of a fence
        words_.release(w.address, w.released);
        if (!w.tasks.empty()) task_words_.release(w.address, released_of(w));
    }
}

void RaceDetector::done(std::uint32_t index, std::uint64_t cycle) {
    Watched &w = cores_[index];
    switch (w.code.effect) {
    case Effect::load:
        acquire(w, w.address, w.code.size);
        if (w.is_checked) check(index, AccessKind::load, cycle);
        break;
    case Effect::store:
        if (w.is_checked && !w.store_releases) check(index, AccessKind::store, cycle);
        w.store_releases = false;
        break;
    case Effect::atomic:
        acquire(w, w.address, w.code.size);
        if (w.is_checked) check(index, AccessKind::atomic, cycle);
        w.store_releases = false;
        break;
    case Effect::fence: fence(index); break;
    case Effect::sleep: acquire(w, global_address(chip_.core(first_ + index).id(), software_interrupt), 4); break;
    case Effect::unknown:
    case Effect::none: break;
    }
}

// Handles the start of a copy: its loads and stores, which happen after everything that the core did before, and its
// release to its counter. The core itself has the counter, so its later loads of the counter acquire the copy.
void RaceDetector::start_copy(std::uint32_t index, const Copy &copy, std::uint64_t cycle) {
    Watched &w = cores_[index];
    auto copier =
        std::ranges::find_if(copiers_, [&](const Copier &c) { return c.core == index && c.counter == copy.counter; });
    if (copier == copiers_.end()) copier = copiers_.insert(copier, {copy.counter, index, tasks_.new_element(), 1});
    VectorClock before = clock_of(w), released = released_of(w), of_machine = w.released;
    for (VectorClock *clock : {&before, &released, &of_machine}) clock->set(copier->element, copier->period);
    PastAccess access{.cycle = cycle,
                      .pc = w.code.is_library ? w.called_at : w.pc,
                      .period = copier->period,
                      .core = copier->element,
                      .by = index,
                      .is_of_copy = true,
                      .kind = AccessKind::load};
    copier->period++;
    next_period(index); // the core's later accesses do not happen before the copy
    if (w.is_checked) {
        check(access, copy.source, copy.bytes, before);
        access.kind = AccessKind::store;
        check(access, copy.destination, copy.bytes, before);
    }
    if (copy.counter == 0) return;
    words_.copied(copy.counter, of_machine);
    if (!w.tasks.empty()) task_words_.copied(copy.counter, released);
}

// Everything that was released has arrived. So what the core acquires here, its later stores release as well. What a call that
// handles tasks acquires orders no accesses of the task that calls it. Nor does a task's load of its own data, which the runtime
// possibly stored later than the task was made.
void RaceDetector::acquire(Watched &watched, std::uint32_t address, unsigned size) {
    if (has_packets_) acquire_arrivals(watched, address);
    if (words_.acquire(address, size, watched.clock)) words_.acquire(address, size, watched.released);
    if (watched.tasks.empty()) return;
    Task &task = *watched.tasks.back();
    if (!task.calls.empty() && task.calls.back().kind != TaskCall::joins) return;
    if (address >= task.data && address < task.data_end) return;
    if (task_words_.acquire(address, size, task.clock)) task_words_.acquire(address, size, task.released);
}

// Handles a load of what the DMA unit wrote to the cluster's memory, or of a register of the unit.
void RaceDetector::acquire_arrivals(Watched &watched, std::uint32_t address) {
    const VectorClock *clock = is_register(address) ? &arrivals_.sent() : arrivals_.at(address);
    if (clock == nullptr) return;
    watched.clock.join(*clock);
    watched.released.join(*clock);
}

// Handles a store that releases.
void RaceDetector::publish(Watched &watched, std::uint32_t value) {
    words_.store(watched.address, watched.code.size, value, watched.released);
    if (!watched.tasks.empty()) task_words_.store(watched.address, watched.code.size, value, released_of(watched));
}

// Begins the next period of the core, and of the task that it runs.
void RaceDetector::next_period(std::uint32_t index) {
    Watched &w = cores_[index];
    w.clock.advance(index);
    if (w.tasks.empty()) return;
    Task &task = *w.tasks.back();
    task.clock.set(task.element, task.element == index ? w.clock[index] : task.clock[task.element] + 1);
}

void RaceDetector::release_all(std::uint32_t index) {
    Watched &w = cores_[index];
    w.released = w.clock;
    if (!w.tasks.empty()) w.tasks.back()->released = w.tasks.back()->clock;
    next_period(index);
}

void RaceDetector::fence(std::uint32_t index) {
    Watched &w = cores_[index];
    release_all(index);
    w.store_releases = !w.code.is_library;
    w.fenced_at = w.instructions;
}

// -- the program's accesses -------------------------------------------------------------------------------------------

void RaceDetector::check(std::uint32_t index, AccessKind kind, std::uint64_t cycle) {
    Watched &w = cores_[index];
    if (!w.tasks.empty() && w.address >= w.tasks.back()->data && w.address < w.tasks.back()->data_end) return;
    // A core can wait in GOMP_atomic_start while others end their sections.
    if (w.in_section) join_sections(w);
    const std::uint32_t pc = w.code.is_library ? w.called_at : w.pc;
    const VectorClock &clock = clock_of(w);
    const std::uint32_t element = element_of(index);
    check({.cycle = cycle,
           .pc = pc,
           .period = clock[element],
           .core = element,
           .by = index,
           .is_of_thread = is_of_thread(w, chip_.core(first_ + index).id(), w.address),
           .kind = kind},
          w.address, w.code.size, clock);
}

void RaceDetector::join_sections(Watched &watched) {
    watched.clock.join(sections_);
    if (!watched.tasks.empty()) clock_of(watched).join(sections_);
}

// Handles the first instruction of a function of the runtime. `previous` is the address of the jump or call. The runtime makes
// the accesses of an addition or a reduction later, possibly in another core. Here they count as made. A reduction gets the
// addresses of up to three variables in the first registers for arguments, and their kinds, a byte each, in the fifth one
// (src/omp/near_reduction.c). It is ordered with the sections as if it were one.
void RaceDetector::enter_runtime(std::uint32_t index, const RiscvCore &core, std::uint32_t previous,
                                 std::uint64_t cycle) {
    constexpr std::uint32_t doubles = 32, by_swap = 64; // kinds from here on are of 8 bytes, or made by compare-swap
    Watched &w = cores_[index];
    if (w.code.entry == Entry::section_begin) w.in_section = true;
    if (w.code.entry == Entry::section_end) {
        w.in_section = false;
        release_section(index);
    }
    if (w.code.entry == Entry::thread_number && !w.tasks.empty() && previous < library_)
        w.tasks.back()->knows_thread = w.tasks.size() > 1;
    if (w.code.entry != Entry::addition && w.code.entry != Entry::reduction) return;
    const bool is_addition = w.code.entry == Entry::addition;
    std::uint32_t kinds = is_addition ? by_swap : core.state.x[riscv::argument_register + 4];
    const bool is_atomic = (kinds & by_swap) != 0;
    if (!is_atomic) join_sections(w);
    const VectorClock &clock = clock_of(w);
    const std::uint32_t element = element_of(index);
    for (unsigned i = 0; kinds != 0; i++, kinds >>= 8) {
        const std::uint32_t address = address_of(core, core.state.x[riscv::argument_register + i]);
        check({.cycle = cycle,
               .pc = previous,
               .period = clock[element],
               .core = element,
               .by = index,
               .kind = is_atomic ? AccessKind::atomic : AccessKind::store},
              address, is_atomic || (kinds & 0xff) < doubles ? 4 : 8, clock);
    }
    if (!is_atomic) release_section(index);
}

// Orders what the core has done before all later sections and reductions.
void RaceDetector::release_section(std::uint32_t index) {
    Watched &w = cores_[index];
    sections_.join(clock_of(w));
    next_period(index);
}

// Checks an access to a range of bytes, before which everything of `clock` has happened.
void RaceDetector::check(PastAccess access, std::uint32_t address, std::uint32_t size, const VectorClock &clock) {
    const std::uint32_t end = address + size;
    for (std::uint32_t word = address & ~3U; word < end; word += 4) {
        const std::uint32_t first = std::max(word, address) - word, last = std::min(end - word, 4U);
        access.bytes = static_cast<std::uint8_t>((1U << last) - (1U << first));
        history_.add(word, access, clock, [&](const PastAccess &earlier) { found(word, earlier, access); });
    }
}

void RaceDetector::found(std::uint32_t word, const PastAccess &earlier, const PastAccess &later) {
    if (!known_.insert(std::minmax(earlier.pc, later.pc)).second) return;
    const auto both = static_cast<unsigned>(earlier.bytes & later.bytes);
    races_.push_back({.address = word + static_cast<std::uint32_t>(std::countr_zero(both)),
                      .bytes = static_cast<unsigned>(std::popcount(both)),
                      .earlier = earlier,
                      .later = later});
}

} // namespace skerry::sim
