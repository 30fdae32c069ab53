// SPDX-License-Identifier: BSD-3-Clause
// Executes on the host the services that cores request by trap instructions: output, files, and the end of a program.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chip/address_map.hpp"
#include "chip/ending.hpp"
#include "host/host_link.hpp"
#include "host/semihost.hpp"

namespace skerry::sim {

class HostCalls {
  public:
    HostCalls(AddressMap &map, Exits &exits, std::vector<std::string> arguments)
        : map_(map), exits_(exits), semihost_(map.machine().cores(), std::move(arguments)),
          requested_(map.machine().cores()) {
    }

    // Stores the trap (request to the host) of a core. A later call of serve() executes it.
    void request(std::uint32_t index, unsigned number) {
        requested_[index] = number;
    }
    // Executes the trap (a request to the host) that a core has made. Must be called after all stores of the core have
    // arrived: the host possibly reads memory that the core has just written. Returns false if a signal to the
    // simulator interrupted the trap. The caller must then end the run: the program would mistake the interrupted read
    // for the end of its input.
    bool serve(std::uint32_t index, std::uint64_t cycle);
    std::optional<int> job_status() const {
        return semihost_.job_status();
    }

    // Sets the function that executes the requests to start programs (programs.hpp). The function gets the request's words,
    // the memory of the core, and the cycle. It returns 0 or an error number.
    using Starter = std::function<std::uint32_t(const HostWords &, TargetMemory &, std::uint64_t)>;
    void start_programs_by(Starter starter) {
        starter_ = std::move(starter);
    }

    // Sets the link to the host program, which must live as long as the chip runs.
    void use_link(HostLink &link) {
        link_ = link.exists() ? &link : nullptr;
    }
    // Returns true if the job's runtime has written an error message.
    bool job_told() const {
        return semihost_.job_told();
    }

    // Prints the lines of output that cores have begun and not yet ended.
    void flush() {
        semihost_.flush();
    }
    // Begins each line of output with a label. The label is the core's row and column, or the PE's number if `members`
    // is not empty. `pe_of` returns the PE of a member, from its place in `members`.
    void label_output(const std::vector<std::uint32_t> &members,
                      const std::function<std::uint32_t(std::size_t)> &pe_of);
    // Sets a function that is called before each output.
    void before_output(std::function<void()> f) {
        semihost_.output().before(std::move(f));
    }

    // Records that a debugger has changed registers or memory. From now on the program cannot open or remove files of
    // the host. Exception: allow_files_to_debugger() was called before.
    void changed_by_debugger() {
        if (!debugger_may_use_files_) semihost_.refuse_names();
    }
    void allow_files_to_debugger() {
        debugger_may_use_files_ = true;
    }

  private:
    AddressMap &map_;
    Exits &exits_;
    Semihost semihost_;
    std::vector<std::optional<unsigned>> requested_; // by core
    bool debugger_may_use_files_ = false;
    Starter starter_;
    HostLink *link_ = nullptr;
};

} // namespace skerry::sim
