// SPDX-License-Identifier: BSD-3-Clause
// The size of the symmetric heap as the specification writes it: a number with an optional k, m, g or t.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace skerry {

struct Size {
    uint64_t bytes;          // rounded up to whole bytes
    std::string_view behind; // what follows the factor and its unit ("b" or "ib", which may be there or not)
};

// Empty when the text does not begin with a size above 0.
std::optional<Size> parse_size(std::string_view text);

// The heap of every PE: `option` (of --heap) if not null, else SHMEM_SYMMETRIC_SIZE, else SMA_SYMMETRIC_SIZE, else the
// default; whole huge pages. Ends oshrun with a line when the value is wrong or more than a partition holds.
uint64_t choose_heap_bytes(const char *option);

} // namespace skerry
