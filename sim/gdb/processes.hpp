// SPDX-License-Identifier: BSD-3-Clause
// Divides the cores into processes for gdb. If the job's first program starts others, each PE is a process: its cores share a
// memory, and its program has its own symbols, at the same addresses as those of other PEs. In all other runs the cores are one
// process, and gdb need not know its number.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "chip/chip.hpp"

namespace skerry::sim::gdb {

// A set of cores that gdb names.
struct Threads {
    std::optional<std::uint32_t> process; // nothing: any process
    std::optional<std::uint32_t> core;    // index; nothing: any core of the process
};

class Processes final : public Observer {
  public:
    // `first` is the path of the first program.
    Processes(Chip &chip, const std::string &first);

    // True if PEs run different programs.
    bool are_several() const {
        return chip_.can_start_programs();
    }
    // Turns on or off the use of processes. gdb can only use them if it says so.
    void use(bool on) {
        used_ = on && are_several();
    }
    bool are_used() const {
        return used_;
    }
    // Returns the number of the process to which a core belongs: the number of its PE plus 1.
    std::uint32_t of_core(std::uint32_t index) const {
        return processes_[index];
    }
    const std::vector<std::uint32_t> &of_cores() const {
        return processes_;
    }
    // Returns the path of the program's file.
    std::string path(std::uint32_t process) const;

    // Returns the name of a core as gdb's thread, and reads such a name. A number of -1 or 0 means any thread or process.
    std::string name(std::uint32_t index) const;
    std::optional<Threads> read(std::string_view text) const;
    // Returns the place of a core, for users.
    std::string place(std::uint32_t index) const;
    // Returns the text behind a stop that is about a whole process.
    std::string suffix(std::uint32_t process) const;

    // A process has ended, or gdb has detached from it.
    void end(std::uint32_t process) {
        ended_.insert(process);
    }
    bool has_ended(std::uint32_t process) const {
        return ended_.contains(process);
    }

    // Makes each start of a program end the run. The program has then not executed an instruction.
    void stop_at_starts(bool on) {
        stops_ = on;
        starts_.clear();
    }
    // Returns the index of the first core of the next program that has started since the last call, or nothing.
    std::optional<std::uint32_t> next_start();

    bool before(std::uint32_t, Core &, std::uint64_t) override {
        return starts_.empty();
    }
    void program_starts(std::uint32_t index, Core &core, std::uint64_t cycle, const StartedProgram &program) override;
    void sent(std::uint64_t, std::uint32_t, const Transaction &) override {
    }
    void landed(std::uint64_t, std::uint32_t, const Transaction &) override {
    }

  private:
    Chip &chip_;
    bool used_ = false;
    bool stops_ = false;
    std::vector<std::uint32_t> processes_; // by core
    std::vector<std::string> paths_;       // by process
    std::set<std::uint32_t> ended_;
    std::deque<std::uint32_t> starts_; // first cores of the programs that have started
};

} // namespace skerry::sim::gdb
