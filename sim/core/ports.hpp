// SPDX-License-Identifier: BSD-3-Clause
// What a core asks of the chip around it. Remote accesses are narrow: the core offers one and either it is taken or it
// is not; whoever has the answer to a read calls Core::complete later. Nothing here is called for instructions that
// stay within the core.
#pragma once
#include <cstdint>

#include "isa/bus.hpp"
#include "isa/registers.hpp"
#include "memory/memory.hpp"

namespace skerry::sim {

class Core;

enum class RemoteKind : std::uint8_t { load, store, testset, fetch };

struct RemoteAccess {
    RemoteKind kind;
    std::uint8_t size;     // bytes: 1, 2, 4 or 8
    std::uint32_t address; // global, aligned to its size
    std::uint64_t value;   // to be stored
};

enum class Acceptance : std::uint8_t {
    taken,   // a store is on its way; any other kind will be answered by Core::complete
    refused, // no room: Core::room says when to offer it again
    fault,   // nothing is there
};

class RemotePort {
  public:
    virtual ~RemotePort() = default;
    virtual Acceptance offer(Core &core, const RemoteAccess &access, std::uint64_t now) = 0;
};

// Bytes of the chip to decode instructions from.
struct Place {
    Memory *memory = nullptr; // none: nothing is there
    std::uint32_t offset = 0;
};

class CorePort : public RemotePort {
  public:
    virtual Place locate(std::uint32_t address) = 0;
    // TRAP: returns in how many cycles the core goes on, or 0 for when Core::trap_served says so.
    virtual std::uint64_t trap(Core &core, unsigned number) = 0;
    virtual void wand(Core &core) = 0;
    virtual void sync(Core &core) = 0;
    virtual void multicore_breakpoint(Core &core) = 0;
    // Registers of DMA channels, memory protection and the mesh, and whatever later stands beside them.
    virtual Access read_device(Core &core, SpecialRegister which, std::uint32_t &value) = 0;
    virtual Access write_device(Core &core, SpecialRegister which, std::uint32_t value) = 0;
    // The pause bit of CONFIG has changed.
    virtual void pause_dma(Core &core, bool paused) = 0;
    // The core will not go on: see Core::stop.
    virtual void stopped(Core &core) = 0;
};

} // namespace skerry::sim
