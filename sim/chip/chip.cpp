// SPDX-License-Identifier: BSD-3-Clause
// Runs the loop over the cores, loads and starts programs, and handles the requests of cores to the chip: traps, WAND,
// SYNC, breakpoints, registers of devices.
#include "chip/chip.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "host/job.hpp"

namespace skerry::sim {
namespace {

constexpr std::uint64_t look_up_every = 1 << 20; // cycles between two checks of `*interrupted`

// Gives the host's services (class Semihost) access to the chip's memory. An address means the memory that one core,
// the core of the constructor, accesses at this address.
class CoreView final : public TargetMemory {
  public:
    CoreView(Chip &chip, const Core &core) : chip_(chip), core_(core) {
    }
    bool read(std::uint32_t address, std::span<std::uint8_t> to) override {
        return chip_.read(core_, address, to);
    }
    bool write(std::uint32_t address, std::span<const std::uint8_t> from) override {
        return chip_.write(core_, address, from);
    }

  private:
    Chip &chip_;
    const Core &core_;
};

} // namespace

Chip::Chip(const Machine &machine, std::vector<std::string> arguments, std::vector<std::string> environment)
    : machine_(machine), ready_(machine.cores(), never), devices_(machine.cores()), arguments_(arguments),
      environment_(std::move(environment)), semihost_(machine.cores(), std::move(arguments)),
      statuses_(machine.cores()), exit_(*this), reply_ports_(machine.cores()), network_(machine.network(), exit_),
      link_(machine.link, network_, machine.network_part.default_exit, *this), order_(machine.cores()),
      turns_(machine.cores()), posted_(machine.cores()), late_trap_(machine.cores()) {
    nodes_.reserve(machine.cores());
    for (std::uint32_t k = 0; k < machine.cores(); k++) {
        cores_.push_back(std::make_unique<Core>(machine.core_id(k), machine.local_memory, *this));
        engines_.push_back(std::make_unique<Engine>(*this, k));
        reply_ports_[k] = engines_.back().get();
        nodes_.emplace_back(*this, k);
        if (machine.is_absent(k)) continue;
        network_.attach(k, nodes_.back());
        present_.push_back(k);
    }
    members_ = present_;
    network_.attach_link(machine.network_part.default_exit, exit_);
    for (const Window &w : machine.external) external_.push_back({w.base, std::make_unique<Memory>(w.size)});
}

// ---- places ----

std::uint32_t Chip::place_for_core(std::uint32_t address) const {
    const std::uint32_t row = (address >> 26) - machine_.first_row;
    const std::uint32_t column = (address >> 20 & 63) - machine_.first_column;
    return row < machine_.rows && column < machine_.columns ? row * machine_.columns + column : none;
}

std::uint32_t Chip::index_of(std::uint32_t address) const {
    const std::uint32_t index = place_for_core(address);
    if (present_.size() == cores_.size()) return index;
    return std::ranges::binary_search(present_, index) ? index : none;
}

std::uint32_t Chip::index_of(const Core &core) const {
    return index_of(core.state.core_id << 20);
}

Place Chip::locate(std::uint32_t address) {
    const std::uint32_t index = index_of(address);
    if (index != none) {
        const std::uint32_t offset = address & (core_space - 1);
        return cores_[index]->memory.holds(offset, 2) ? Place{&cores_[index]->memory, offset} : Place{};
    }
    if (place_for_core(address) != none) return {}; // the core of this place is absent
    for (const External &e : external_) {
        if (address - e.base < e.memory->size()) return {e.memory.get(), address - e.base};
    }
    return {};
}

// Returns the memory that contains the whole range of bytes, as core `by` addresses it. Returns a Place without memory
// if no memory contains the whole range.
Place Chip::place_of(const Core &by, std::uint32_t address, std::size_t bytes) {
    const Place place = locate(global_address(by.state, address));
    const bool whole = place.memory != nullptr && bytes <= place.memory->size() &&
                       place.memory->holds(place.offset, static_cast<std::uint32_t>(bytes));
    return whole ? place : Place{};
}

bool Chip::read(const Core &by, std::uint32_t address, std::span<std::uint8_t> to) {
    const Place place = place_of(by, address, to.size());
    if (place.memory != nullptr) place.memory->read_bytes(place.offset, to);
    return place.memory != nullptr || to.empty();
}

bool Chip::write(const Core &by, std::uint32_t address, std::span<const std::uint8_t> from) {
    const Place place = place_of(by, address, from.size());
    if (place.memory == nullptr) return from.empty();
    if (place.memory->is_protected(place.offset, static_cast<std::uint32_t>(from.size()))) return false;
    place.memory->write_bytes(place.offset, from);
    return true;
}

bool Chip::is_protected(const Core &by, std::uint32_t address, std::uint32_t bytes) {
    const Place place = place_of(by, address, bytes);
    return place.memory != nullptr && place.memory->is_protected(place.offset, bytes);
}

// ---- starting ----

// Compares this chip with the machine for which the image was linked. Absolute symbols of the image describe that
// machine (oshcc --machine defines them). Returns an empty string if the image fits, or else the reason why it does
// not fit.
std::string Chip::misfit(const ElfImage &image, std::uint32_t cores) const {
    const auto told = [&](std::string_view name, std::uint32_t otherwise) {
        const Symbol *symbol = image.find(name);
        return symbol != nullptr && symbol->absolute ? symbol->address : otherwise;
    };
    if (const std::uint32_t most = told("__skerry_pes_max", cores); most < cores) {
        return fmt::format("it was linked for a machine of {} cores, not for {} of {}", most, cores, machine_.name);
    }
    if (const std::uint32_t bytes = told("__skerry_local_bytes", 0); bytes > machine_.local_memory) {
        return fmt::format("it was linked for cores with {} KB of memory, {} has {}", bytes / 1024, machine_.name,
                           machine_.local_memory / 1024);
    }
    return {};
}

std::string Chip::load(const ElfImage &image, std::uint32_t cores, bool may_write_code) {
    if (std::string error = misfit(image, cores); !error.empty()) return error;
    for (const Segment &s : image.segments) {
        const std::uint32_t copies = s.address < core_space ? cores : 1;
        for (std::uint32_t k = 0; k < copies; k++) {
            const Place place = place_of(*cores_[members_[k]], s.address, s.size);
            if (place.memory == nullptr) {
                return fmt::format("{:#x} bytes at {:#010x} are not memory of {}", s.size, s.address, machine_.name);
            }
            std::vector<std::uint8_t> bytes = s.bytes;
            bytes.resize(s.size);
            place.memory->write_bytes(place.offset, bytes);
        }
    }
    if (std::string error = tell_job(image, cores); !error.empty()) return error;
    is_job_ = image.find("_skerry_job") != nullptr;
    if (!environment_.empty() && !is_job_) {
        for (const std::uint32_t k : std::span(members_).first(cores)) {
            CoreView seen(*this, *cores_[k]);
            if (std::string error = place_environment(image, environment_, seen); !error.empty()) return error;
        }
    }
    if (!may_write_code) protect(image, cores);
    if (const Symbol *least = image.find("__stack_limit")) {
        for (const std::uint32_t k : std::span(members_).first(cores)) cores_[k]->limit_stack(least->address);
    }
    return {};
}

std::string Chip::tell_job(const ElfImage &image, std::uint32_t cores) {
    Job job;
    for (std::uint32_t k = 0; k < cores; k++) job.cores.push_back(machine_.core_id(members_[k]));
    job.cycles_per_second = machine_.megahertz * 1'000'000;
    job.arguments = arguments_;
    job.environment = environment_;
    if (!machine_.external.empty()) { // jobs allocate from the last window; the others are for newlib's programs
        job.external_begin = machine_.external.back().base;
        job.external_end = job.external_begin + machine_.external.back().size;
    }
    return describe_job(image, job,
                        [this](std::uint32_t k, std::uint32_t address, std::span<const std::uint8_t> bytes) {
                            return write(*cores_[members_[k]], address, bytes);
                        });
}

// Write-protects the image's code. A program that is linked with newlib can set the interrupt vectors at run time, so
// the vectors stay writable for such a program. In an image of Skerry the linker sets the vectors, so a store to them
// is a mistake, most likely a store through a null pointer.
void Chip::protect(const ElfImage &image, std::uint32_t cores) {
    const std::uint32_t first = image.find("_skerry_job") != nullptr ? 0 : vectors_end;
    for (const Range &code : image.code) {
        const std::uint32_t begin = std::max(code.address, first);
        if (begin >= code.address + code.size) continue;
        const std::uint32_t size = code.address + code.size - begin;
        for (std::uint32_t k = 0; k < (begin < core_space ? cores : 1); k++) {
            const Place place = place_of(*cores_[members_[k]], begin, size);
            if (place.memory != nullptr) place.memory->protect(place.offset, size);
        }
    }
}

void Chip::start(std::uint32_t cores, std::uint32_t entry) {
    started_ = cores;
    for (const std::uint32_t k : std::span(members_).first(cores)) {
        cores_[k]->start(entry, now_);
        ready_[k] = cores_[k]->ready_at;
    }
}

void Chip::label_output(bool by_pe) {
    std::vector<std::string> labels;
    for (const auto &core : cores_) {
        labels.push_back(fmt::format("({},{}) ", core->state.core_id >> 6, core->state.core_id & 63));
    }
    for (std::uint32_t pe = 0; by_pe && pe < members_.size(); pe++) labels[members_[pe]] = fmt::format("[{}] ", pe);
    semihost_.output().label(std::move(labels));
}

void Chip::on_progress(std::function<void()> show, std::function<void()> wipe) {
    show_progress_ = std::move(show);
    semihost_.output().before(std::move(wipe));
}

std::uint64_t Chip::instructions() const {
    std::uint64_t sum = 0;
    for (const auto &core : cores_) sum += core->counters.instructions();
    return sum;
}

// ---- the loop ----

std::optional<std::uint32_t> Chip::failed_pe() const {
    if (failed_ == none) return std::nullopt;
    return static_cast<std::uint32_t>(std::ranges::find(members_, failed_) - members_.begin());
}

std::optional<Ending> Chip::over() const {
    if (broken_ != none) return Ending{EndKind::stopped, 1, broken_};
    if (semihost_.job_status()) return Ending{EndKind::exited, *semihost_.job_status(), 0};
    if (failed_ != none) return Ending{EndKind::exited, statuses_[failed_], failed_};
    if (exited_ < started_) return std::nullopt;
    const auto first = std::ranges::find_if(statuses_, [](int status) { return status != 0; });
    return Ending{EndKind::exited, first == statuses_.end() ? 0 : *first, 0};
}

Ending Chip::run(std::uint64_t max_cycles, const std::atomic<bool> *interrupted) {
    look_up_ = now_;
    broken_ = none; // the previous call of run() has reported the stopped core; the other cores can continue
    for (;;) {
        if (const auto ending = over()) return *ending;
        find_ready();
        const std::uint64_t cycle = std::min({first_ready_, wand_at_, dma_at_, outside_at()});
        if (cycle == never) return {EndKind::deadlock, 1, 0};
        if (cycle >= max_cycles) {
            now_ = max_cycles;
            return {EndKind::max_cycles, 1, 0};
        }
        now_ = cycle;
        if (now_ >= look_up_) {
            if (interrupted != nullptr && interrupted->load(std::memory_order_relaxed)) {
                return {EndKind::interrupted, 1, 0};
            }
            if (show_progress_) show_progress_();
            look_up_ = now_ + look_up_every;
            if (find_polling_ && now_ >= poll_watch_.next_at() && !poll_watch_.on()) poll_watch_.begin(now_);
        }
        if (wand_at_ == cycle) {
            deliver_wand();
            continue;
        }
        if (first_ready_ == cycle) {
            const std::uint64_t limit = poll_watch_.on() ? cycle + 1 : std::min(max_cycles, look_up_);
            if (observers_.empty()) step_cores(cycle, limit);
            else if (const std::uint32_t stop = step_observed(cycle, limit); stop != none) {
                return {EndKind::observer, 0, stop};
            }
        }
        if (dma_at_ == cycle) step_dma(cycle);
        if (outside_at() == cycle) step_outside(cycle);
        if (poll_watch_.on() && poll_watch_.look(cycle)) return {EndKind::polling, 1, 0};
    }
}

bool Chip::settled() const {
    const auto no_dma = std::ranges::none_of(engines_, [](const auto &engine) { return engine->dma.busy(); });
    return no_dma && wand_at_ == never && !link_.holds_write() && !network_.holds_write();
}

void Chip::find_ready() {
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

// Calls all observers for all cores that are ready in this cycle, even if one observer asks to end the run. Returns the
// index of the first core at which an observer asked this, or `none`.
std::uint32_t Chip::look(std::uint64_t cycle) {
    std::uint32_t stop = none;
    const auto ask = [&](std::uint32_t k) {
        for (Observer *o : observers_) {
            if (!o->before(k, *cores_[k], cycle) && stop == none) stop = k;
        }
    };
    if (second_ready_ > cycle) ask(first_);
    else {
        for (std::uint32_t k = 0; k < ready_.size(); k++) {
            if (ready_[k] == cycle) ask(k);
        }
    }
    return stop;
}

// Calls the observers, then advances each ready core by one cycle. If only one core is ready, repeats this until another
// part of the chip has something to do. Returns the index of a core at which an observer ended the run, or `none`.
std::uint32_t Chip::step_observed(std::uint64_t cycle, std::uint64_t limit) {
    for (;;) {
        if (const std::uint32_t stop = look(cycle); stop != none) return stop;
        const bool alone = second_ready_ > cycle;
        step_cores(cycle, cycle + 1);
        if (!alone) return none;
        cycle = ready_[first_];
        if (cycle >= std::min({limit, look_up_, second_ready_, wand_at_, dma_at_, outside_at()})) return none;
        now_ = cycle;
    }
}

// Advances all ready cores by one cycle. If only one core is ready, runs this core until the next cycle in which
// another part of the chip acts.
void Chip::step_cores(std::uint64_t cycle, std::uint64_t limit) {
    if (second_ready_ > cycle) {
        running_ = first_;
        cores_[first_]->run(cycle, std::min({limit, second_ready_, wand_at_, dma_at_, outside_at()}));
        ready_[first_] = cores_[first_]->ready_at;
        now_ = std::max(now_, cores_[first_]->now());
        running_ = none;
        return;
    }
    for (std::uint32_t k = 0; k < ready_.size(); k++) {
        if (ready_[k] != cycle) continue;
        running_ = k;
        cores_[k]->run(cycle, cycle + 1);
        ready_[k] = cores_[k]->ready_at;
    }
    running_ = none;
}

void Chip::step_outside(std::uint64_t cycle) {
    if (link_.next_at() <= cycle) link_.step(cycle);
    network_.step(cycle);
    give_room(cycle + 1);
    network_at_ = network_.idle() && want_room_.empty() ? never : cycle + 1;
}

// Updates the loop's copy of a core's ready_at after an event from outside that core. If another core is running, makes
// that running core return to the loop.
void Chip::changed(std::uint32_t index) {
    ready_[index] = cores_[index]->ready_at;
    if (index != first_) second_ready_ = std::min(second_ready_, ready_[index]);
    if (running_ != none && running_ != index) cores_[running_]->yield();
}

// ---- what cores ask ----

// Executes a trap. The host possibly reads memory that the core has just written, so the trap waits until all stores of
// the core have arrived.
std::uint64_t Chip::trap(Core &core, unsigned number) {
    const std::uint32_t index = index_of(core);
    late_trap_[index] = number;
    if (posted_[index] != 0) return 0;
    serve_trap(index, core.ready_at - 1); // ready_at - 1 is the current cycle
    return 1;                             // the trap takes only the one cycle of its instruction
}

void Chip::serve_trap(std::uint32_t index, std::uint64_t cycle) {
    Core &core = *cores_[index];
    CoreView seen(*this, core);
    const unsigned number = *std::exchange(late_trap_[index], std::nullopt);
    if (const auto status = semihost_.trap(core.state, number, seen, index, cycle / machine_.megahertz)) {
        statuses_[index] = *status;
        if (is_job_ && *status != 0 && failed_ == none) failed_ = index;
        core.halt({StopKind::exited, static_cast<std::uint32_t>(*status), 0, false});
    }
    if (semihost_.interrupted()) { // a signal ended a read: end the run, or the program takes this for the end of input
        look_up_ = 0;
        core.yield();
    }
}

// Schedules the WAND interrupt if every running core has now executed WAND. The signal travels across the chip to one
// corner and back: one cycle for each row and each column. In this time the last core can also issue the IDLE
// instruction that follows its WAND.
void Chip::wand(Core &core) {
    const auto waits = [](const auto &c) { return !c->active() || flag(c->state, status::wand); };
    if (!std::ranges::all_of(cores_, waits)) return;
    wand_at_ = core.ready_at - 1 + machine_.rows + machine_.columns;
    cores_[running_]->yield();
}

void Chip::deliver_wand() {
    const std::uint64_t now = std::exchange(wand_at_, never);
    for (std::uint32_t k = 0; k < cores_.size(); k++) {
        if (!cores_[k]->active()) continue;
        cores_[k]->state.status &= ~status::wand;
        cores_[k]->latch_interrupt(Interrupt::wand, now - 1);
        changed(k);
    }
}

void Chip::sync(Core &core) {
    for (const std::uint32_t k : present_) {
        cores_[k]->latch_interrupt(Interrupt::sync, core.ready_at - 1);
        if (cores_[k].get() != &core) changed(k);
    }
}

// Stops every running core at its next instruction. Stops the calling core first, because the report at the end of the
// run describes the core that stopped first.
void Chip::multicore_breakpoint(Core &core) {
    const Stop stop{StopKind::breakpoint, core.state.pc, 2, true};
    core.halt(stop);
    for (const std::uint32_t k : present_) {
        if (!cores_[k]->active()) continue;
        cores_[k]->halt(stop);
        changed(k);
    }
}

Access Chip::read_device(Core &core, SpecialRegister which, std::uint32_t &value) {
    if (Dma::has(which)) {
        value = engines_[index_of(core)]->dma.read_register(which);
        return Access::done;
    }
    value = devices_[index_of(core)][static_cast<unsigned>(which) - 64];
    return Access::done;
}

Access Chip::write_device(Core &core, SpecialRegister which, std::uint32_t value) {
    const std::uint32_t index = index_of(core);
    if (Dma::has(which)) {
        const Access access = engines_[index]->dma.write_register(which, value, core.now());
        dma_changed(index);
        return access;
    }
    devices_[index][static_cast<unsigned>(which) - 64] = value;
    if (which == SpecialRegister::mesh_multicast) network_.set_group(index, static_cast<std::uint16_t>(value & 0xfff));
    return Access::done;
}

void Chip::pause_dma(Core &core, bool paused) {
    const std::uint32_t index = index_of(core);
    engines_[index]->dma.pause(paused, core.now());
    dma_changed(index);
}

void Chip::stopped(Core &core) {
    if (core.stop.kind == StopKind::exited) exited_++;
    else if (broken_ == none) broken_ = index_of(core);
    if (running_ != none) cores_[running_]->yield();
}

} // namespace skerry::sim
