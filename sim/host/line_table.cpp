// SPDX-License-Identifier: BSD-3-Clause
#include "host/line_table.hpp"

#include <algorithm>
#include <limits>
#include <map>

#ifdef SKERRY_LIBDW
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <unistd.h>
#endif

namespace skerry::sim {

#ifdef SKERRY_LIBDW

class LineReader {
  public:
    explicit LineReader(LineTable &to) : to_(to) {
    }
    void read(Dwarf *debug) {
        Dwarf_CU *unit = nullptr;
        Dwarf_Die die;
        while (dwarf_get_units(debug, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
            Dwarf_Lines *lines = nullptr;
            std::size_t count = 0;
            if (dwarf_getsrclines(&die, &lines, &count) != 0) continue;
            for (std::size_t k = 0; k < count; k++) take(dwarf_onesrcline(lines, k));
        }
        // Where a stretch ends and another begins, the beginning counts.
        std::ranges::stable_sort(to_.rows_, [](const auto &a, const auto &b) {
            return a.address != b.address ? a.address < b.address : a.file == 0 && b.file != 0;
        });
    }

  private:
    void take(Dwarf_Line *line) {
        Dwarf_Addr address = 0;
        int number = 0;
        bool end = false;
        if (line == nullptr || dwarf_lineaddr(line, &address) != 0 || dwarf_lineendsequence(line, &end) != 0) return;
        const char *name = dwarf_linesrc(line, nullptr, nullptr);
        if (address > std::numeric_limits<std::uint32_t>::max() || name == nullptr) return;
        if (dwarf_lineno(line, &number) != 0 || number < 0) return;
        to_.rows_.push_back(
            {static_cast<std::uint32_t>(address), end ? 0 : file_number(name), static_cast<std::uint32_t>(number)});
    }
    std::uint32_t file_number(const std::string &name) {
        const auto [found, added] = numbers_.try_emplace(name, static_cast<std::uint32_t>(to_.files_.size()));
        if (added) to_.files_.push_back(name);
        return found->second;
    }

    LineTable &to_;
    std::map<std::string, std::uint32_t> numbers_;
};

LineTable::LineTable(const std::string &program) {
    const int file = open(program.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    if (Dwarf *debug = dwarf_begin(file, DWARF_C_READ)) {
        LineReader(*this).read(debug);
        dwarf_end(debug);
    }
    close(file);
}

bool LineTable::supported() {
    return true;
}

#else

LineTable::LineTable(const std::string &) {
}

bool LineTable::supported() {
    return false;
}

#endif

SourceLine LineTable::find(std::uint32_t address) const {
    const auto after = std::ranges::upper_bound(rows_, address, {}, &Row::address);
    if (after == rows_.begin() || (after - 1)->file == 0) return {};
    return {&files_[(after - 1)->file], (after - 1)->line};
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
    bool inside = false; // of one stretch with this line, which begins with its lowest address
    for (const Row &row : rows_) {
        const bool here = row.line == best && meant(row);
        if (here && !inside && (found.empty() || found.back() != row.address)) found.push_back(row.address);
        inside = here;
    }
    return found;
}

} // namespace skerry::sim
