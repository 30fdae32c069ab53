// SPDX-License-Identifier: BSD-3-Clause
// Writes the results as text for people and as JSON.
#pragma once

#include "session.hpp"

namespace skerry::bench {

struct Report {
    const Options &options;
    const Session &session;
    const Contender &ours;
    const std::vector<Contender> &peers;
    std::vector<Row> rows;
    Results segments; // empty: not requested
};

struct FitRow {
    std::string name;
    int pes;
    std::string contender;
    Fit fit;
};

std::string format_time(double nanoseconds); // three digits and a unit
std::string format_bytes(size_t bytes);
std::string markdown(const std::vector<std::string> &head,
                     const std::vector<std::vector<std::string>> &rows); // returns a table
std::vector<std::string> opponent_names(const Report &report); // limit_name if any row has a limit, then the peers
std::vector<FitRow> fit_rows(const Report &report);

std::string text_header(const Report &report); // contenders, time of a cache line, numbers of pairs and dropped pairs
std::string text_table(const Report &report);
std::string text_fits(const Report &report);
std::string text_pairs(const Report &report);
std::string json_report(const Report &report);

} // namespace skerry::bench
