// SPDX-License-Identifier: BSD-3-Clause
// What the cores print, in whole lines: a line of one core is never cut by another's.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace skerry::sim {

class LineOutput {
  public:
    explicit LineOutput(std::uint32_t cores) : pending_(cores) {
    }
    // fd 1 or 2. False when it cannot be written, with errno.
    bool write(std::uint32_t core, int fd, std::span<const std::uint8_t> bytes);
    // The rest of a line that was begun, of one core or of all.
    void flush(std::uint32_t core);
    void flush();

  private:
    static constexpr std::size_t longest_line = 4096; // more is printed in pieces
    std::vector<std::array<std::string, 2>> pending_;
};

} // namespace skerry::sim
