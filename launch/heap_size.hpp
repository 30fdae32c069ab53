// SPDX-License-Identifier: BSD-3-Clause
// The size of the symmetric heap as the specification writes it: a number with an optional k, m, g or t.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace skerry {

// Bytes, rounded up to whole bytes; what follows the suffix is ignored. Empty when the text is not a size.
std::optional<uint64_t> parse_size(std::string_view text);

// The heap of every PE: `option` (of --heap) if not null, else SHMEM_SYMMETRIC_SIZE, else SMA_SYMMETRIC_SIZE, else the
// default; whole huge pages. Ends oshrun with a line when the value is wrong or more than a partition holds.
uint64_t choose_heap_bytes(const char *option);

} // namespace skerry
