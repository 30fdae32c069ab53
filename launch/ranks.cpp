// SPDX-License-Identifier: BSD-3-Clause
#include "ranks.hpp"

#include <charconv>
#include <fmt/format.h>

namespace skerry {

namespace {

std::string join(const auto &ranges, std::string_view separator) {
    std::string text;
    for (const auto &[first, last] : ranges) {
        text += fmt::format("{}{}", text.empty() ? "" : separator, first);
        if (last > first) text += fmt::format("-{}", last);
    }
    return text;
}

} // namespace

void RankList::add(int first, int last) {
    if (!ranges_.empty() && ranges_.back().last + 1 == first) ranges_.back().last = last;
    else ranges_.push_back({first, last});
}

bool RankList::add(std::string_view text) {
    const char *at = text.data(), *const end = at + text.size();
    while (at < end) {
        int first = 0, last = 0;
        auto number = std::from_chars(at, end, first);
        last = first;
        if (number.ec == std::errc{} && number.ptr < end && *number.ptr == '-')
            number = std::from_chars(number.ptr + 1, end, last);
        if (number.ec != std::errc{} || (number.ptr < end && *number.ptr != ',')) return false;
        add(first, last);
        at = number.ptr + (number.ptr < end ? 1 : 0);
    }
    return true;
}

int RankList::count() const {
    int count = 0;
    for (const auto &[first, last] : ranges_) count += last - first + 1;
    return count;
}

std::string RankList::describe() const {
    if (ranges_.empty()) return "no PEs";
    return fmt::format("{} {}", count() == 1 ? "PE" : "PEs", join(ranges_, ", "));
}

std::string RankList::ranks() const {
    return join(ranges_, ",");
}

} // namespace skerry
