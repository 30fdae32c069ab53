// SPDX-License-Identifier: BSD-3-Clause
// The services that newlib's libgloss asks of a simulator by TRAP. Arguments are in r0 to r3, the result in r0 and
// errno in r3 (libgloss/epiphany/epiphany-syscalls.c has the numbers). Time is the chip's own, so that two runs are the
// same.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/elf_image.hpp"
#include "host/line_output.hpp"
#include "isa/state.hpp"

namespace skerry::sim {

// Memory as one core sees it. False: not all of it is there.
class TargetMemory {
  public:
    virtual ~TargetMemory() = default;
    virtual bool read(std::uint32_t address, std::span<std::uint8_t> to) = 0;
    virtual bool write(std::uint32_t address, std::span<const std::uint8_t> from) = 0;
};

// For newlib's own start-up code, which asks for nothing: writes the strings and their list behind the heap's end and lets
// the C library's `environ` point to them. Empty, or why that cannot be.
std::string place_environment(const ElfImage &image, const std::vector<std::string> &environment, TargetMemory &memory);

class Semihost {
  public:
    Semihost(std::uint32_t cores, std::vector<std::string> arguments);
    ~Semihost();
    Semihost(const Semihost &) = delete;
    Semihost &operator=(const Semihost &) = delete;

    // Serves one trap. A value: the core exits with it.
    std::optional<int> trap(State &s, unsigned number, TargetMemory &memory, std::uint32_t core,
                            std::uint64_t microseconds);
    void flush();
    LineOutput &output() {
        return output_;
    }
    // Set when a core has ended the whole job.
    std::optional<int> job_status() const {
        return job_status_;
    }

    // Refuses from now on whatever names a file: a debugger has changed the program, and its own files are not the
    // debugger's. What is open stays open.
    void refuse_names() {
        names_refused_ = true;
    }

    // The last trap was ended by a signal.
    bool interrupted() const {
        return interrupted_;
    }

  private:
    std::uint32_t write(State &s, TargetMemory &memory, std::uint32_t core);
    std::uint32_t read(State &s, TargetMemory &memory);
    std::uint32_t open(State &s, TargetMemory &memory);
    std::uint32_t close(std::uint32_t descriptor);
    std::uint32_t other(State &s, TargetMemory &memory, std::uint64_t microseconds);
    std::uint32_t seek(const State &s);
    std::uint32_t status_of(std::uint32_t descriptor, std::uint32_t to, TargetMemory &memory);
    std::uint32_t argument(const State &s, TargetMemory &memory);
    int host_descriptor(std::uint32_t descriptor) const;
    bool read_name(TargetMemory &memory, std::uint32_t address, std::string &name);

    bool interrupted_ = false;
    bool names_refused_ = false;
    bool refusal_told_ = false;
    std::optional<int> job_status_;
    LineOutput output_;
    std::vector<std::string> arguments_;
    std::vector<int> files_{0, 1, 2}; // the program's descriptor to ours, -1 closed
};

} // namespace skerry::sim
