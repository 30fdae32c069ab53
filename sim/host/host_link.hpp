// SPDX-License-Identifier: BSD-3-Clause
// Connects the chip to a host program: the program on the computer beside a board, which has started this process and the
// job, and exchanges messages with PE 0's program over PCI Express (src/machine/contract/host_program.h).
// * The link is one of two connected sockets. Its descriptor is in the environment.
// * While a core waits for a message, the simulation stands still. So the simulated time does not depend on the speed of the
//   host program, and the cycles are the same in every run.
// * A host program that ends before the job has sent its exit ends the run. SIGIO tells of its end.
#pragma once
#include <cstdint>

#include "host/semihost.hpp"

namespace skerry::sim {

class HostLink {
  public:
    // Takes the link from the environment, if a host program has started this process. There must be at most one object.
    HostLink();
    ~HostLink();
    HostLink(const HostLink &) = delete;
    HostLink &operator=(const HostLink &) = delete;

    bool exists() const {
        return descriptor_ >= 0;
    }
    // Returns true if the host program has ended too early. The process has sent SIGTERM to itself then.
    bool has_ended() const;
    int host_process() const {
        return host_process_;
    }

    // The services that the job requests: the cycles that a message takes; sends a message (its kind and its value); waits
    // for a message, which is stored at the address of the first word.
    static constexpr std::uint32_t cycles_service = 0x5b04;
    static constexpr std::uint32_t send_service = 0x5b05;
    static constexpr std::uint32_t receive_service = 0x5b06;
    static constexpr bool has_service(std::uint32_t number) {
        return number >= cycles_service && number <= receive_service;
    }
    // Executes such a request. Stores its result in the first word. Returns 0, or an error number of Linux: EPIPE if the host
    // program has closed the link, EINTR if a signal to this process has ended the wait.
    std::uint32_t serve(HostWords &words, TargetMemory &memory, std::uint32_t message_cycles);

    // Tells the host program that this process has written why the job ends.
    void tell();

  private:
    bool send(std::uint32_t kind, std::uint32_t value);
    std::uint32_t receive(std::uint32_t address, TargetMemory &memory);

    int descriptor_ = -1;
    int host_process_ = 0;
};

} // namespace skerry::sim
