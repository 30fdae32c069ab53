// SPDX-License-Identifier: BSD-3-Clause
// Defines the interface through which a DMA unit uses its node: the memory, the cores and the chip's loop. It sends packets
// through dnoc::PacketPort.
#pragma once
#include <cstdint>
#include <span>

#include "mppa_dma/fault.hpp"

namespace skerry::sim {

constexpr std::uint32_t word_bytes = 8; // of one access of a unit to memory

class MppaDmaPort {
  public:
    virtual ~MppaDmaPort() = default;
    // Return true if the node has memory at all of these addresses, and if it can be written.
    virtual bool can_read(std::uint32_t address, std::uint32_t bytes) const = 0;
    virtual bool can_write(std::uint32_t address, std::uint32_t bytes) const = 0;
    // Access bytes of one double word (8 bytes at a multiple of 8). Return false if the memory is busy in this cycle. The
    // unit reads and writes in the same cycle, as two masters. It repeats a refused access in the next cycle.
    virtual bool read(std::uint32_t address, std::span<std::uint8_t> to, std::uint64_t now) = 0;
    virtual bool write(std::uint32_t address, std::span<const std::uint8_t> from, std::uint64_t now) = 0;
    // Notifies the cores of the cluster whose bits are set.
    virtual void notify(std::uint32_t cores, std::uint64_t now) = 0;
    // Ends the run because of a program's mistake.
    virtual void fault(const MppaFault &fault, std::uint64_t now) = 0;
    // Called when MppaDma::ready_at has possibly become smaller.
    virtual void changed(std::uint64_t now) = 0;
};

} // namespace skerry::sim
