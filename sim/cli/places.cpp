// SPDX-License-Identifier: BSD-3-Clause
#include "cli/places.hpp"

#include <charconv>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "trace/functions.hpp"

namespace skerry::sim {
namespace {

std::optional<std::uint32_t> number(std::string_view text, int base) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<std::uint32_t> address_of(const std::string &text) {
    return text.starts_with("0x") ? number(std::string_view(text).substr(2), 16) : number(text, 10);
}

// Returns the addresses at which the code of a source line begins. Each function that contains code of this line gives
// one address: that of its first piece of code of the line.
std::vector<std::uint32_t> line_addresses(std::string_view file, std::uint32_t line, const ElfImage &image,
                                          const LineTable &lines) {
    const Functions functions(image);
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> found;
    for (const std::uint32_t address : lines.addresses(file, line)) {
        if (seen.insert(functions.find(address).begin).second) found.push_back(address);
    }
    return found;
}

} // namespace

std::vector<std::uint32_t> find_places(const std::string &where, const ElfImage &image, const LineTable &lines,
                                       std::string &error) {
    if (const auto address = address_of(where)) {
        if ((*address & 1) == 0) return {*address};
        error = "the address of an instruction must be even";
        return {};
    }
    if (const std::size_t colon = where.rfind(':'); colon != std::string::npos) {
        const auto line = number(std::string_view(where).substr(colon + 1), 10);
        if (!line || colon == 0) error = "a line of the source must be given as FILE:LINE";
        else if (lines.empty()) error = "the program has no debug information; compile it with -g";
        if (!error.empty()) return {};
        const auto found = line_addresses(where.substr(0, colon), *line, image, lines);
        if (found.empty()) error = "the program has no code of this line or a later one";
        return found;
    }
    const Symbol *symbol = image.find(where);
    if (symbol != nullptr) return {symbol->address};
    error = "the program has no such symbol";
    return {};
}

std::string words_for(std::uint32_t address, const ElfImage &image, const LineTable &lines) {
    const std::string name = image.name_of(address);
    const SourceLine line = lines.find(address);
    std::string text = name.empty() ? std::string() : fmt::format(" <{}>", name);
    if (line.file != nullptr) text += fmt::format(" at {}:{}", *line.file, line.line);
    return text;
}

} // namespace skerry::sim
