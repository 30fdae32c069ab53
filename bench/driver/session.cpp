// SPDX-License-Identifier: BSD-3-Clause
#include "session.hpp"

#include "message.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <sched.h>

namespace skerry::bench {

namespace {

constexpr double line_may_move = 0.2; // allowed relative change of the one-way time of a cache line during a pair
constexpr int attempts_most = 4;      // number of times that a pair is measured if the time changes
constexpr double quick_seconds = 10;  // with --quick no round begins that would end later than this

int count_processors() {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

bool moved(double before, double after) {
    return std::abs(after - before) > line_may_move * std::min(before, after);
}

size_t rank_of(const std::string &name) {
    size_t rank = 0;
    for (const Benchmark &b : benchmarks()) {
        if (b.name == name) break;
        ++rank;
    }
    return rank;
}

} // namespace

Session::Session(const Options &options_, const Places &places_, Contender &ours_, std::vector<Contender> &peers_)
    : options(options_), places(places_), ours(ours_), peers(peers_), processors(count_processors()) {
}

std::vector<std::string> Session::opponents_of(const Job &job) const {
    std::vector<std::string> list;
    const auto limited = [&](const std::string &name) {
        return !limit_of(Key{name, job.pes, job.sizes.empty() ? 8 : job.sizes[0]}, processors).program.empty();
    };
    if (options.limits && std::any_of(job.names.begin(), job.names.end(), limited)) list.push_back(limit_name);
    for (const Contender &peer : peers) list.push_back(peer.name);
    if (list.empty()) list.emplace_back();
    return list;
}

Results Session::run_opponent(const Job &job, const std::string &opponent) {
    if (opponent.empty()) return {};
    if (opponent == limit_name) return run_limits(places, last.at(&job), processors, job.seconds);
    for (Contender &peer : peers)
        if (peer.name == opponent) return run_job(peer, job);
    return {};
}

void Session::measure_pair(const Job &job, const std::string &opponent, bool ours_first) {
    for (int attempt = 1;; ++attempt) {
        Pair pair;
        pair.opponent = opponent;
        if (line <= 0) line = one_way_time(places, options.seconds);
        pair.line_before = line;
        if (ours_first || !last.contains(&job)) pair.ours = last[&job] = run_job(ours, job);
        pair.theirs = run_opponent(job, opponent);
        if (pair.ours.empty()) pair.ours = run_job(ours, job);
        pair.line_after = line = one_way_time(places, options.seconds);
        pair.steady = !moved(pair.line_before, pair.line_after);
        if (!pair.steady) ++dropped_pairs;
        if (!pair.steady && attempt < (options.quick ? 2 : attempts_most)) continue;
        kept.push_back(std::move(pair));
        return;
    }
}

void Session::try_pair(const Job &job, const std::string &opponent, bool ours_first, Progress &progress) {
    const std::pair who{&job, opponent};
    if (given_up.contains(who)) return;
    try {
        measure_pair(job, opponent, ours_first);
    } catch (const Failure &failure) {
        if (failure.code != exit_failed || !std::string_view(failure.what()).starts_with(opponent + ":")) throw;
        given_up.insert(who);
        failed.push_back({opponent, failure.what(), job.names, job.pes});
        progress.warn(failure.what());
    }
}

// Measures all jobs in rounds. In each round every job is measured once against each of its opponents. The measurements
// of one job are therefore spread over the whole time of the session.
void Session::measure(const std::vector<Job> &jobs) {
    int steps = 0;
    for (const Job &job : jobs) steps += options.repeat * static_cast<int>(opponents_of(job).size());
    Progress progress(steps);
    const auto began = std::chrono::steady_clock::now();
    for (int round = 0; round < options.repeat; ++round) {
        for (const Job &job : jobs)
            for (const std::string &opponent : opponents_of(job)) {
                progress.step(fmt::format("{} {} PEs {}", fmt::join(job.names, " "), job.pes, opponent));
                try_pair(job, opponent, round % 2 == 0, progress);
            }
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began;
        if (options.quick && spent.count() * (round + 2) / (round + 1) > quick_seconds) break;
    }
    report_wrong(ours, progress);
    for (const Contender &peer : peers) report_wrong(peer, progress);
}

void Session::report_wrong(const Contender &contender, Progress &progress) {
    for (const Key &key : contender.wrong) {
        failed.push_back({contender.name,
                          fmt::format("{}: {} of {} bytes with {} PEs did not deliver the right data", contender.name,
                                      key.name, key.bytes, key.pes),
                          {key.name},
                          key.pes});
        progress.warn(failed.back().text);
    }
}

// Returns true if neither Skerry nor the opponent has delivered wrong data for this figure in any run. If the result is
// false, the report must not compare the two times.
bool Session::right(const std::string &opponent, const Key &key) const {
    if (ours.wrong.contains(key)) return false;
    return std::none_of(peers.begin(), peers.end(),
                        [&](const Contender &peer) { return peer.name == opponent && peer.wrong.contains(key); });
}

namespace {

// Returns the steady pairs of runs: pairs during which the machine kept its speed. If there is no steady pair, returns
// all pairs and sets `steady` to false.
std::vector<const Pair *> choose(const std::vector<const Pair *> &all, bool &steady) {
    std::vector<const Pair *> chosen;
    for (const Pair *pair : all)
        if (pair->steady) chosen.push_back(pair);
    if (!chosen.empty()) return chosen;
    steady = false;
    return all;
}

} // namespace

Row Session::row_of(const Key &key, const std::map<std::string, std::vector<const Pair *>> &by_opponent) const {
    Row row{key, {}, {}, true, {}};
    std::vector<double> times, lines;
    for (const auto &[opponent, all] : by_opponent) {
        std::vector<double> theirs, ratios;
        for (const Pair *pair : choose(all, row.steady)) {
            const double time = pair->ours.at(key);
            times.push_back(time);
            lines.push_back((pair->line_before + pair->line_after) / 2);
            const auto found = pair->theirs.find(key);
            if (found == pair->theirs.end() || !right(opponent, key)) continue;
            theirs.push_back(found->second);
            ratios.push_back(time / found->second);
        }
        if (!theirs.empty()) row.versus[opponent] = {spread_of(theirs), spread_of(ratios)};
    }
    row.ours = spread_of(times);
    row.line = spread_of(lines);
    return row;
}

std::vector<Row> Session::rows() const {
    std::map<Key, std::map<std::string, std::vector<const Pair *>>> by_key;
    for (const Pair &pair : kept)
        for (const auto &[key, value] : pair.ours)
            if (!ours.wrong.contains(key)) by_key[key][pair.opponent].push_back(&pair);
    std::vector<Row> rows;
    for (const auto &[key, by_opponent] : by_key) rows.push_back(row_of(key, by_opponent));
    std::sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) {
        return std::tuple(rank_of(a.key.name), a.key.pes, a.key.bytes) <
               std::tuple(rank_of(b.key.name), b.key.pes, b.key.bytes);
    });
    return rows;
}

} // namespace skerry::bench
