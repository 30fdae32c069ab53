// SPDX-License-Identifier: BSD-3-Clause
#include "trace/report.hpp"

#include <string_view>

#include <nlohmann/json.hpp>

#include "trace/page.hpp"

namespace skerry::sim {
namespace {

// Replaces each "<" of the JSON text by its escape code. The text "</script" would end the page's script element too
// early, and "<!--" would start a comment.
std::string for_script(const std::string &data) {
    std::string text;
    text.reserve(data.size());
    for (const char c : data) {
        if (c == '<') text += "\\u003c";
        else text += c;
    }
    return text;
}

} // namespace

std::string report_page(const Run &run) {
    constexpr std::string_view mark = "RUN_DATA";
    std::string text(page);
    const std::size_t at = text.find(mark);
    return text.replace(at, mark.size(), for_script(to_text(to_json(run, true))));
}

} // namespace skerry::sim
