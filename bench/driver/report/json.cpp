// SPDX-License-Identifier: BSD-3-Clause
// Writes the report as JSON. All times are in ns. "ratio" is our time divided by the opponent's. An opponent is a limit
// (a program without any library) or a peer (another OpenSHMEM implementation).
#include "report/json_text.hpp"
#include "report/report.hpp"

#include <fmt/format.h>

namespace skerry::bench {

namespace {

std::string spread_json(const Spread &spread) {
    return fmt::format(R"({{"median": {}, "quartile1": {}, "quartile3": {}, "count": {}}})", json_number(spread.median),
                       json_number(spread.quartile1), json_number(spread.quartile3), spread.count);
}

std::string key_json(const Key &key) {
    return fmt::format(R"("name": {}, "pes": {}, "bytes": {})", json_string(key.name), key.pes, key.bytes);
}

std::string row_json(const Row &row) {
    std::string versus;
    for (const auto &[name, other] : row.versus)
        versus += fmt::format(R"({}{}: {{"time": {}, "ratio": {}}})", versus.empty() ? "" : ", ", json_string(name),
                              spread_json(other.theirs), spread_json(other.ratio));
    return fmt::format(R"({{{}, "time": {}, "line": {}, "steady": {}, "versus": {{{}}}}})", key_json(row.key),
                       spread_json(row.ours), spread_json(row.line), row.steady, versus);
}

std::string results_json(const Results &results) {
    std::string text;
    for (const auto &[key, value] : results)
        text += fmt::format(R"({}{{{}, "time": {}}})", text.empty() ? "" : ", ", key_json(key), json_number(value));
    return "[" + text + "]";
}

std::string pair_json(const Pair &pair) {
    return fmt::format(
        R"({{"opponent": {}, "line_before": {}, "line_after": {}, "steady": {}, "skerry": {}, "other": {}}})",
        json_string(pair.opponent), pair.line_before, pair.line_after, pair.steady, results_json(pair.ours),
        results_json(pair.theirs));
}

std::string fit_json(const FitRow &row) {
    return fmt::format(
        R"({{"name": {}, "pes": {}, "contender": {}, "alpha": {}, "alpha_deviation": {}, "beta": {}, "beta_deviation": {}}})",
        json_string(row.name), row.pes, json_string(row.contender), json_number(row.fit.alpha),
        json_number(row.fit.alpha_deviation), json_number(row.fit.beta), json_number(row.fit.beta_deviation));
}

template <class List, class Format> std::string list_json(const List &list, Format format) {
    std::string text;
    for (const auto &item : list) text += (text.empty() ? "\n    " : ",\n    ") + format(item);
    return "[" + text + "\n  ]";
}

} // namespace

std::string json_report(const Report &report) {
    std::string contenders = fmt::format(R"("skerry": {})", json_string(report.ours.implementation));
    for (const Contender &peer : report.peers)
        contenders += fmt::format(", {}: {}", json_string(peer.name), json_string(peer.implementation));
    const auto failure = [](const Failed &f) {
        return fmt::format(R"({{"contender": {}, "text": {}}})", json_string(f.opponent), json_string(f.text));
    };
    return fmt::format(
        "{{\n  \"unit\": \"ns\",\n  \"contenders\": {{{}}},\n  \"dropped\": {},\n  \"results\": {},\n  \"fits\": {},\n"
        "  \"failures\": {},\n  \"pairs\": {},\n  \"segments\": {}\n}}\n",
        contenders, report.session.dropped(), list_json(report.rows, row_json), list_json(fit_rows(report), fit_json),
        list_json(report.session.failures(), failure), list_json(report.session.pairs(), pair_json),
        results_json(report.segments));
}

} // namespace skerry::bench
