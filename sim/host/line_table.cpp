// SPDX-License-Identifier: BSD-3-Clause
#include "host/line_table.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "host/line_program.hpp"

namespace skerry::sim {
namespace {

// Largest number of bytes of all paths together. A small ELF file can combine folders and names into very many long
// paths.
constexpr std::size_t most_paths = std::size_t{64} << 20;

// Returns true if the sequence of rows (addresses and their source lines) at address 0 belongs to real code. The
// sequence can be left over from code that the linker has dropped: the linker sets the addresses of such rows to 0 and
// above. The left-over rows would give wrong lines to the code that lies at these addresses. The sequence belongs to
// real code if three conditions hold:
// * There is only one sequence at address 0.
// * No other sequence begins inside the sequence.
// * One range of code that begins at address 0 contains the whole sequence.
bool is_code_from_0(const std::vector<LineUnit> &units, const ElfImage &image) {
    unsigned count = 0;
    std::uint32_t end = 0;
    std::uint32_t next = std::numeric_limits<std::uint32_t>::max();
    for (const LineUnit &unit : units) {
        for (const LineSequence &sequence : unit.sequences) {
            if (sequence.begin() != 0) next = std::min(next, sequence.begin());
            else if (++count == 1) end = sequence.end;
        }
    }
    return count == 1 && end <= next &&
           std::ranges::any_of(image.code, [&](const Range &code) { return code.address == 0 && end <= code.size; });
}

} // namespace

LineTable::LineTable(const ElfImage &image) {
    const std::vector<LineUnit> units = read_lines(image.debug);
    const bool from_0 = is_code_from_0(units, image);
    std::map<std::string, std::uint32_t> numbers;
    std::size_t left = most_paths;
    const auto number_of = [&](const LineUnit &unit, std::uint32_t file) {
        const std::string path = file < unit.files.size() ? unit.files[file].path(unit.top) : std::string();
        if (path.empty() || path.size() > left) return std::uint32_t{0};
        const auto [found, added] = numbers.try_emplace(path, static_cast<std::uint32_t>(files_.size()));
        if (!added) return found->second;
        files_.push_back(path);
        left -= path.size();
        return found->second;
    };
    for (const LineUnit &unit : units) {
        std::map<std::uint32_t, std::uint32_t> known; // file numbers already found: many rows have the same file
        for (const LineSequence &sequence : unit.sequences) {
            if (sequence.begin() == 0 && !from_0) continue;
            for (const LineRow &row : sequence.rows) {
                auto [file, added] = known.try_emplace(row.file);
                if (added) file->second = number_of(unit, row.file);
                rows_.push_back({row.address, file->second, row.line});
            }
            rows_.push_back({sequence.end, 0, 0});
        }
    }
    // find() uses the last row that has a given address. One sequence of rows can end where another begins. Then the
    // first row of the second sequence must be sorted last.
    std::ranges::stable_sort(rows_, [](const Row &a, const Row &b) {
        return a.address != b.address ? a.address < b.address : a.file == 0 && b.file != 0;
    });
}

SourceLine LineTable::find(std::uint32_t address) const {
    const auto after = std::ranges::upper_bound(rows_, address, {}, &Row::address);
    if (after == rows_.begin() || (after - 1)->file == 0) return {};
    return {&files_[(after - 1)->file], (after - 1)->line};
}

SourceLine LineTable::find_outside(std::uint32_t address, std::string_view inlined) const {
    const SourceLine line = find(address);
    if (line.file == nullptr || !line.file->ends_with(inlined)) return line;
    auto row = std::ranges::upper_bound(rows_, address, {}, &Row::address);
    do row--;
    while (row != rows_.begin() && row->file != 0 && files_[row->file].ends_with(inlined));
    return row->file == 0 || files_[row->file].ends_with(inlined) ? line : SourceLine{&files_[row->file], row->line};
}

std::vector<std::uint32_t> LineTable::addresses(std::string_view file, std::uint32_t line) const {
    const auto meant = [&](const Row &row) {
        const std::string_view name = files_[row.file];
        return row.file != 0 && name.ends_with(file) &&
               (name.size() == file.size() || name[name.size() - file.size() - 1] == '/');
    };
    std::uint32_t best = std::numeric_limits<std::uint32_t>::max();
    for (const Row &row : rows_) {
        if (row.line >= line && row.line < best && meant(row)) best = row.line;
    }
    std::vector<std::uint32_t> found;
    bool inside = false; // within adjacent rows of the line; only the first address of such rows is returned
    for (const Row &row : rows_) {
        const bool here = row.line == best && meant(row);
        if (here && !inside && (found.empty() || found.back() != row.address)) found.push_back(row.address);
        inside = here;
    }
    return found;
}

} // namespace skerry::sim
