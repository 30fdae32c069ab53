// SPDX-License-Identifier: BSD-3-Clause
// Executes the services that a program requests from the host: files, output, time, and the end of the program.
// newlib's libgloss requests the same services from a simulator.
// * A request consists of a number and four words. On an Epiphany core these are the operand of the instruction TRAP
//   and the registers r0 to r3 (libgloss/epiphany/epiphany-syscalls.c).
// * Cores of other kinds convert their requests to this form (Core::host_arguments).
// * The result is returned in the first word, and errno in the last word.
// * The time is the simulated time, so that two runs give the same results.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/elf_image.hpp"
#include "host/line_output.hpp"

namespace skerry::sim {

// The interface to the chip's memory. Addresses are those that one core uses. read() and write() return false if the
// memory does not contain all bytes of the range.
class TargetMemory {
  public:
    virtual ~TargetMemory() = default;
    virtual bool read(std::uint32_t address, std::span<std::uint8_t> to) = 0;
    virtual bool write(std::uint32_t address, std::span<const std::uint8_t> from) = 0;
};

// Reads a string that ends with a 0. Returns false if there is none at the address.
bool read_string(TargetMemory &memory, std::uint32_t address, std::string &text);

// Stores the environment for programs whose start-up code is newlib's. This start-up code does not request the
// environment from the host. Writes the strings and the list of their addresses after the end of the heap. Sets the C
// library's variable `environ` to the list. Returns an empty string, or the text of the error.
std::string place_environment(const ElfImage &image, const std::vector<std::string> &environment, TargetMemory &memory);

using HostWords = std::array<std::uint32_t, 4>;

class Semihost {
  public:
    Semihost(std::uint32_t cores, std::vector<std::string> arguments);
    ~Semihost();
    Semihost(const Semihost &) = delete;
    Semihost &operator=(const Semihost &) = delete;

    // Executes one trap (request to the host) of a core. Returns the exit status if the trap ends the core's program,
    // and nothing for any other trap. `microseconds` is the simulated time.
    std::optional<int> trap(HostWords &words, unsigned number, TargetMemory &memory, std::uint32_t core,
                            std::uint64_t microseconds);
    void flush();
    LineOutput &output() {
        return output_;
    }
    // Returns the exit status of the job if a core has ended the whole job, and nothing if not.
    std::optional<int> job_status() const {
        return job_status_;
    }

    // Returns true if the runtime has written an error message ("skerry: PE ..."). It ends the job after most of them.
    bool job_told() const {
        return job_told_;
    }

    // Makes all later requests that name a file fail. Files that are already open stay open. The chip calls this
    // function after a debugger has changed the program. A debugger must not be able to access the user's files through
    // the program.
    void refuse_names() {
        names_refused_ = true;
    }

    // Returns true if a signal interrupted the last read of a file.
    bool interrupted() const {
        return interrupted_;
    }

  private:
    std::uint32_t write(HostWords &words, TargetMemory &memory, std::uint32_t core);
    std::uint32_t read(HostWords &words, TargetMemory &memory);
    std::uint32_t open(HostWords &words, TargetMemory &memory);
    std::uint32_t close(std::uint32_t descriptor);
    std::uint32_t other(HostWords &words, TargetMemory &memory, std::uint64_t microseconds);
    std::uint32_t seek(const HostWords &words);
    std::uint32_t status_of(std::uint32_t descriptor, std::uint32_t to, TargetMemory &memory);
    std::uint32_t argument(const HostWords &words, TargetMemory &memory);
    int host_descriptor(std::uint32_t descriptor) const;
    bool read_name(TargetMemory &memory, std::uint32_t address, std::string &name);

    bool interrupted_ = false;
    bool names_refused_ = false;
    bool refusal_told_ = false;
    std::optional<int> job_status_;
    bool job_told_ = false;
    LineOutput output_;
    std::vector<std::string> arguments_;
    std::vector<int> files_{0, 1, 2}; // the host's descriptor for each descriptor of the program; -1: closed
};

} // namespace skerry::sim
