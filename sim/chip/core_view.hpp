// SPDX-License-Identifier: BSD-3-Clause
// Lets the host's services (files, output) read and write the memory of a chip. The addresses are those that one core
// uses.
#pragma once
#include <cstdint>
#include <span>

#include "chip/address_map.hpp"
#include "host/semihost.hpp"

namespace skerry::sim {

class CoreView final : public TargetMemory {
  public:
    CoreView(AddressMap &map, const Core &core) : map_(map), core_(core) {
    }
    bool read(std::uint32_t address, std::span<std::uint8_t> to) override {
        return map_.read(core_, address, to);
    }
    bool write(std::uint32_t address, std::span<const std::uint8_t> from) override {
        return map_.write(core_, address, from);
    }

  private:
    AddressMap &map_;
    const Core &core_;
};

} // namespace skerry::sim
