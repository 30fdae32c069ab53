// SPDX-License-Identifier: BSD-3-Clause
// Runs the loop that advances the parts of the chip. Forwards the requests of cores (such as a trap, which calls the
// host) to the part of the simulator that handles them.
#include "chip/chip.hpp"

#include <algorithm>

#include "chip/core_kinds.hpp"

namespace skerry::sim {
namespace {

constexpr std::uint64_t look_up_every = 1 << 20; // cycles between two checks if the user has interrupted the run

} // namespace

Chip::Chip(const Machine &machine, std::vector<std::string> arguments, std::vector<std::string> environment)
    : map_(machine), signals_(map_, scheduler_), traffic_(map_, scheduler_, observers_, *this),
      engines_(map_, scheduler_, traffic_, observers_), copy_units_(map_, scheduler_, traffic_),
      event_units_(map_, scheduler_, traffic_, copy_units_), nodes_(map_, scheduler_, observers_),
      exits_(machine.cores()), host_calls_(map_, exits_, arguments),
      loader_(map_, std::move(arguments), std::move(environment)), programs_(map_, scheduler_, loader_, observers_),
      poll_watch_(
          map_, [this] { return settled(); }, [this] { return nodes_.steps(); }),
      devices_(machine.cores()) {
    set_kind(scheduler_, machine);
    for (std::uint32_t k = 0; k < machine.cores(); k++) {
        Core &core = map_.add_core(make_core(machine, k, traffic_, *this));
        scheduler_.add(core);
        engines_.add(core);
        event_units_.add(core);
        nodes_.add(core);
    }
}

std::string Chip::load(const ElfImage &image, std::uint32_t cores, bool may_write_code) {
    exits_.end_all_with_one(is_job(image));
    if (starts_programs(image)) {
        programs_.begin(image);
        host_calls_.start_programs_by([this](const HostWords &words, TargetMemory &memory, std::uint64_t cycle) {
            return programs_.serve(words, memory, cycle);
        });
    }
    return loader_.load(image, cores, may_write_code);
}

void Chip::start(std::uint32_t cores, std::uint32_t entry) {
    exits_.start(cores);
    for (const std::uint32_t k : std::span(members()).first(cores)) {
        map_.core(k).start(entry, now_);
        scheduler_.changed(k);
    }
}

void Chip::on_progress(std::function<void()> show, std::function<void()> wipe) {
    show_progress_ = std::move(show);
    host_calls_.before_output(std::move(wipe));
}

std::uint64_t Chip::instructions() const {
    std::uint64_t sum = 0;
    for (std::uint32_t k = 0; k < core_count(); k++) sum += core(k).counters.instructions();
    return sum;
}

std::optional<std::uint32_t> Chip::failed_pe() const {
    if (exits_.failed() == no_core) return std::nullopt;
    return pe_of(static_cast<std::size_t>(std::ranges::find(members(), exits_.failed()) - members().begin()));
}

bool Chip::settled() const {
    return !engines_.busy() && !copy_units_.busy() && !event_units_.busy() && !nodes_.busy() &&
           signals_.wand_at() == never && !traffic_.holds_write();
}

// -- the loop over cycles ---------------------------------------------------------------------------------------------

Ending Chip::run(std::uint64_t max_cycles, const std::atomic<bool> *interrupted) {
    look_up_ = now_;
    exits_.resume(); // the previous call of run() has reported the stopped core; the other cores can continue
    for (;;) {
        if (const auto ending = exits_.over(host_calls_.job_status())) return *ending;
        scheduler_.find_ready();
        const std::uint64_t cycle = std::min(scheduler_.first_at(), outside_at());
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
            nodes_.find_deadlock();
            if (!nodes_.failure().empty()) return {EndKind::nodes, 1, 0};
            look_up_ = now_ + look_up_every;
            if (find_polling_ && now_ >= poll_watch_.next_at() && !poll_watch_.on()) poll_watch_.begin(now_);
        }
        if (signals_.wand_at() == cycle) {
            signals_.deliver_wand();
            continue;
        }
        if (scheduler_.first_at() == cycle) {
            const std::uint64_t limit = poll_watch_.on() ? cycle + 1 : std::min(max_cycles, look_up_);
            if (observers_.empty()) step_cores(cycle, limit);
            else if (const std::uint32_t stop = step_observed(cycle, limit); stop != no_core) {
                return {EndKind::observer, 0, stop};
            }
        }
        if (engines_.next_at() == cycle) engines_.step(cycle);
        if (copy_units_.next_at() == cycle) copy_units_.step(cycle);
        if (event_units_.next_at() == cycle) event_units_.step(cycle);
        if (nodes_.next_at() == cycle) {
            nodes_.step(cycle);
            if (!nodes_.failure().empty()) return {EndKind::nodes, 1, 0};
        }
        if (traffic_.next_at() == cycle) traffic_.step(cycle);
        if (poll_watch_.on() && poll_watch_.look(cycle)) return {EndKind::polling, 1, 0};
    }
}

// Advances all ready cores by one cycle. If only one core is ready, runs this core until another part of the chip acts.
void Chip::step_cores(std::uint64_t cycle, std::uint64_t limit) {
    if (scheduler_.alone(cycle)) now_ = std::max(now_, scheduler_.run_alone(cycle, std::min(limit, outside_at())));
    else scheduler_.step(cycle);
}

// Calls every observer (a profile, a trace or a debugger) for every core that is ready in this cycle. Returns the index
// of the first core for which an observer asked to end the run, or no_core. Calls the remaining observers even after
// such a request.
std::uint32_t Chip::ask_observers(std::uint64_t cycle) {
    std::uint32_t stop = no_core;
    scheduler_.for_each_ready(cycle, [&](std::uint32_t k, Core &core) {
        if (!observers_.before(k, core, cycle) && stop == no_core) stop = k;
    });
    return stop;
}

// Calls the observers, then advances each ready core by one cycle. If only one core is ready, repeats this until
// another core or another part of the chip has something to do. Returns the index of the core at which an observer
// ended the run, or no_core.
std::uint32_t Chip::step_observed(std::uint64_t cycle, std::uint64_t limit) {
    for (;;) {
        if (const std::uint32_t stop = ask_observers(cycle); stop != no_core) return stop;
        const bool alone = scheduler_.alone(cycle);
        step_cores(cycle, cycle + 1);
        if (!alone) return no_core;
        cycle = scheduler_.alone_at();
        if (cycle >= std::min({limit, look_up_, scheduler_.others_at(), outside_at()})) return no_core;
        now_ = cycle;
    }
}

// -- requests that cores make -----------------------------------------------------------------------------------------

Place Chip::locate(std::uint32_t address) {
    return map_.locate(address);
}

// Handles a TRAP instruction of a core, by which the program requests a service of the host. The host possibly reads
// memory that the core has just written. Therefore the trap must wait until all stores of the core have arrived.
// Returns the number of cycles that the trap takes. Returns 0 if the trap must wait; stores_arrived() then executes it
// later.
std::uint64_t Chip::trap(Core &core, unsigned number) {
    const std::uint32_t index = map_.index_of(core);
    host_calls_.request(index, number);
    if (traffic_.await_stores(index, true)) return 0;
    serve_trap(index, core.ready_at - 1); // ready_at - 1 is the current cycle
    return 1;                             // the trap takes only the one cycle of its instruction
}

void Chip::stores_arrived(std::uint32_t core, std::uint64_t cycle) {
    if (map_.core(core).waiting() == Waiting::host) serve_trap(core, cycle);
    map_.core(core).end_wait(cycle + 1);
    scheduler_.changed(core);
}

void Chip::serve_trap(std::uint32_t index, std::uint64_t cycle) {
    if (host_calls_.serve(index, cycle)) return;
    look_up_ = 0; // a signal ended a read: the loop checks now if it must end the run
    map_.core(index).yield();
}

bool Chip::fence(Core &core, bool messages) {
    return traffic_.await_stores(map_.index_of(core), messages);
}

void Chip::wand(Core &core) {
    signals_.wand(core);
}

void Chip::sync(Core &core) {
    signals_.sync(core);
}

void Chip::multicore_breakpoint(Core &core) {
    signals_.multicore_breakpoint(core);
}

Access Chip::read_device(Core &core, SpecialRegister which, std::uint32_t &value) {
    const std::uint32_t index = map_.index_of(core);
    value =
        Dma::has(which) ? engines_.dma(index).read_register(which) : devices_[index][static_cast<unsigned>(which) - 64];
    return Access::done;
}

Access Chip::write_device(Core &core, SpecialRegister which, std::uint32_t value) {
    const std::uint32_t index = map_.index_of(core);
    if (Dma::has(which)) return engines_.write_register(index, which, value, core.now());
    devices_[index][static_cast<unsigned>(which) - 64] = value;
    if (which == SpecialRegister::mesh_multicast) traffic_.set_group(index, static_cast<std::uint16_t>(value & 0xfff));
    return Access::done;
}

void Chip::pause_dma(Core &core, bool paused) {
    engines_.pause(map_.index_of(core), paused, core.now());
}

void Chip::stopped(Core &core) {
    exits_.stopped(map_.index_of(core), core.stop);
    scheduler_.yield();
}

} // namespace skerry::sim
