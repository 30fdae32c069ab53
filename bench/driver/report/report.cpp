// SPDX-License-Identifier: BSD-3-Clause
#include "report/report.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skerry::bench {

namespace {

// Returns the ratio that the report shows. For the limit (a program without any library) it is our time divided by the
// limit; 1 means that we reach the limit. For a peer (another implementation) it is the peer's time divided by ours;
// above 1 means that Skerry is faster.
double shown_ratio(const std::string &opponent, double ours_by_theirs) {
    return opponent == limit_name ? ours_by_theirs : 1 / ours_by_theirs;
}

std::string format_speed(const Key &key, double nanoseconds) {
    return key.bytes < 1024 ? "" : fmt::format("{:.3g} GB/s", static_cast<double>(key.bytes) / nanoseconds);
}

} // namespace

std::string format_time(double nanoseconds) {
    static constexpr const char *units[] = {"ns", "us", "ms", "s"};
    size_t unit = 0;
    for (; unit < 3 && nanoseconds >= 999.5; ++unit) nanoseconds /= 1000;
    const int decimals = nanoseconds < 9.995 ? 2 : nanoseconds < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f} {}", nanoseconds, decimals, units[unit]);
}

std::string format_bytes(size_t bytes) {
    if (bytes >= 1048576 && bytes % 1048576 == 0) return fmt::format("{}M", bytes / 1048576);
    if (bytes >= 1024 && bytes % 1024 == 0) return fmt::format("{}K", bytes / 1024);
    return bytes == 0 ? "" : std::to_string(bytes);
}

std::string markdown(const std::vector<std::string> &head, const std::vector<std::vector<std::string>> &rows) {
    const auto line = [](const std::vector<std::string> &row) {
        return fmt::format("| {} |\n", fmt::join(row, " | "));
    };
    std::string text = line(head) + "| ---";
    for (size_t column = 1; column < head.size(); ++column) text += " | ---:";
    text += " |\n";
    for (const auto &row : rows) text += line(row);
    return text + "\n";
}

std::vector<std::string> opponent_names(const Report &report) {
    std::vector<std::string> names;
    for (const Row &row : report.rows)
        if (row.versus.contains(limit_name)) {
            names.push_back(limit_name);
            break;
        }
    for (const Contender &peer : report.peers) names.push_back(peer.name);
    return names;
}

std::string text_header(const Report &report) {
    std::vector<double> lines;
    int unsteady = 0;
    for (const Pair &pair : report.session.pairs()) {
        lines.push_back(pair.line_after);
        unsteady += !pair.steady;
    }
    std::string text = fmt::format("skerry: OpenSHMEM {}\n", report.ours.implementation);
    for (const Contender &peer : report.peers)
        text += fmt::format("{}: OpenSHMEM {}\n", peer.name, peer.implementation);
    if (const Spread line = spread_of(lines); line.median > 0)
        text += fmt::format(
            "A cache line moves from one processor to another in {} ({} to {} over the middle half of the pairs).\n",
            format_time(line.median), format_time(line.quartile1), format_time(line.quartile3));
    text += fmt::format("{} pairs of runs; {} pairs were repeated, because this time changed by more than 20 %.\n",
                        report.session.pairs().size(), report.session.dropped());
    if (unsteady > 0)
        text += fmt::format("{} pairs were disturbed in every try; they are used only for figures without another pair "
                            "(marked ~): is the machine busy?\n",
                            unsteady);
    return text;
}

std::string text_table(const Report &report) {
    const std::vector<std::string> names = opponent_names(report);
    std::string text = fmt::format("{:<17}{:>5}{:>7} {:>10}  {:<22}{:>12}{:>10}", "", "PEs", "bytes", "skerry",
                                   "  quartiles", "", "line");
    for (const std::string &name : names)
        text += fmt::format("{:>12.11}{:>8}", name, name == limit_name ? "by it" : "faster");
    text += "\n";
    for (const Row &row : report.rows) {
        text += fmt::format("{:<17}{:>5}{:>7}{}{:>10}  [{:>9} {:>9}] {:>12}{:>10}", row.key.name, row.key.pes,
                            format_bytes(row.key.bytes), row.steady ? ' ' : '~', format_time(row.ours.median),
                            format_time(row.ours.quartile1), format_time(row.ours.quartile3),
                            format_speed(row.key, row.ours.median), format_time(row.line.median));
        for (const std::string &name : names) {
            const auto versus = row.versus.find(name);
            if (versus == row.versus.end()) text += fmt::format("{:>12}{:>8}", "-", "");
            else
                text += fmt::format("{:>12}{:>8.2f}", format_time(versus->second.theirs.median),
                                    shown_ratio(name, versus->second.ratio.median));
        }
        text += "\n";
    }
    return text;
}

std::vector<FitRow> fit_rows(const Report &report) {
    std::map<std::tuple<size_t, std::string, int>, std::map<std::string, std::vector<Point>>> series;
    for (size_t i = 0; i < report.rows.size(); ++i) {
        const Row &row = report.rows[i];
        const Benchmark *benchmark = find_benchmark(row.key.name);
        if (!benchmark || !benchmark->sized) continue;
        const auto order = static_cast<size_t>(benchmark - benchmarks().data());
        auto &curves = series[{order, row.key.name, row.key.pes}];
        const auto bytes = static_cast<double>(row.key.bytes);
        curves["skerry"].push_back({bytes, row.ours.median});
        for (const auto &[name, versus] : row.versus) curves[name].push_back({bytes, versus.theirs.median});
    }
    std::vector<FitRow> fits;
    std::vector<std::string> names = opponent_names(report);
    names.insert(names.begin(), "skerry");
    for (const auto &[key, curves] : series)
        for (const std::string &name : names)
            if (const auto curve = curves.find(name); curve != curves.end())
                if (const Fit fit = fit_line(curve->second); fit.valid)
                    fits.push_back({std::get<1>(key), std::get<2>(key), name, fit});
    return fits;
}

std::string text_fits(const Report &report) {
    const std::vector<FitRow> fits = fit_rows(report);
    if (fits.empty()) return {};
    std::string text = "\nTime of L bytes = alpha + beta L, with standard deviations:\n";
    for (const FitRow &row : fits) {
        const Fit &fit = row.fit;
        text += fmt::format(
            "{:<17}{:>5} {:<12} alpha {:>9.1f} +- {:<9.1f} ns   beta {:.5f} +- {:.5f} ns/B   1/beta {:.3g} GB/s\n",
            row.name, row.pes, row.contender, fit.alpha, fit.alpha_deviation, fit.beta, fit.beta_deviation,
            1 / fit.beta);
    }
    return text;
}

std::string text_pairs(const Report &report) {
    std::string text = "\nPairs, with the time of a cache line between two processors before and after:\n";
    for (const Pair &pair : report.session.pairs())
        for (const auto &[key, ours] : pair.ours) {
            const auto theirs = pair.theirs.find(key);
            text += fmt::format("{:<17}{:>5}{:>7}  line {:>8} {:>8}{} skerry {:>9}", key.name, key.pes,
                                format_bytes(key.bytes), format_time(pair.line_before), format_time(pair.line_after),
                                pair.steady ? ' ' : '~', format_time(ours));
            if (theirs != pair.theirs.end())
                text += fmt::format("  {} {:>9}  {:.2f}", pair.opponent, format_time(theirs->second),
                                    shown_ratio(pair.opponent, ours / theirs->second));
            text += "\n";
        }
    return text;
}

} // namespace skerry::bench
