// SPDX-License-Identifier: BSD-3-Clause
// Connects the parts of a chip, and simulates them in one loop over cycles. In each cycle the loop advances only the
// cores that are ready, always in the same order. Therefore the same program takes the same number of cycles on every
// host. While only one core is ready, that core runs on without returning to the loop. The network and the off-chip
// link advance after the cores, and only while they carry an access.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "chip/address_map.hpp"
#include "chip/copy_units.hpp"
#include "chip/ending.hpp"
#include "chip/engines.hpp"
#include "chip/event_units.hpp"
#include "chip/host_calls.hpp"
#include "chip/loader.hpp"
#include "chip/machine.hpp"
#include "chip/mppa_nodes.hpp"
#include "chip/observer.hpp"
#include "chip/poll_watch.hpp"
#include "chip/programs.hpp"
#include "chip/scheduler.hpp"
#include "chip/signals.hpp"
#include "chip/traffic.hpp"
#include "epiphany/epiphany_core.hpp"
#include "host/elf_image.hpp"

namespace skerry::sim {

class Chip final : public EpiphanyPort, private StoreWaiter {
  public:
    explicit Chip(const Machine &machine, std::vector<std::string> arguments = {},
                  std::vector<std::string> environment = {});
    Chip(const Chip &) = delete;
    Chip &operator=(const Chip &) = delete;

    // -- begin and end of a program (loader.hpp describes the first three functions) ----------------------------------
    void place(std::vector<std::uint32_t> members) {
        loader_.place(std::move(members));
    }
    const std::vector<std::uint32_t> &members() const {
        return loader_.members();
    }
    // Returns the number of the PE to which a member belongs.
    std::uint32_t pe_of(std::size_t member) const {
        return loader_.pe_of(member);
    }
    // If the program starts others (starts_programs()), the image must live as long as the chip runs.
    std::string load(const ElfImage &image, std::uint32_t cores, bool may_write_code = false);
    void start(std::uint32_t cores, std::uint32_t entry);
    // Runs the chip until the program ends, deadlocks or is stopped, or until cycle `max_cycles`. A signal handler or
    // another thread can set `*interrupted` to true at any time; the run then ends soon.
    Ending run(std::uint64_t max_cycles = never, const std::atomic<bool> *interrupted = nullptr);
    // Returns the PE that ended the job by an exit code other than 0, or nothing if no PE did.
    std::optional<std::uint32_t> failed_pe() const;
    // Returns the core with which it failed.
    std::uint32_t failed_core() const {
        return exits_.failed();
    }

    // Connects the job to the host program that has started it. The link must live as long as the chip runs.
    void use_link(HostLink &link) {
        host_calls_.use_link(link);
    }
    // Returns true if the job's runtime has written an error message.
    bool job_told() const {
        return host_calls_.job_told();
    }

    // -- output, progress and observers of a run ----------------------------------------------------------------------

    // Begins each line of the program's output with the core's row and column, or with the PE's number if `by_pe`.
    void label_output(bool by_pe = false) {
        host_calls_.label_output(by_pe ? members() : std::vector<std::uint32_t>{},
                                 [this](std::size_t member) { return pe_of(member); });
    }
    // Sets two functions for a line on the terminal that shows the progress. The run calls `show` about every million
    // cycles, to print the line. The run calls `wipe` before it prints output of the program, to remove the line.
    void on_progress(std::function<void()> show, std::function<void()> wipe);
    // Adds an observer (a profile, a trace or a debugger) for all further runs. The observer must live as long as the
    // chip runs.
    void add_observer(Observer &observer) {
        observers_.add(observer);
    }
    // Turns on or off the detection of cores that poll for ever (poll_watch.hpp). With the detection on, the run ends
    // when all cores poll words that no core will ever change. The detection must be off if something outside the chip
    // (a debugger) can change memory.
    void find_polling(bool on) {
        find_polling_ = on;
    }
    // The class HostCalls (host_calls.hpp) describes the next three functions.
    void changed_by_debugger() {
        host_calls_.changed_by_debugger();
    }
    void allow_files_to_debugger() {
        host_calls_.allow_files_to_debugger();
    }
    void flush() {
        host_calls_.flush();
    }

    // -- access to the parts of the chip ------------------------------------------------------------------------------
    const Machine &machine() const {
        return map_.machine();
    }
    std::uint64_t now() const {
        return now_;
    }
    std::uint64_t instructions() const;
    std::uint32_t core_count() const {
        return map_.core_count();
    }
    const Core &core(std::uint32_t index) const {
        return map_.core(index);
    }
    Core &core(std::uint32_t index) {
        return map_.core(index);
    }
    const Dma &dma(std::uint32_t index) const {
        return engines_.dma(index);
    }
    // Returns the number of bytes that a core's copy unit has copied.
    std::uint64_t copied_bytes(std::uint32_t index) const {
        return copy_units_.bytes(index);
    }
    AddressMap &map() {
        return map_;
    }
    bool read(const Core &by, std::uint32_t address, std::span<std::uint8_t> to) {
        return map_.read(by, address, to);
    }
    bool write(const Core &by, std::uint32_t address, std::span<const std::uint8_t> from) {
        return map_.write(by, address, from);
    }
    Traffic &traffic() {
        return traffic_;
    }
    const Network &network() const {
        return traffic_.network();
    }
    const Link &link() const {
        return traffic_.link();
    }
    const MppaNodes &nodes() const {
        return nodes_;
    }
    MppaNodes &nodes() {
        return nodes_;
    }
    // Returns the image of the program that runs on a core (programs.hpp).
    const ElfImage &image_of(const Core &core, const ElfImage &first) const {
        return programs_.image_of(core, first);
    }
    // Returns the PE of a core and its program, in words (programs.hpp).
    std::string owner_of(std::uint32_t index) const {
        return programs_.owner_of(index);
    }
    // Returns the index of the first core of PE 0 if the job's first program starts those of the other PEs.
    std::optional<std::uint32_t> core_of_first_program() const {
        return programs_.core_of_first();
    }
    // Returns true if the loaded program starts the programs of the other PEs.
    bool can_start_programs() const {
        return programs_.are_possible();
    }
    const std::vector<StartedProgram> &started_programs() const {
        return programs_.started();
    }
    const PollWatch &poll_watch() const {
        return poll_watch_;
    }

    // -- requests that cores make -------------------------------------------------------------------------------------
    Place locate(std::uint32_t address) override;
    std::uint64_t trap(Core &core, unsigned number) override;
    bool fence(Core &core, bool messages) override;
    void wand(Core &core) override;
    void sync(Core &core) override;
    void multicore_breakpoint(Core &core) override;
    Access read_device(Core &core, SpecialRegister which, std::uint32_t &value) override;
    Access write_device(Core &core, SpecialRegister which, std::uint32_t value) override;
    void pause_dma(Core &core, bool paused) override;
    void stopped(Core &core) override;

  private:
    // Returns true if memory stays as it is until a core executes an instruction that writes. No write is then under
    // way, no DMA channel and no copy unit is busy, and no WAND signal (the barrier of all cores) is due.
    bool settled() const;
    void step_cores(std::uint64_t cycle, std::uint64_t limit);
    std::uint32_t step_observed(std::uint64_t cycle, std::uint64_t limit);
    std::uint32_t ask_observers(std::uint64_t cycle);
    // Returns the next cycle in which a part of the chip other than a core acts, or `never`.
    std::uint64_t outside_at() const {
        return std::min({signals_.wand_at(), engines_.next_at(), copy_units_.next_at(), event_units_.next_at(),
                         nodes_.next_at(), traffic_.next_at()});
    }
    void serve_trap(std::uint32_t index, std::uint64_t cycle);
    void stores_arrived(std::uint32_t core, std::uint64_t cycle) override;

    AddressMap map_;
    Observers observers_;
    Scheduler scheduler_;
    Signals signals_;
    Traffic traffic_;
    Engines engines_;
    CopyUnits copy_units_;
    EventUnits event_units_;
    MppaNodes nodes_;
    Exits exits_;
    HostCalls host_calls_;
    Loader loader_;
    Programs programs_;
    PollWatch poll_watch_;
    std::vector<std::array<std::uint32_t, 192>> devices_; // by core: special registers 64 to 255, except the DMA's
    std::uint64_t now_ = 0;
    std::uint64_t look_up_ = 0; // cycle in which run() checks next if the user has interrupted the run
    bool find_polling_ = true;
    std::function<void()> show_progress_;
};

} // namespace skerry::sim
