// SPDX-License-Identifier: BSD-3-Clause
// Formats strings and numbers as JSON, for all reports.
#pragma once

#include <cmath>
#include <fmt/format.h>
#include <string>

namespace skerry::bench {

// Returns the text as a JSON string. Characters below 0x20 are written as \u and four digits, because JSON does not allow
// them in a string. Other bytes are UTF-8 and stay as they are.
inline std::string json_string(const std::string &text) {
    std::string result = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') result += '\\';
        if (static_cast<unsigned char>(letter) < 0x20) result += fmt::format("\\u{:04x}", static_cast<int>(letter));
        else result += letter;
    }
    return result + "\"";
}

// Returns the number, or null if it is infinite or not a number, which JSON cannot express.
inline std::string json_number(double number) {
    return std::isfinite(number) ? fmt::format("{}", number) : std::string("null");
}

} // namespace skerry::bench
