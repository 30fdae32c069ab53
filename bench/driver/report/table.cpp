// SPDX-License-Identifier: BSD-3-Clause
// Makes the table of the figures for which the project has set a required ratio. Skerry runs in pairs with an opponent,
// one directly after the other. The opponent does the same without a library (the machine's limit) or with another
// implementation (a peer). Each pair gives one ratio of the two times, and a verdict uses the median of these ratios. A
// verdict never compares two medians that were measured at different times, because the machine's speed can differ.
#include "report/table.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace skerry::bench {

namespace {

constexpr size_t K = 1024, M = 1024 * K;

// A required figure and its conditions. A condition with the value 0 is not required.
struct Figure {
    Key key;
    double limit_most = 0;  // our time is at most this factor times the limit's
    double speed_least = 0; // our speed is at least this factor times the limit's
    double faster = 0;      // every peer's time is at least this factor times ours
    double nanoseconds = 0; // our time is below this
};

struct Promise {
    const char *what, *must_hold;
    std::vector<Figure> figures;
};

const std::vector<Promise> &promises() {
    static const std::vector<Promise> list{
        {"`shmem_long_p`, `shmem_long_g`, 8-byte put and get",
         "within 1.5x of a plain store/load loop",
         {{{"p", 2, 8}, 1.5}, {{"g", 2, 8}, 1.5}, {{"put8", 2, 8}, 1.5}, {{"get8", 2, 8}, 1.5}}},
        {"the same put or p, then quiet",
         "within 1.3x of a store and a full fence",
         {{{"p_quiet", 2, 8}, 1.3}, {{"put8_quiet", 2, 8}, 1.3}}},
        {"fetch-add, compare-swap on another PE's word",
         "within 1.15x of the raw locked instruction and a look behind it",
         {{{"fetch_add", 2, 8}, 1.15}, {{"cswap", 2, 8}, 1.15}}},
        {"putmem/getmem with quiet",
         "4 KB at least 0.9x of the best memcpy followed by one full fence, 64 KB to 16 MB at least 0.97x of the best "
         "memcpy",
         {{{"put_quiet", 2, 4 * K}, 0, 0.9},
          {{"put_quiet", 2, 64 * K}, 0, 0.97},
          {{"put_quiet", 2, M}, 0, 0.97},
          {{"put_quiet", 2, 16 * M}, 0, 0.97},
          {{"get_quiet", 2, 4 * K}, 0, 0.9},
          {{"get_quiet", 2, 64 * K}, 0, 0.97},
          {{"get_quiet", 2, M}, 0, 0.97},
          {{"get_quiet", 2, 16 * M}, 0, 0.97}}},
        {"ping-pong (p + wait_until, half round trip)",
         "within 1.1x of two bare processes polling a line each, no slower than the best peer",
         {{{"pingpong", 2, 8}, 1.1, 0, 1.0}}},
        {"`barrier_all`, 2 PEs", "within 1.2x of a bare two-process spin barrier", {{{"barrier_all", 2, 0}, 1.2}}},
        {"broadcast, fcollect, alltoall, sum of 8 bytes, sum of 1024 ints, 2 PEs",
         "each at least 1.3x faster than the best peer",
         {{{"broadcast", 2, 8}, 0, 0, 1.3},
          {{"fcollect", 2, 8}, 0, 0, 1.3},
          {{"alltoall", 2, 8}, 0, 0, 1.3},
          {{"sum_long", 2, 8}, 0, 0, 1.3},
          {{"sum_int", 2, 4 * K}, 0, 0, 1.3}}},
        // The release of this lock must be a full fence, because shmem_clear_lock is also a quiet. The limit is
        // therefore a bare lock with such a release, and not a fetch-and-add, which is faster.
        {"set_lock + clear_lock, uncontended",
         "within 1.2x of the cheapest bare lock whose release is a full fence, with a look behind it",
         {{{"lock", 2, 0}, 1.2}}},
        {"`barrier_all`, 4 / 8 / 16 PEs on 2 processors",
         "within 1.3x of a bare `sched_yield` barrier of as many processes and faster than every peer, at 16 at least "
         "2x",
         {{{"barrier_all", 4, 0}, 1.3, 0, 1.0},
          {{"barrier_all", 8, 0}, 1.3, 0, 1.0},
          {{"barrier_all", 16, 0}, 1.3, 0, 2.0}}},
        {"sum 1 int, sum 1024 ints, alltoall 8 B, broadcast 8 B, 16 PEs on 2 processors",
         "each at least 1.5x faster than the best peer",
         {{{"sum_int", 16, 4}, 0, 0, 1.5},
          {{"sum_int", 16, 4 * K}, 0, 0, 1.5},
          {{"alltoall", 16, 8}, 0, 0, 1.5},
          {{"broadcast", 16, 8}, 0, 0, 1.5}}},
        {"aos_put",
         "64 KB and 1 MB at least 0.97x of the best memcpy",
         {{{"aos_put", 2, 64 * K}, 0, 0.97}, {{"aos_put", 2, M}, 0, 0.97}}},
        {"aos_postadd",
         "within 1.3x of the raw locked instruction and a look behind it",
         {{{"aos_postadd", 2, 8}, 1.3}}},
        {"a stream of messages of 16 bytes through a queue of segments",
         "at least 0.6x of a bare ring's rate",
         {{{"aos_queue", 2, 16}, 0, 0.6}}},
        {"start-up and end of `hello`, 16 PEs", "under 30 ms", {{{"hello", 16, 0}, 0, 0, 0, 30e6}}},
    };
    return list;
}

const Row *find_row(const Report &report, const Key &key) {
    const auto found =
        std::find_if(report.rows.begin(), report.rows.end(), [&](const Row &row) { return row.key == key; });
    return found == report.rows.end() ? nullptr : &*found;
}

// Returns the smallest ratio of a peer's time to ours, over the peers (other implementations) that have this figure.
// Returns 0 if no peer has the figure.
double least_gain(const Row &row) {
    double least = 0;
    for (const auto &[name, versus] : row.versus)
        if (name != limit_name && (least == 0 || 1 / versus.ratio.median < least)) least = 1 / versus.ratio.median;
    return least;
}

enum class Verdict { pass, miss, unknown };

Verdict judge(const Figure &figure, const Row &row) {
    const auto limit = row.versus.find(limit_name);
    const double by_limit = limit == row.versus.end() ? 0 : limit->second.ratio.median, gain = least_gain(row);
    const bool needs_limit = figure.limit_most > 0 || figure.speed_least > 0;
    if ((figure.limit_most > 0 && by_limit > figure.limit_most) ||
        (figure.speed_least > 0 && by_limit > 0 && 1 / by_limit < figure.speed_least) ||
        (figure.faster > 0 && gain > 0 && gain < figure.faster) ||
        (figure.nanoseconds > 0 && row.ours.median >= figure.nanoseconds))
        return Verdict::miss;
    if ((needs_limit && by_limit == 0) || (figure.faster > 0 && gain == 0)) return Verdict::unknown;
    return Verdict::pass;
}

// Returns the failures of runs that measure this figure, as the text of a table cell.
std::string failures_at(const Report &report, const Key &key) {
    std::vector<std::string> texts;
    for (const Failed &failed : report.session.failures()) {
        const bool meant = std::find(failed.names.begin(), failed.names.end(), key.name) != failed.names.end();
        if (meant && failed.pes == key.pes) texts.push_back(failed.text);
    }
    std::string text = fmt::format("{}", fmt::join(texts, "; "));
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '|' || c == '\n'; }, ' ');
    return text;
}

// Returns the reason why the verdict on a figure is unknown.
std::string why_unknown(const Report &report, const Figure &figure, const Row *row) {
    if (const std::string failures = failures_at(report, figure.key); !failures.empty()) return failures;
    const bool needs_limit = figure.limit_most > 0 || figure.speed_least > 0;
    if (needs_limit && row && !row->versus.contains(limit_name))
        return report.options.limits ? "the limit's program gave no figure" : "--no-limits was given";
    if (figure.faster > 0 && report.peers.empty()) return "no other OpenSHMEM was given (--vs)";
    return "the run gave no figure";
}

std::string bar_of(const Figure &figure) {
    std::vector<std::string> parts;
    if (figure.limit_most > 0) parts.push_back(fmt::format("<= {}x limit", figure.limit_most));
    if (figure.speed_least > 0) parts.push_back(fmt::format(">= {}x limit's speed", figure.speed_least));
    if (figure.faster > 0) parts.push_back(fmt::format(">= {}x best peer", figure.faster));
    if (figure.nanoseconds > 0) parts.push_back("< " + format_time(figure.nanoseconds));
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string title_of(const Key &key) {
    const std::string bytes = format_bytes(key.bytes);
    return key.name + (bytes.empty() ? "" : " " + bytes) + fmt::format(", {} PEs", key.pes);
}

std::string time_and_speed(const Key &key, double nanoseconds) {
    if (key.bytes < 4 * K || (key.name != "put_quiet" && key.name != "get_quiet")) return format_time(nanoseconds);
    return fmt::format("{} ({:.3g} GB/s)", format_time(nanoseconds), static_cast<double>(key.bytes) / nanoseconds);
}

std::string versus_cells(const Report &report, const Figure &figure, const Row &row) {
    std::string text;
    for (const std::string &name : opponent_names(report)) {
        const auto versus = row.versus.find(name);
        if (versus == row.versus.end()) text += " | | ";
        else if (name != limit_name || figure.speed_least > 0)
            text += fmt::format(" | {} | {:.2f}", time_and_speed(row.key, versus->second.theirs.median),
                                1 / versus->second.ratio.median);
        else
            text += fmt::format(" | {} | {:.2f}", time_and_speed(row.key, versus->second.theirs.median),
                                versus->second.ratio.median);
    }
    return text;
}

Job job(const char *program, std::vector<std::string> names, int pes, std::vector<size_t> sizes = {8}) {
    return {program, std::move(names), pes, std::move(sizes), 0.1};
}

} // namespace

// Returns the runs for --table. Each run takes less than a second, because the speed of the machine rarely changes
// within such a short pair of runs.
std::vector<Job> table_jobs() {
    std::vector<Job> jobs{
        job("rma", {"p", "g", "put8", "get8", "p_quiet", "put8_quiet"}, 2),
        job("atomic", {"fetch_add", "cswap"}, 2),
        job("rma", {"put_quiet"}, 2, {4 * K, 64 * K, M, 16 * M}),
        job("rma", {"get_quiet"}, 2, {4 * K, 64 * K, M, 16 * M}),
        job("pingpong", {"pingpong"}, 2),
        job("barrier", {"barrier_all"}, 2),
        job("collective", {"broadcast", "fcollect", "alltoall"}, 2, {8}),
        job("reduce", {"sum_long"}, 2, {8}),
        job("reduce", {"sum_int"}, 2, {4 * K}),
        job("lock", {"lock"}, 2),
        job("barrier", {"barrier_all"}, 4),
        job("barrier", {"barrier_all"}, 8),
        job("barrier", {"barrier_all"}, 16),
        job("reduce", {"sum_int"}, 16, {4, 4 * K}),
        job("collective", {"alltoall", "broadcast"}, 16, {8}),
        job("aos", {"aos_put"}, 2, {64 * K, M}),
        job("aos", {"aos_postadd", "aos_queue"}, 2),
        job("hello", {"hello"}, 16),
    };
    return jobs;
}

std::string markdown_table(const Report &report, int &missed) {
    std::string text = "| what | must hold | figure | Skerry [quartiles]", rule = "| --- | --- | --- | ---";
    for (const std::string &name : opponent_names(report)) {
        text += fmt::format(" | {} | {}", name, name == limit_name ? "by it" : "faster");
        rule += " | ---: | ---:";
    }
    text += " | bar | line | |\n" + rule + " | --- | ---: | --- |\n";
    missed = 0;
    int unknown = 0, figures = 0;
    for (const Promise &promise : promises())
        for (const Figure &figure : promise.figures) {
            const bool first = &figure == &promise.figures.front();
            const Row *row = find_row(report, figure.key);
            const Verdict verdict = row ? judge(figure, *row) : Verdict::unknown;
            ++figures;
            missed += verdict == Verdict::miss;
            unknown += verdict == Verdict::unknown;
            text += fmt::format("| {} | {} | {}", first ? promise.what : "", first ? promise.must_hold : "",
                                title_of(figure.key));
            if (row)
                text += fmt::format(" | {}{} [{}, {}]{} | {} | {}", row->steady ? "" : "~",
                                    time_and_speed(row->key, row->ours.median), format_time(row->ours.quartile1),
                                    format_time(row->ours.quartile3), versus_cells(report, figure, *row),
                                    bar_of(figure), format_time(row->line.median));
            else
                for (size_t cell = 0; cell < 2 * opponent_names(report).size() + 3; ++cell) text += " |";
            text += fmt::format(" | {} |\n", verdict == Verdict::pass ? "pass"
                                             : verdict == Verdict::miss
                                                 ? "**miss**"
                                                 : "not measured: " + why_unknown(report, figure, row));
        }
    return text + fmt::format("\n{} of {} figures hold, {} miss, {} were not measured.\n", figures - missed - unknown,
                              figures, missed, unknown);
}

std::vector<Job> quick_jobs() {
    std::vector<Job> jobs{
        job("rma", {"p", "g", "put8", "get8", "p_quiet"}, 2),
        job("rma", {"put_quiet"}, 2, {4 * K, 64 * K, M}),
        job("rma", {"get_quiet"}, 2, {4 * K, 64 * K, M}),
        job("atomic", {"fetch_add", "cswap"}, 2),
        job("pingpong", {"pingpong"}, 2),
        job("barrier", {"barrier_all"}, 2),
        job("barrier", {"barrier_all"}, 16),
    };
    for (Job &one : jobs) one.seconds = 0.02;
    return jobs;
}

std::string quick_table(const Report &report) {
    std::string text =
        fmt::format("{:<46}{:>10}{:>16}{:>8}\n", "one operation, median", "Skerry", "this machine", "ratio");
    for (const Row &row : report.rows) {
        const Benchmark *benchmark = find_benchmark(row.key.name);
        std::string about(benchmark->about);
        if (benchmark->sized) about += fmt::format(", {}B", format_bytes(row.key.bytes));
        if (benchmark->name == "barrier_all") about += fmt::format(", {} PEs", row.key.pes);
        text += fmt::format("{:<46}{:>10}", about, format_time(row.ours.median));
        if (const auto limit = row.versus.find(limit_name); limit != row.versus.end())
            text += fmt::format("{:>16}{:>8.2f}", format_time(limit->second.theirs.median), limit->second.ratio.median);
        text += row.steady ? "\n" : " ~\n";
    }
    return text + "ratio: Skerry's time divided by the time of a C program without any library (this machine); 1 is "
                  "the machine's limit.\n";
}

} // namespace skerry::bench
