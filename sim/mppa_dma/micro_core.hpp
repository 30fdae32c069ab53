// SPDX-License-Identifier: BSD-3-Clause
// Models a micro-core of a DMA unit: it executes the jobs of its queue one after the other. A job is a program
// (program.hpp) with parameters. A micro-core executes at most one instruction a cycle and reads at most one double word of
// memory a cycle. It builds a packet while its last one waits for the shaper; then it waits too.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <limits>

#include "dnoc/packet.hpp"
#include "mppa_dma/configuration.hpp"
#include "mppa_dma/fault.hpp"
#include "mppa_dma/port.hpp"
#include "mppa_dma/program.hpp"
#include "mppa_dma/registers.hpp"

namespace skerry::sim {

using MicroProgram = std::array<std::uint64_t, mppa::instructions>;
using MicroParameters = std::array<std::uint32_t, mppa::parameters>;

// The interface through which a micro-core uses its unit.
class MicroPort {
  public:
    virtual ~MicroPort() = default;
    // Gives a packet for a header to the shaper, from cycle `at` on. Returns false if the last one still waits.
    virtual bool send(unsigned micro_core, std::uint32_t header, dnoc::Packet &packet, std::uint64_t at) = 0;
    // Returns true if no packet of the micro-core waits for its shaper.
    virtual bool has_sent(unsigned micro_core) const = 0;
    // Returns the most bytes of a packet with this header.
    virtual std::uint32_t payload(std::uint32_t header) const = 0;
    // Counts an end of transfer of a tag of this node.
    virtual void count(std::uint32_t tag, std::uint64_t now) = 0;
};

class MicroCore {
  public:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    MicroCore(unsigned number, const MppaDmaConfiguration &configuration, const MicroProgram &program,
              MppaDmaPort &port, MicroPort &unit)
        : number_(number), configuration_(configuration), program_(program), port_(port), unit_(unit) {
    }

    // Adds a job. Returns false if the queue is full.
    bool start(std::uint32_t first, std::uint32_t header, const MicroParameters &parameters, std::uint64_t now);
    std::uint32_t jobs() const {
        return static_cast<std::uint32_t>(jobs_.size());
    }
    std::uint32_t finished() const {
        return finished_;
    }
    // Returns the next cycle in which the micro-core acts, or never. run() must be called in this cycle.
    std::uint64_t ready_at() const {
        return jobs_.empty() ? never : next_;
    }
    // Executes the next instruction, or goes on with it. Returns a fault if the program is wrong.
    MppaFault run(std::uint64_t now);

  private:
    struct Job {
        std::uint32_t first = 0;
        std::uint32_t header = 0;
        std::uint64_t at = 0; // cycle of its first instruction, if the micro-core is free then
        MicroParameters parameters{};
    };
    enum class Result : std::uint8_t { done, again, fault };

    void begin(std::uint64_t now);
    Result act(const mppa::MicroInstruction &i, std::uint64_t now);
    Result read(std::uint32_t address, std::uint32_t bytes, std::uint64_t now);
    Result load(const mppa::MicroInstruction &i, std::uint64_t now);
    bool append(std::uint64_t now);
    bool send(bool end, std::uint64_t now);
    void go_on(const mppa::MicroInstruction &i);
    Result fail(MppaFault::Kind kind, std::uint32_t value = 0, std::uint32_t bytes = 0, std::uint32_t address = 0);
    bool is_number(std::uint32_t value, std::uint32_t count);

    unsigned number_;
    const MppaDmaConfiguration &configuration_;
    const MicroProgram &program_;
    MppaDmaPort &port_;
    MicroPort &unit_;
    std::deque<Job> jobs_; // the first one is being executed, from its cycle on
    std::uint32_t finished_ = 0;
    std::uint64_t next_ = never;
    MppaFault fault_;

    // The state of the first job.
    std::uint32_t pc_ = 0;
    std::uint32_t header_ = 0;
    std::array<std::uint32_t, mppa::pointers> pointers_{};
    std::array<std::uint32_t, mppa::counters> counters_{};
    std::uint32_t idle_ = 0;     // instructions since the last one that moved something
    dnoc::Packet packet_;        // the packet that is built; its offset is that of its first byte
    std::uint64_t bytes_at_ = 0; // cycle in which the last byte of packet_ has arrived from memory
    bool has_sent_ = false;      // last_ has a packet of this job
    dnoc::Packet last_;
    // The state of the present instruction.
    std::uint32_t read_ = 0;                // bytes that it has read
    std::array<std::uint8_t, 8> pending_{}; // bytes that were read and did not fit into the packet
    std::uint32_t pending_first_ = 0;
    std::uint32_t pending_end_ = 0;
};

} // namespace skerry::sim
