// SPDX-License-Identifier: BSD-3-Clause
// Finds the source line of an instruction, and the instructions of a source line, in the program's debug information.
// Without debug information the table is empty.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/elf_image.hpp"

namespace skerry::sim {

struct SourceLine {
    const std::string *file = nullptr; // nullptr: not known
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
    // Returns the same, but if the line is in the file `inlined` (the end of its path), returns the last line before the
    // address that is in another file. This is the line with the call, if the instruction is in a function of a header that
    // the compiler has inlined.
    SourceLine find_outside(std::uint32_t address, std::string_view inlined) const;
    // Returns the addresses where the code of a line begins. The code can consist of several pieces. For a line without
    // code, returns the addresses of the next line that has code. `file` is the path of the file, or the end of the
    // path.
    std::vector<std::uint32_t> addresses(std::string_view file, std::uint32_t line) const;

  private:
    struct Row {
        std::uint32_t address;
        std::uint32_t file; // index in files_; 0: end of a sequence, or a file that is not known
        std::uint32_t line;
    };
    std::vector<std::string> files_{""};
    std::vector<Row> rows_; // sorted by address
};

} // namespace skerry::sim
