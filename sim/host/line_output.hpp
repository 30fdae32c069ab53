// SPDX-License-Identifier: BSD-3-Clause
// What the cores print, in whole lines: a line of one core is never cut by another's.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skerry::sim {

class LineOutput {
  public:
    explicit LineOutput(std::uint32_t cores) : pending_(cores), within_(cores) {
    }
    // fd 1 or 2. False when it cannot be written, with errno.
    bool write(std::uint32_t core, int fd, std::span<const std::uint8_t> bytes);
    // Each line begins with its core's label; empty: it does not.
    void label(std::vector<std::string> labels) {
        labels_ = std::move(labels);
    }
    // Called before anything is printed.
    void before(std::function<void()> call) {
        before_ = std::move(call);
    }
    // The rest of a line that was begun, of one core or of all.
    void flush(std::uint32_t core);
    void flush();

  private:
    static constexpr std::size_t longest_line = 4096; // more is printed in pieces
    bool print(std::uint32_t core, int fd, std::string_view text);

    std::vector<std::array<std::string, 2>> pending_;
    std::vector<std::array<bool, 2>> within_; // a line was begun and is not ended
    std::vector<std::string> labels_;
    std::function<void()> before_;
};

} // namespace skerry::sim
