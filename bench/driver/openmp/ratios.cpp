// SPDX-License-Identifier: BSD-3-Clause
// Writes the report of `skerry bench omp`. Each figure has a row: our time, the times of the other contenders, and the
// limit (the time of threads without any library). The row also has our time divided by the better peer's, and the
// required condition.
#include "message.hpp"
#include "openmp/openmp.hpp"
#include "report/json_text.hpp"
#include "report/report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <tuple>

namespace skerry::bench {

namespace {

// Shortest time that a ratio uses: a shorter time counts as `noise`. The time of the work is subtracted from each
// figure. A figure can therefore be near zero, and a ratio of two such figures has no meaning.
constexpr double noise = 1; // ns

struct Judged {
    std::string text; // the required condition; empty: there is none
    std::optional<bool> holds;
};

struct OmpRow {
    OmpKey key;
    Spread line, limit, by_limit, by_peer;
    Spread beyond_by_limit; // by_limit, after OmpBar::beyond_limit was subtracted from our time
    std::map<std::string, Spread> times, means, deviations; // by contender
    std::string better;                                     // name of the fastest peer
    bool steady = true;
    Judged judged;
};

double ratio(double ours, double theirs) {
    return std::max(ours, noise) / std::max(theirs, noise);
}

using Rounds = std::vector<const OmpRound *>;

// Returns the steady rounds in which the figure was measured: rounds in which the machine kept its speed. If there is
// no such round, returns all rounds in which the figure was measured, and sets `steady` to false.
Rounds rounds_of(const OmpSession &session, const OmpKey &key, bool &steady) {
    Rounds all, chosen;
    for (const OmpRound &round : session.rounds)
        if (std::any_of(round.of.begin(), round.of.end(), [&](const auto &run) { return run.second.contains(key); })) {
            all.push_back(&round);
            if (round.steady) chosen.push_back(&round);
        }
    steady = !chosen.empty();
    return steady ? chosen : all;
}

const OmpFigure *find(const OmpRound &round, const std::string &contender, const OmpKey &key) {
    const auto run = round.of.find(contender);
    if (run == round.of.end()) return nullptr;
    const auto figure = run->second.find(key);
    return figure == run->second.end() ? nullptr : &figure->second;
}

void gather_times(const OmpSession &session, const Rounds &rounds, OmpRow &row) {
    for (const OmpContender &contender : session.contenders) {
        std::vector<double> times, means, deviations;
        for (const OmpRound *round : rounds)
            if (const OmpFigure *figure = find(*round, contender.name, row.key)) {
                times.push_back(figure->median);
                means.push_back(figure->mean);
                deviations.push_back(figure->deviation);
            }
        if (times.empty()) continue;
        row.times[contender.name] = spread_of(times);
        row.means[contender.name] = spread_of(means);
        row.deviations[contender.name] = spread_of(deviations);
        const bool better = row.better.empty() || row.times[contender.name].median < row.times[row.better].median;
        if (contender.is_peer && better) row.better = contender.name;
    }
}

void gather_ratios(const OmpSession &session, const Rounds &rounds, const OmpBar *bar, OmpRow &row) {
    const OmpLimit limit = omp_limit_of(row.key.figure, row.key.threads, row.key.parameter);
    std::vector<double> lines, limits, by_limit, beyond_by_limit, by_peer;
    for (const OmpRound *round : rounds) {
        lines.push_back((round->line_before + round->line_after) / 2);
        const OmpFigure *ours = find(*round, session.contenders[0].name, row.key);
        const OmpFigure *theirs = row.better.empty() ? nullptr : find(*round, row.better, row.key);
        if (ours && theirs) by_peer.push_back(ratio(ours->median, theirs->median));
        const auto found = round->limits.find({limit.name, limit.parameter});
        if (found == round->limits.end()) continue;
        limits.push_back(found->second);
        if (!ours) continue;
        by_limit.push_back(ratio(ours->median, found->second));
        beyond_by_limit.push_back(ratio(ours->median - (bar ? bar->beyond_limit : 0), found->second));
    }
    row.line = spread_of(lines);
    row.limit = spread_of(limits);
    row.by_limit = spread_of(by_limit);
    row.beyond_by_limit = spread_of(beyond_by_limit);
    row.by_peer = spread_of(by_peer);
}

// Returns our time in this row divided by our time with one thread, if both were measured.
std::optional<double> by_alone(const std::vector<OmpRow> &rows, const OmpRow &row, const std::string &ours) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const OmpRow &other) {
        return other.key.figure == row.key.figure && other.key.parameter == row.key.parameter && other.key.threads == 1;
    });
    if (found == rows.end() || !found->times.contains(ours) || !row.times.contains(ours)) return std::nullopt;
    return row.times.at(ours).median / found->times.at(ours).median;
}

// Judges whether the conditions of a bar (OmpBar) hold. If a value of a condition was not measured, another condition
// can still decide the result. If none does, the result is unknown.
Judged judge(const OmpBar &bar, const std::vector<OmpRow> &rows, const OmpRow &row, const std::string &ours) {
    Words texts;
    std::vector<std::optional<bool>> conditions;
    const auto add = [&](const std::string &text, bool known, double value, double most) {
        texts.push_back(text);
        conditions.push_back(known ? std::optional(value <= most) : std::nullopt);
    };
    if (bar.by_peer > 0)
        add(fmt::format("<= {:.3g}x peer", bar.by_peer), row.by_peer.count > 0, row.by_peer.median, bar.by_peer);
    if (bar.no_slower) add("no slower", row.by_peer.count > 0, row.by_peer.quartile1, 1);
    if (bar.by_limit > 0) {
        const std::string more = bar.beyond_limit > 0 ? fmt::format(" + {} ns", bar.beyond_limit) : "";
        add(fmt::format("<= {}x limit{}", bar.by_limit, more), row.by_limit.count > 0, row.beyond_by_limit.median,
            bar.by_limit);
    }
    if (bar.by_alone > 0) {
        const std::optional<double> alone = by_alone(rows, row, ours);
        add(fmt::format("<= {:.3g}x 1 thread", bar.by_alone), alone.has_value(), alone.value_or(0), bar.by_alone);
    }
    Judged judged{fmt::format("{}", fmt::join(texts, bar.any ? " or " : ", ")), !bar.any};
    for (const std::optional<bool> &condition : conditions) {
        if (condition == bar.any) return {judged.text, bar.any}; // this condition decides
        if (!condition) judged.holds = std::nullopt;
    }
    return judged;
}

auto rank_of(const OmpKey &key) {
    size_t program = 0, figure = 0;
    const std::vector<OmpProgram> &programs = omp_programs();
    while (program < programs.size() && programs[program].name != key.program) ++program;
    if (program < programs.size()) {
        const Words &figures = programs[program].figures;
        figure = static_cast<size_t>(std::find(figures.begin(), figures.end(), key.figure) - figures.begin());
    }
    return std::tuple(program, figure, key.parameter, key.threads);
}

const OmpBar *bar_for(const OmpSession &session, const OmpKey &key) {
    const bool as_stated = session.processors == 2 || (key.threads == 2 && session.processors > 2);
    return as_stated ? omp_bar_of(key.figure, key.threads) : nullptr;
}

std::vector<OmpRow> rows_of(const OmpSession &session) {
    std::vector<OmpKey> keys;
    for (const OmpRound &round : session.rounds)
        for (const auto &[contender, figures] : round.of)
            for (const auto &[key, figure] : figures) keys.push_back(key);
    std::sort(keys.begin(), keys.end(), [](const OmpKey &a, const OmpKey &b) { return rank_of(a) < rank_of(b); });
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::vector<OmpRow> rows;
    for (const OmpKey &key : keys) {
        OmpRow row;
        row.key = key;
        const Rounds rounds = rounds_of(session, key, row.steady);
        gather_times(session, rounds, row);
        gather_ratios(session, rounds, bar_for(session, key), row);
        rows.push_back(row);
    }
    for (OmpRow &row : rows)
        if (const OmpBar *bar = bar_for(session, row.key))
            row.judged = judge(*bar, rows, row, session.contenders[0].name);
    return rows;
}

// -- Text --------------------------------------------------------------------------------------------------------------

std::string header(const OmpSession &session) {
    std::string text;
    for (const OmpContender &contender : session.contenders)
        text += fmt::format("{}: {}\n", contender.name, contender.implementation);
    for (const std::string &note : session.notes) text += note + "\n";
    std::vector<double> lines;
    for (const OmpRound &round : session.rounds) lines.push_back(round.line_after);
    if (const Spread line = spread_of(lines); line.median > 0)
        text += fmt::format(
            "A cache line moves from one processor to another in {} ({} to {} over the middle half of the rounds).\n",
            format_time(line.median), format_time(line.quartile1), format_time(line.quartile3));
    text += fmt::format("{} processors; {} rounds; {} rounds were repeated, because this time changed by more than 15 "
                        "% or\nother programs used more than 5 % of the processors.\n",
                        session.processors, session.rounds.size(), session.dropped);
    const auto unsteady = std::count_if(session.rounds.begin(), session.rounds.end(),
                                        [](const OmpRound &round) { return !round.steady; });
    if (unsteady > 0)
        text += fmt::format(
            "{} rounds were disturbed in every try; they are used only for figures without another round (marked ~).\n",
            unsteady);
    return text;
}

std::string time_or_dash(const std::map<std::string, Spread> &times, const std::string &name) {
    const auto found = times.find(name);
    return found == times.end() ? "-" : format_time(found->second.median);
}

std::string ratio_or_dash(const Spread &spread) {
    return spread.count == 0 ? "-"
                             : fmt::format("{:.2f} [{:.2f} {:.2f}]", spread.median, spread.quartile1, spread.quartile3);
}

std::string holds_text(const Judged &judged) {
    if (judged.text.empty()) return "";
    return !judged.holds ? "not known" : *judged.holds ? "holds" : "does not hold";
}

size_t width_of(const OmpContender &contender) {
    constexpr size_t least = 9;
    return std::max(least, contender.name.size());
}

std::string row_text(const OmpSession &session, const OmpRow &row) {
    const std::string &ours = session.contenders[0].name;
    const auto found = row.times.find(ours);
    const std::string spread = found == row.times.end() ? ""
                                                        : fmt::format("[{} {}]", format_time(found->second.quartile1),
                                                                      format_time(found->second.quartile3));
    std::string text = fmt::format("{:<22}{:>3}{:>8}{}{:>10}  {:<22}{:>9}", row.key.figure, row.key.threads,
                                   format_bytes(static_cast<size_t>(row.key.parameter)), row.steady ? " " : "~",
                                   time_or_dash(row.times, ours), spread, format_time(row.line.median));
    for (size_t i = 1; i < session.contenders.size(); ++i)
        text += fmt::format(" {:>{}}", time_or_dash(row.times, session.contenders[i].name),
                            width_of(session.contenders[i]));
    text += fmt::format(" {:>9}  {:<18} {:>6}  {:<37}{}", row.limit.count > 0 ? format_time(row.limit.median) : "-",
                        ratio_or_dash(row.by_peer),
                        row.by_limit.count > 0 ? fmt::format("{:.2f}", row.by_limit.median) : "-", row.judged.text,
                        holds_text(row.judged));
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

} // namespace

std::string omp_text(const OmpSession &session) {
    std::string text = header(session);
    text += fmt::format("\n{:<22}{:>3}{:>8} {:>10}  {:<22}{:>9}", "", "thr", "", session.contenders[0].name,
                        "quartiles", "line");
    for (size_t i = 1; i < session.contenders.size(); ++i)
        text += fmt::format(" {:>{}}", session.contenders[i].name, width_of(session.contenders[i]));
    text += fmt::format(" {:>9}  {:<18} {:>6}  {}\n", "limit", "by better peer", "by lim", "must hold");
    int holds = 0, misses = 0, unknown = 0;
    for (const OmpRow &row : rows_of(session)) {
        text += row_text(session, row);
        if (row.judged.text.empty()) continue;
        ++(!row.judged.holds ? unknown : *row.judged.holds ? holds : misses);
    }
    text += fmt::format("\n{} bars hold, {} do not hold, {} are not known.\n", holds, misses, unknown);
    return text;
}

// -- JSON --------------------------------------------------------------------------------------------------------------

namespace {

std::string spread_json(const Spread &spread) {
    if (spread.count == 0) return "null";
    return fmt::format(R"({{"median": {}, "quartile1": {}, "quartile3": {}, "count": {}}})", json_number(spread.median),
                       json_number(spread.quartile1), json_number(spread.quartile3), spread.count);
}

std::string row_json(const OmpRow &row) {
    Words times;
    for (const auto &[name, time] : row.times)
        times.push_back(fmt::format(R"({}: {{"time": {}, "mean": {}, "deviation": {}}})", json_string(name),
                                    spread_json(time), row.means.at(name).median, row.deviations.at(name).median));
    return fmt::format(
        R"({{"program": {}, "name": {}, "threads": {}, "parameter": {}, "steady": {}, "line": {}, "of": {{{}}}, "limit": {}, )"
        R"("better_peer": {}, "by_peer": {}, "by_limit": {}, "bar": {}, "holds": {}}})",
        json_string(row.key.program), json_string(row.key.figure), row.key.threads, row.key.parameter, row.steady,
        spread_json(row.line), fmt::join(times, ", "), spread_json(row.limit), json_string(row.better),
        spread_json(row.by_peer), spread_json(row.by_limit), json_string(row.judged.text),
        row.judged.holds ? (*row.judged.holds ? "true" : "false") : "null");
}

} // namespace

std::string omp_json(const OmpSession &session) {
    Words contenders, notes, rows;
    for (const OmpContender &contender : session.contenders)
        contenders.push_back(fmt::format("{}: {}", json_string(contender.name), json_string(contender.implementation)));
    for (const std::string &note : session.notes) notes.push_back(json_string(note));
    for (const OmpRow &row : rows_of(session)) rows.push_back(row_json(row));
    return fmt::format("{{\n  \"unit\": \"ns\",\n  \"contenders\": {{{}}},\n  \"processors\": {},\n  \"rounds\": {},\n"
                       "  \"dropped\": {},\n  \"notes\": [{}],\n  \"results\": [\n    {}\n  ]\n}}\n",
                       fmt::join(contenders, ", "), session.processors, session.rounds.size(), session.dropped,
                       fmt::join(notes, ", "), fmt::join(rows, ",\n    "));
}

} // namespace skerry::bench
