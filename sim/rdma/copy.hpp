// SPDX-License-Identifier: BSD-3-Clause
// Defines a copy as a core starts it by a command of its event unit (docs/design/events.md).
#pragma once
#include <cstdint>

namespace skerry::sim {

struct Copy {
    std::uint32_t destination = 0; // global address, a multiple of 4
    std::uint32_t source = 0;      // global address, a multiple of 4
    std::uint32_t bytes = 0;       // a multiple of 4
    std::uint32_t counter = 0;     // offset of the counter, in the core's range of 1 MB, that counts the bytes; 0: none
    std::uint32_t command = 0;     // index of the command line that has started the copy
    bool operator==(const Copy &) const = default;
};

} // namespace skerry::sim
