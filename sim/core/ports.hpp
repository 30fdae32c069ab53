// SPDX-License-Identifier: BSD-3-Clause
// Defines the two interfaces through which a core uses the chip around it: RemotePort for remote accesses, CorePort for
// everything else. The core offers one remote access at a time, and the chip accepts or refuses this access. The chip
// delivers the answer to a read later, by a call of Core::complete. Instructions that access only the core itself do
// not use these interfaces.
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
    std::uint32_t address; // global address, a multiple of `size`
    std::uint64_t value;   // value to store
};

enum class Acceptance : std::uint8_t {
    taken,   // the access is on its way; Core::complete will deliver the answer, except to a store
    refused, // the network has no place now; the chip calls Core::room when the core can offer the access again
    fault,   // there is no memory or register at this address
};

class RemotePort {
  public:
    virtual ~RemotePort() = default;
    virtual Acceptance offer(Core &core, const RemoteAccess &access, std::uint64_t now) = 0;
};

// The memory, and the offset in it, to which a global address leads.
struct Place {
    Memory *memory = nullptr; // null if the address has no memory
    std::uint32_t offset = 0;
};

class CorePort {
  public:
    virtual ~CorePort() = default;
    virtual Place locate(std::uint32_t address) = 0;
    // Executes TRAP. Returns the number of cycles that the trap takes, or 0 if Core::trap_served will end it later.
    virtual std::uint64_t trap(Core &core, unsigned number) = 0;
    virtual void wand(Core &core) = 0;
    virtual void sync(Core &core) = 0;
    virtual void multicore_breakpoint(Core &core) = 0;
    // read_device and write_device access a register of a device on the core's bus: of a DMA channel, of memory
    // protection, or of the mesh.
    virtual Access read_device(Core &core, SpecialRegister which, std::uint32_t &value) = 0;
    virtual Access write_device(Core &core, SpecialRegister which, std::uint32_t value) = 0;
    // Called when the pause bit of CONFIG has changed.
    virtual void pause_dma(Core &core, bool paused) = 0;
    // Called when the core has stopped; Core::stop has the reason.
    virtual void stopped(Core &core) = 0;
};

} // namespace skerry::sim
