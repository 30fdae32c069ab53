// SPDX-License-Identifier: BSD-3-Clause
// Which line of the source an instruction comes from, as the program's debug information tells. Without it no line is
// known.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/elf_image.hpp"

namespace skerry::sim {

struct SourceLine {
    const std::string *file = nullptr; // none: not known
    std::uint32_t line = 0;
};

class LineTable {
  public:
    LineTable() = default;
    explicit LineTable(const ElfImage &image);

    bool empty() const {
        return rows_.empty();
    }
    SourceLine find(std::uint32_t address) const;
    // Where the code of a line begins, at each place that has some; where a line has none, the next one that has. A file
    // is named by the end of its path.
    std::vector<std::uint32_t> addresses(std::string_view file, std::uint32_t line) const;

  private:
    struct Row {
        std::uint32_t address;
        std::uint32_t file; // 0: behind the end of a stretch of code
        std::uint32_t line;
    };
    std::vector<std::string> files_{""};
    std::vector<Row> rows_; // by address
};

} // namespace skerry::sim
