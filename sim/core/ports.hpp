// SPDX-License-Identifier: BSD-3-Clause
// Defines the two interfaces through which a core of any kind uses the rest of the chip: RemotePort for accesses to
// other memories, and CorePort for all other requests. A core offers one remote access at a time. The chip accepts or
// refuses this access, and delivers the answer to a read later, by a call of Core::complete. Instructions that access
// only the core itself do not use these interfaces.
#pragma once
#include <cstdint>

#include "memory/access.hpp"
#include "memory/atomic.hpp"
#include "memory/memory.hpp"

namespace skerry::sim {

class Core;

enum class RemoteKind : std::uint8_t { load, store, atomic, fetch };

struct RemoteAccess {
    RemoteKind kind;
    std::uint8_t size;                                    // bytes: 1, 2, 4 or 8
    std::uint32_t address;                                // global address, a multiple of `size`
    std::uint64_t value;                                  // value to store, or operand
    AtomicOperation operation = AtomicOperation::testset; // of an atomic access
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

// The memory to which a global address leads, and the offset in this memory.
struct Place {
    Memory *memory = nullptr; // null if the address has no memory
    std::uint32_t offset = 0;
};

// The interface through which a core accesses the lines of its event unit, if the machine has such units. A line is 32
// bytes of a counter or a queue. The class EventUnit (events/event_unit.hpp) describes the functions. EventUnit::store
// has a further parameter `own`. `own` is true for all stores through this interface, because the core owns the unit.
class EventLines {
  public:
    virtual ~EventLines() = default;
    // Returns what the core's register 0xf001c contains: the number of lines, and in bits 16 to 31 the number of copies
    // that can be under way.
    virtual std::uint32_t sizes() const = 0;
    virtual bool has(std::uint32_t offset, unsigned size) const = 0;
    virtual std::uint64_t load(std::uint32_t offset, unsigned size) const = 0;
    virtual Access store(std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t now) = 0;
};

// The interface through which a core accesses registers outside of cores that belong to its cluster: the DMA units and
// mailboxes of an MPPA's node.
class DevicePort {
  public:
    virtual ~DevicePort() = default;
    virtual bool has(std::uint32_t address) const = 0;
    // Returns the cycles that a load takes more than one of a core's own memory.
    virtual unsigned load_cycles() const = 0;
    // Access the registers at an address, a multiple of `size`. They return Access::again if the device cannot take the
    // access in this cycle, and Access::fault for a mistake, which the device describes.
    virtual Access load(const Core &core, std::uint32_t address, unsigned size, std::uint64_t &value,
                        std::uint64_t now) = 0;
    virtual Access store(const Core &core, std::uint32_t address, unsigned size, std::uint64_t value,
                         std::uint64_t now) = 0;
};

class CorePort {
  public:
    virtual ~CorePort() = default;
    virtual Place locate(std::uint32_t address) = 0;
    // Executes a core's request to the host. The request consists of `number` and of the words that
    // Core::host_arguments returns. Returns the number of cycles that the request takes. Returns 0 if the request is
    // not finished; the chip then calls Core::end_wait later.
    virtual std::uint64_t trap(Core &core, unsigned number) = 0;
    // Returns true if stores of the core have not arrived yet, or messages of its event unit if `messages` is true. The
    // chip then calls Core::end_wait when all of them have arrived.
    virtual bool fence(Core &core, bool messages) = 0;
    // Called when the core has stopped; Core::stop has the reason.
    virtual void stopped(Core &core) = 0;
};

} // namespace skerry::sim
