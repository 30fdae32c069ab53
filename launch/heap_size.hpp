// SPDX-License-Identifier: BSD-3-Clause
// Reads the size of the symmetric heap, in the specification's form: a number with an optional k, m, g or t.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace skerry {

struct Size {
    uint64_t bytes;          // rounded up to whole bytes
    std::string_view behind; // the text after the number, its factor and its optional unit ("b" or "ib")
};

// Reads a size at the beginning of the text. Returns an empty value if the text does not begin with a size above 0.
std::optional<Size> parse_size(std::string_view text);

// Returns the size of every PE's symmetric heap in bytes, rounded up to whole huge pages. Takes the first of these
// values that is given: `option` (the operand of --heap; null: not given), the variable SHMEM_SYMMETRIC_SIZE, the
// variable SMA_SYMMETRIC_SIZE, the default. Ends oshrun with an error message if the value is wrong or too large for
// the heap's part of a PE's memory.
uint64_t choose_heap_bytes(const char *option);

} // namespace skerry
