// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "catalogue.hpp"
#include "message.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>

namespace skerry::bench {

namespace {

struct Texts {
    std::vector<std::string> sizes, vs, vs_arguments;
    std::string pes = "2", repeat = "5", seconds;
    bool list = false;
};

constexpr const char *footer = "\nA ratio to a limit is Skerry's time divided by the limit's (1 is the limit); a ratio "
                               "to another implementation is\nits time divided by Skerry's (above 1 Skerry is faster). "
                               "OpenMP: skerry bench omp --help. Between nodes: skerry bench network --help. See "
                               "skerry-bench(1).";

[[noreturn]] void refuse(const std::string &text) {
    throw Failure(exit_usage, text);
}

int parse_whole(const char *option, const std::string &text, int least, int most) {
    int value = 0;
    const char *end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || rest != end || value < least || value > most)
        refuse(fmt::format("{} {}: must be a number from {} to {}", option, text, least, most));
    return value;
}

size_t parse_size(const std::string &text) {
    size_t value = 0;
    const char *end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    const std::string_view unit(rest, static_cast<size_t>(end - rest));
    const size_t scale = unit.empty()                 ? 1
                         : unit == "k" || unit == "K" ? 1024
                         : unit == "m" || unit == "M" ? 1048576
                                                      : 0;
    if (error != std::errc{} || scale == 0 || value == 0 || value > (size_t{16} << 20) / scale)
        refuse(fmt::format("--sizes {}: a size is 1 to 16M bytes, as in 8,4K,1M", text));
    return value * scale;
}

double parse_seconds(const std::string &text) {
    if (text.empty()) return 0;
    double value = 0;
    const char *end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || rest != end || !(value >= 0.001 && value <= 60))
        refuse(fmt::format("--seconds {}: must be 0.001 to 60", text));
    return value;
}

// Returns a name for a peer (another OpenSHMEM implementation), made from the path of its compiler wrapper. For
// /opt/NAME/bin/oshcc the name is NAME. If the wrapper is in a folder of the system (/usr/bin, /usr/local/bin), returns
// the name of the wrapper.
std::string name_of(const std::string &wrapper) {
    std::vector<std::string> parts;
    for (size_t start = 0; start < wrapper.size();) {
        const size_t slash = std::min(wrapper.find('/', start), wrapper.size());
        if (slash > start) parts.push_back(wrapper.substr(start, slash - start));
        start = slash + 1;
    }
    const size_t count = parts.size();
    if (count >= 3 && parts[count - 2] == "bin" && parts[count - 3] != "usr" && parts[count - 3] != "local")
        return parts[count - 3];
    return parts.empty() ? wrapper : parts.back();
}

Peer parse_peer(std::string text, const std::string &arguments) {
    Peer peer;
    const size_t equals = text.find('=');
    if (equals != std::string::npos && equals < text.find_first_of(" /")) {
        peer.name = text.substr(0, equals);
        text.erase(0, equals + 1);
    }
    Words words = split_words(text);
    if (words.size() < 2)
        refuse(fmt::format("--vs {}: must be a compiler wrapper and a launcher, with a blank between them", text));
    for (size_t i = 0; i < 2; ++i)
        if (find_executable(words[i]).empty()) refuse(fmt::format("--vs: {}: no such program", words[i]));
    peer.wrapper = words[0];
    peer.launcher.assign(words.begin() + 1, words.end());
    for (const std::string &word : split_words(arguments)) peer.launcher.push_back(word);
    if (peer.name.empty()) peer.name = name_of(peer.wrapper);
    return peer;
}

void list_benchmarks() {
    for (const Benchmark &b : benchmarks())
        fmt::print("{:<17} {}{}\n", b.name, b.about, b.sized ? "; 8 B to 16 MB" : "");
}

// Replaces each name of a program in options.benchmarks by the names of all its benchmarks. Keeps a name that is also
// the name of a benchmark.
void expand_programs(Options &options) {
    std::vector<std::string> names;
    for (const std::string &name : options.benchmarks) {
        const size_t before = names.size();
        for (const Benchmark &b : benchmarks())
            if (!find_benchmark(name) && b.program == name) names.emplace_back(b.name);
        if (names.size() == before) names.push_back(name);
        options.segments |= name == "aos";
    }
    options.benchmarks = names;
}

void check(const Options &options) {
    for (const std::string &name : options.benchmarks)
        if (options.machine.empty() && !find_benchmark(name))
            refuse(fmt::format("{}: no such benchmark (see skerry bench --list)", name));
    if (options.quick && options.table) refuse("--quick and --table must not be given together");
    if ((options.quick || options.table) && (!options.benchmarks.empty() || !options.sizes.empty()))
        refuse(fmt::format("{} chooses the benchmarks and sizes: give no benchmark names and no --sizes with it",
                           options.quick ? "--quick" : "--table"));
    if (!options.machine.empty() &&
        (options.table || !options.sizes.empty() || !options.peers.empty() || options.pairs))
        refuse("--machine: can be combined only with --json, --quick, --plot and the names of a chip's benchmarks");
    if (options.table && options.json) refuse("--table and --json must not be given together");
    if (options.table && !options.plot.empty()) refuse("--table and --plot must not be given together");
}

void add_options(CLI::App &app, Options &options, Texts &texts) {
    app.add_option("benchmarks", options.benchmarks,
                   "benchmarks (default: all; see --list); a program's name stands for all its benchmarks, and aos "
                   "also for the experiments of Hascoet et al. (2017)")
        ->type_name("");
    app.add_flag("--list", texts.list, "list the benchmarks");
    app.add_option("-n,--pes", texts.pes, "number of PEs (default 2)")->type_name("N");
    app.add_option("--sizes", texts.sizes, "sizes in bytes, as in 8,4K,1M (default 8 B to 16 MB)")
        ->type_name("LIST")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--repeat", texts.repeat, "pairs of runs for each figure (default 5)")->type_name("K");
    app.add_option("--seconds", texts.seconds, "time for one measurement in one run")->type_name("S");
    app.add_option("--vs", texts.vs,
                   "also measure another OpenSHMEM implementation, given as \"[NAME=]WRAPPER LAUNCHER\": its compiler "
                   "wrapper and its launcher; may be repeated")
        ->type_name("TEXT")
        ->allow_extra_args(false);
    app.add_option("--vs-args", texts.vs_arguments,
                   "options for the launcher of a --vs: the first --vs-args belongs to the first --vs, and so on")
        ->type_name("TEXT")
        ->allow_extra_args(false);
    app.add_flag_callback(
        "--no-limits", [&options] { options.limits = false; }, "do not measure the machine's limits (bare C programs)");
    app.add_flag("--pairs", options.pairs,
                 "print every pair of runs, with the time of a cache line between two processors before and after it");
    app.add_flag("--json", options.json, "print JSON");
    app.add_option(
           "--plot", options.plot,
           "draw times and speeds against sizes into an SVG file; with --machine: the graphs of the paper Coduin 2016")
        ->type_name("FILE");
    app.add_flag("--quick", options.quick, "a short table against this machine's limits, within 15 seconds");
    app.add_flag("--table", options.table, "print the required figures and if they are reached, in Markdown");
    app.add_option("--machine", options.machine,
                   "measure a simulated chip; of epiphany-iii, also print the papers' figures")
        ->type_name("NAME");
    app.set_version_flag("--version", "skerry bench (Skerry) " SKERRY_VERSION);
    app.footer(footer);
}

} // namespace

Options parse_options(int count, char **words) {
    CLI::App app(
        "Measures this installation of Skerry, this machine's limits, and other OpenSHMEM implementations, in turn.",
        "skerry bench");
    Options options;
    Texts texts;
    add_options(app, options, texts);
    try {
        app.parse(count, words);
    } catch (const CLI::CallForHelp &help) {
        std::exit(app.exit(help));
    } catch (const CLI::CallForVersion &version) {
        std::exit(app.exit(version));
    } catch (const CLI::ParseError &error) {
        refuse(fmt::format("{} (see skerry bench --help)", error.what()));
    }
    if (texts.list) {
        list_benchmarks();
        std::exit(0);
    }
    options.pes = parse_whole("--pes", texts.pes, 1, 1024);
    options.repeat = parse_whole("--repeat", texts.repeat, 1, 1000);
    options.seconds = parse_seconds(texts.seconds);
    for (const std::string &size : texts.sizes) options.sizes.push_back(parse_size(size));
    if (texts.vs_arguments.size() > texts.vs.size()) refuse("--vs-args: must not be given more often than --vs");
    for (size_t i = 0; i < texts.vs.size(); ++i) {
        Peer peer = parse_peer(texts.vs[i], i < texts.vs_arguments.size() ? texts.vs_arguments[i] : "");
        const auto same = [&](const Peer &other) { return other.name == peer.name; };
        if (peer.name == "skerry" || std::any_of(options.peers.begin(), options.peers.end(), same))
            refuse(fmt::format(
                "--vs: two implementations have the name {}; give one of them another name: NAME=WRAPPER LAUNCHER",
                peer.name));
        options.peers.push_back(std::move(peer));
    }
    if (options.machine.empty()) expand_programs(options);        // a chip has other programs
    else std::ranges::replace(options.benchmarks, "s2", "paths"); // s2 is the name of `paths` in version 0.1
    check(options);
    return options;
}

} // namespace skerry::bench
