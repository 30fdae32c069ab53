// SPDX-License-Identifier: BSD-3-Clause
#include "trace/functions.hpp"

#include <algorithm>
#include <limits>

namespace skerry::sim {
namespace {

bool executable(const ElfImage &image, std::uint32_t address) {
    return std::ranges::any_of(image.segments,
                               [&](const Segment &s) { return s.executable && address - s.address < s.size; });
}

} // namespace

Functions::Functions(const ElfImage &image) {
    functions_.push_back({0, 0, "(no symbol)"});
    take(image, {});
}

void Functions::add(const ElfImage &image, const std::string &program) {
    take(image, " (" + program + ")");
}

void Functions::take(const ElfImage &image, const std::string &after_name) {
    const std::uint32_t begin = size();
    begins_.push_back(begin);
    std::vector<const Symbol *> symbols; // sorted by address; symbols with the same address by size, the largest first
    for (const Symbol &s : image.symbols) {
        if (executable(image, s.address)) symbols.push_back(&s);
    }
    std::ranges::stable_sort(symbols, [](const Symbol *a, const Symbol *b) {
        return a->address != b->address ? a->address < b->address : a->size > b->size;
    });
    for (std::size_t k = 0; k < symbols.size(); k++) {
        const Symbol &s = *symbols[k];
        if (functions_.size() > begin && s.address < functions_.back().end) continue;
        const std::uint32_t next = k + 1 < symbols.size() ? symbols[k + 1]->address : s.address;
        const std::uint32_t size = s.size != 0 ? s.size : next - s.address;
        if (size != 0 && s.address <= std::numeric_limits<std::uint32_t>::max() - size) {
            functions_.push_back({s.address, s.address + size, std::string(image.name_in_c(s.name)) + after_name});
        }
    }
}

Functions::Range Functions::find(std::uint32_t address, std::uint32_t program) const {
    const auto begin = functions_.begin() + begins_[program];
    const auto end = program + 1 < begins_.size() ? functions_.begin() + begins_[program + 1] : functions_.end();
    const auto after =
        std::upper_bound(begin, end, address, [](std::uint32_t a, const Function &f) { return a < f.begin; });
    const std::uint32_t next = after == end ? std::numeric_limits<std::uint32_t>::max() : after->begin - 1;
    if (after == begin) return {0, next, 0};
    const auto found = after - 1;
    if (address < found->end) {
        return {found->begin, found->end - 1, static_cast<std::uint32_t>(found - functions_.begin())};
    }
    return {found->end, next, 0};
}

} // namespace skerry::sim
