// SPDX-License-Identifier: BSD-3-Clause
// Holds the cores and the external memories of a chip, and finds them by their addresses. An address is row << 26 |
// column << 20 | offset, where row and column are those of a core. If no core of the chip has this row and column, the
// address can lead to external memory.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "chip/ddr.hpp"
#include "chip/machine.hpp"
#include "core/core.hpp"

namespace skerry::sim {

constexpr std::uint32_t no_core = 0xffffffff; // used instead of a core's index if there is no core

class AddressMap {
  public:
    explicit AddressMap(const Machine &machine);

    // Adds the core at the next place. The places of the machine are numbered row by row. The caller must add an object
    // for every place, even if the chip has no core there (an absent core).
    Core &add_core(std::unique_ptr<Core> core);

    const Machine &machine() const {
        return machine_;
    }
    std::uint32_t core_count() const {
        return static_cast<std::uint32_t>(cores_.size());
    }
    Core &core(std::uint32_t index) {
        return *cores_[index];
    }
    const Core &core(std::uint32_t index) const {
        return *cores_[index];
    }
    // Returns the indices of the cores that the chip has, ascending. (A place of the machine can be without a core.)
    const std::vector<std::uint32_t> &present() const {
        return present_;
    }

    // Each core has 1 MB of the address space. index_of() returns the index of the core to which an address belongs.
    // index_of() returns no_core if no core has this address, or if the core is absent. place_for_core() also returns
    // the index of an absent core (a place without a core).
    std::uint32_t index_of(std::uint32_t address) const {
        const std::uint32_t index = place_for_core(address);
        if (machine_.absent.empty()) return index;
        return std::ranges::binary_search(present_, index) ? index : no_core;
    }
    std::uint32_t index_of(const Core &core) const {
        return index_of(core.id() << 20);
    }
    std::uint32_t place_for_core(std::uint32_t address) const {
        const std::uint32_t row = (address >> 26) - machine_.first_row;
        const std::uint32_t column = (address >> 20 & 63) - machine_.first_column;
        return row < machine_.rows && column < machine_.columns ? row * machine_.columns + column : no_core;
    }

    // Returns the memory to which a global address (one that means the same byte in every core) belongs, and the offset
    // in this memory. If the address belongs to no memory, the pointer in the result is null. An address of shared
    // memory is global only if the machine has one cluster.
    Place locate(std::uint32_t address);
    // Returns the memory that contains a whole range of bytes. `address` is an address that core `by` uses. If no
    // memory contains the whole range, the pointer in the result is null.
    Place place_of(const Core &by, std::uint32_t address, std::size_t bytes);
    // read() and write() access a range of bytes by an address of core `by`. Both return false if no memory contains
    // the whole range. write() also returns false if a byte of the range is write-protected.
    bool read(const Core &by, std::uint32_t address, std::span<std::uint8_t> to);
    bool write(const Core &by, std::uint32_t address, std::span<const std::uint8_t> from);
    // Returns true if at least one byte of a range is write-protected. `address` is the address that core `by` uses.
    bool is_protected(const Core &by, std::uint32_t address, std::uint32_t bytes);
    // Returns true if a remote access (to memory outside the core that makes it) can be performed. The address must
    // belong to a register of a core, or to memory that the access is allowed to read or write.
    bool reachable(const RemoteAccess &access) const;

    // Returns the shared memory of a cluster, which the machine must have.
    SharedMemory &shared(std::uint32_t cluster) {
        return *shared_[cluster];
    }
    // Returns the DDR memory of an I/O node, or of an address. The latter is null if the address is in no such memory.
    Ddr &ddr(std::uint32_t io_node) {
        return *ddrs_[io_node];
    }
    Ddr *ddr_at(std::uint32_t address) {
        const auto found = std::ranges::find_if(ddrs_, [&](const auto &ddr) { return ddr->has(address, 1); });
        return found == ddrs_.end() ? nullptr : found->get();
    }

    template <class Function> void for_each_memory(Function &&f) {
        for (const auto &core : cores_) f(core->memory);
        for (const External &e : external_) f(*e.memory);
        for (const auto &shared : shared_) f(shared->memory);
    }

  private:
    struct External {
        std::uint32_t base;
        std::unique_ptr<Memory> memory;
    };

    Machine machine_;
    std::vector<std::unique_ptr<Core>> cores_; // one object for each place, even if its core is absent
    std::vector<std::uint32_t> present_;
    std::vector<External> external_;
    std::vector<std::unique_ptr<Ddr>> ddrs_; // of the first external memories
    // The shared memory of each cluster, or the one memory of mutexes. Empty if the machine has neither.
    std::vector<std::unique_ptr<SharedMemory>> shared_;
};

// Returns the lower 20 bits of an address: the offset in the range of 1 MB that belongs to one core.
constexpr std::uint32_t offset_in_core(std::uint32_t address) {
    return address & (core_space - 1);
}

} // namespace skerry::sim
