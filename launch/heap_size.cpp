// SPDX-License-Identifier: BSD-3-Clause
// Reads a size such as "3.1M": a number times a factor, rounded up to whole bytes. "3.1M" is 3250586 bytes. The section
// "Environment Variables" of OpenSHMEM 1.6 defines this form.
#include "heap_size.hpp"

#include "../src/machine/linux/layout.h"
#include "message.hpp"
#include "variables.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace skerry {

namespace {

constexpr uint64_t huge_page_bytes = uint64_t{2} << 20;

// Returns the base-2 logarithm of the factor that a suffix stands for, for example 10 for 'k'. Returns an empty value
// for any other character.
std::optional<int> suffix_shift(char suffix) {
    switch (suffix) {
    case 'k':
    case 'K': return 10;
    case 'm':
    case 'M': return 20;
    case 'g':
    case 'G': return 30;
    case 't':
    case 'T': return 40;
    default: return std::nullopt;
    }
}

std::string_view without_unit(std::string_view text) {
    const size_t i = text.starts_with('i') || text.starts_with('I') ? 1 : 0;
    return i < text.size() && (text[i] == 'b' || text[i] == 'B') ? text.substr(i + 1) : text;
}

} // namespace

std::optional<Size> parse_size(std::string_view text) {
    const auto is_number_start = [](char c) { return (c >= '0' && c <= '9') || c == '.'; };
    if (text.empty() || !is_number_start(text.front())) // this also refuses a sign, "inf" and "nan"
        return std::nullopt;
    double number = 0;
    const char *end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
    if (error != std::errc{}) return std::nullopt;
    int shift = 0;
    std::string_view behind(rest, static_cast<size_t>(end - rest));
    if (!behind.empty()) {
        const auto found = suffix_shift(behind.front());
        if (!found) return std::nullopt;
        shift = *found;
        behind = without_unit(behind.substr(1));
    }
    const double bytes = std::ceil(std::ldexp(number, shift));
    if (!(bytes > 0 && bytes < 0x1p63)) return std::nullopt;
    return Size{static_cast<uint64_t>(bytes), behind};
}

uint64_t choose_heap_bytes(const char *option) {
    std::string setting = option == nullptr ? "" : fmt::format("--heap {}", option); // for messages
    const char *text = option;
    for (const char *variable : {"SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE"}) {
        if (text == nullptr) {
            text = environment_value(variable);
            if (text != nullptr) setting = fmt::format("{}={}", variable, text);
        }
    }
    if (text == nullptr) return SKERRY_HEAP_BYTES_DEFAULT;
    const auto size = parse_size(text);
    if (!size || (text == option && !size->behind.empty()))
        stop(exit_usage, fmt::format("{}: not a size (a number above 0, then k, m, g or t)", setting));
    if (!size->behind.empty()) // OpenSHMEM 1.6 says that such characters are ignored
        say(fmt::format("{}: taken as {} bytes; the characters after the factor are ignored", setting, size->bytes));
    if (size->bytes > SKERRY_HEAP_BYTES_MAX)
        stop(exit_usage,
             fmt::format("{}: a PE's symmetric heap holds at most {} MB", setting, SKERRY_HEAP_BYTES_MAX >> 20));
    const uint64_t pages = (size->bytes + huge_page_bytes - 1) / huge_page_bytes;
    return pages * huge_page_bytes;
}

} // namespace skerry
