// SPDX-License-Identifier: BSD-3-Clause
// Prints the output of the cores in whole lines. The output of one core never cuts a line of another core.
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
    // Adds output of a core to the stream `fd` (1 or 2), and prints the lines that are complete. Returns false and sets
    // errno if printing fails.
    bool write(std::uint32_t core, int fd, std::span<const std::uint8_t> bytes);
    // Sets the labels that begin the lines, one for each core. If this function is not called, lines have no label.
    void label(std::vector<std::string> labels) {
        labels_ = std::move(labels);
    }
    // Sets a function that is called before each output, for example to remove a progress line.
    void before(std::function<void()> call) {
        before_ = std::move(call);
    }
    // flush(core) prints the incomplete lines of one core, and flush() prints the incomplete lines of all cores.
    void flush(std::uint32_t core);
    void flush();

  private:
    static constexpr std::size_t longest_line = 4096; // bytes; a longer line is printed in pieces
    bool print(std::uint32_t core, int fd, std::string_view text);

    std::vector<std::array<std::string, 2>> pending_;
    std::vector<std::array<bool, 2>> within_; // by core and stream: true if a line was printed without its end
    std::vector<std::string> labels_;
    std::function<void()> before_;
};

} // namespace skerry::sim
