// SPDX-License-Identifier: BSD-3-Clause
#include "network.hpp"

#include "contender.hpp"
#include "message.hpp"
#include "report/json_text.hpp"
#include "report/report.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <sstream>
#include <string_view>

namespace skerry::bench {

namespace {

constexpr double timeout_seconds = 300;

struct NetworkOptions {
    int rounds = 41;
    int nodes = 0; // 0: two nodes, and all figures
    bool json = false;
    std::string hosts;
    std::vector<std::string> figures;
};

struct Timed {
    std::string contender;
    Spread time; // ns
};

struct Required {
    std::string reference;
    Spread ratio;    // our time divided by the reference's
    double most = 0; // largest ratio that is allowed
};

struct NetworkFigure {
    std::string name;
    size_t bytes = 0;
    std::vector<Timed> times; // ours first
    std::vector<Required> ratios;
};

// A transfer of a segment beside a computation of its length (bench/network/hidden.c).
struct Hidden {
    std::string operation;
    size_t bytes = 0;
    double transfer = 0, computation = 0, both = 0; // us
    Spread share;                                   // of the transfer that is hidden
};

constexpr std::string_view hidden_name = "hidden";

NetworkOptions parse_network_options(int count, char **words) {
    NetworkOptions options;
    CLI::App app("Measures OpenSHMEM between two nodes and bare UCX between the same processes, in turn.",
                 "skerry bench network");
    app.add_option("figures", options.figures, "figures to measure (default all)")->type_name("NAME");
    app.add_option("--rounds", options.rounds, "batches of each contender (default 41)")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
    app.add_option("--nodes", options.nodes,
                   "measure barrier_all and sum over N nodes of one PE (default: all figures, between two nodes)")
        ->type_name("N")
        ->check(CLI::Range(2, 64));
    app.add_option("--hosts", options.hosts, "hosts, as for oshrun --hosts (default: nodes on this machine)")
        ->type_name("LIST");
    app.add_flag("--json", options.json, "print JSON");
    app.footer(
        "\nThe figure hidden is the share of a transfer that is hidden behind a computation of the same length.\n"
        "A ratio is Skerry's time divided by bare UCX's: below 1 Skerry is faster.");
    try {
        app.parse(count, words);
    } catch (const CLI::CallForHelp &help) {
        std::exit(app.exit(help));
    } catch (const CLI::ParseError &error) {
        throw Failure(exit_usage, fmt::format("{} (see skerry bench network --help)", error.what()));
    }
    return options;
}

NetworkFigure &figure_of(std::vector<NetworkFigure> &figures, const std::string &name, size_t bytes) {
    if (figures.empty() || figures.back().name != name || figures.back().bytes != bytes)
        figures.push_back({name, bytes, {}, {}});
    return figures.back();
}

// Reads the lines that the program prints. bench/network/README.md describes them.
std::vector<NetworkFigure> read_figures(const std::string &output) {
    std::vector<NetworkFigure> figures;
    std::istringstream stream(output);
    for (std::string line; std::getline(stream, line);) {
        std::istringstream words(line);
        std::string kind, name, other;
        size_t bytes = 0;
        Spread spread;
        if (!(words >> kind >> name >> bytes >> other >> spread.median >> spread.quartile1 >> spread.quartile3))
            continue;
        if (double most = 0; kind == "ratio" && words >> most)
            figure_of(figures, name, bytes).ratios.push_back({other, spread, most});
        else if (kind == "time" && words >> spread.count)
            figure_of(figures, name, bytes).times.push_back({other, spread});
    }
    return figures;
}

std::vector<Hidden> read_hidden(const std::string &output) {
    std::vector<Hidden> all;
    std::istringstream stream(output);
    for (std::string line; std::getline(stream, line);) {
        std::istringstream words(line);
        std::string kind;
        Hidden h;
        if (words >> kind >> h.operation >> h.bytes >> h.transfer >> h.computation >> h.both >> h.share.median >>
                h.share.quartile1 >> h.share.quartile3 >> h.share.count &&
            kind == hidden_name)
            all.push_back(h);
    }
    return all;
}

// Returns the reason for which the program failed: the first line of its standard error. The launcher's message comes
// after this line.
std::string reason_of(const Outcome &outcome) {
    const std::string first = outcome.errors.substr(0, outcome.errors.find('\n'));
    return outcome.late || first.empty() ? describe_failure(outcome) : first;
}

std::string network_text(const std::vector<NetworkFigure> &figures) {
    std::vector<std::vector<std::string>> rows;
    for (const NetworkFigure &figure : figures)
        for (size_t i = 0; i < figure.ratios.size() && i + 1 < figure.times.size(); ++i) {
            const Required &required = figure.ratios[i];
            rows.push_back({i == 0 ? figure.name : "", i == 0 ? format_bytes(figure.bytes) : "",
                            i == 0 ? format_time(figure.times[0].time.median) : "", required.reference,
                            format_time(figure.times[i + 1].time.median),
                            fmt::format("{:.3f} ({:.3f} to {:.3f})", required.ratio.median, required.ratio.quartile1,
                                        required.ratio.quartile3),
                            fmt::format("{:.2f}", required.most),
                            required.ratio.median <= required.most ? "holds" : "missed"});
        }
    return markdown({"figure", "bytes", "Skerry", "reference", "its time", "ratio (quartiles)", "at most", ""}, rows);
}

std::string hidden_text(const std::vector<Hidden> &all) {
    std::vector<std::vector<std::string>> rows;
    for (const Hidden &h : all)
        rows.push_back(
            {h.operation, format_bytes(h.bytes), format_time(1e3 * h.transfer), format_time(1e3 * h.computation),
             format_time(1e3 * h.both),
             fmt::format("{:.2f} ({:.2f} to {:.2f})", h.share.median, h.share.quartile1, h.share.quartile3)});
    return "Transfers of segments behind computation (1: costs no time; 0: they only follow each other; below 0: "
           "together they take longer). private: memory from malloc, else the symmetric heap; one_node: both PEs on "
           "one "
           "node, which needs a processor that is idle, else two nodes:\n\n" +
           markdown({"operation", "bytes", "transfer", "computation", "both", "hidden (quartiles)"}, rows);
}

std::string network_json(const std::vector<NetworkFigure> &figures, const std::vector<Hidden> &transfers) {
    const auto spread = [](const Spread &value) {
        return fmt::format(R"("median": {}, "quartile1": {}, "quartile3": {})", json_number(value.median),
                           json_number(value.quartile1), json_number(value.quartile3));
    };
    std::string text;
    for (const NetworkFigure &figure : figures) {
        std::string times, ratios;
        for (const Timed &timed : figure.times)
            times += fmt::format(R"({}{{"contender": {}, {}}})", times.empty() ? "" : ", ",
                                 json_string(timed.contender), spread(timed.time));
        for (const Required &required : figure.ratios)
            ratios += fmt::format(R"({}{{"reference": {}, {}, "most": {}}})", ratios.empty() ? "" : ", ",
                                  json_string(required.reference), spread(required.ratio), json_number(required.most));
        text += fmt::format("{}\n  {{\"name\": {}, \"bytes\": {}, \"times\": [{}], \"ratios\": [{}]}}",
                            text.empty() ? "" : ",", json_string(figure.name), figure.bytes, times, ratios);
    }
    for (const Hidden &h : transfers)
        text += fmt::format("{}\n  {{\"name\": \"{}\", \"operation\": {}, \"bytes\": {}, \"transfer_us\": {}, "
                            "\"computation_us\": {}, \"both_us\": {}, \"share\": {{{}}}}}",
                            text.empty() ? "" : ",", hidden_name, json_string(h.operation), h.bytes,
                            json_number(h.transfer), json_number(h.computation), json_number(h.both), spread(h.share));
    return "[" + text + "\n]\n";
}

} // namespace

int bench_network(int count, char **words) {
    const NetworkOptions options = parse_network_options(count, words);
    const std::string nodes = std::to_string(options.nodes ? options.nodes : 2);
    const Places places = find_places();
    Words environment{"UCX_WARN_UNUSED_ENV_VARS=n"}, figures;
    Words launch{places.launcher.string()};
    if (options.hosts.empty()) {
        environment.emplace_back("SKERRY_NODES=" + nodes);
        if (!std::getenv("UCX_TLS")) environment.emplace_back("UCX_TLS=tcp,self");
        launch.insert(launch.end(), {"-n", nodes});
    } else {
        launch.insert(launch.end(), {"--hosts", options.hosts});
    }
    std::ranges::copy_if(options.figures, std::back_inserter(figures),
                         [](const std::string &name) { return name != hidden_name; });
    // Runs a program by the command `launcher` and returns its output.
    const auto run_by = [&](const Words &launcher, const Words &variables, std::string_view name,
                            const Words &arguments) {
        const auto program = places.programs / name;
        if (!std::filesystem::exists(program))
            throw Failure(exit_failed,
                          fmt::format("{}: not found; this installation was built without UCX", program.string()));
        Words command = launcher;
        command.push_back(program.string());
        command.insert(command.end(), arguments.begin(), arguments.end());
        const Outcome outcome = run_command(command, variables, timeout_seconds);
        if (outcome.code != 0)
            throw Failure(exit_failed, fmt::format("the program {} failed: {}", name, reason_of(outcome)));
        return outcome.output;
    };
    // Runs a program between the two nodes.
    const auto run = [&](std::string_view name, const Words &arguments) {
        return run_by(launch, environment, name, arguments);
    };
    catch_interrupts();
    std::vector<NetworkFigure> times;
    std::vector<Hidden> transfers;
    const bool has_hidden = figures.size() < options.figures.size();
    const bool has_all = options.figures.empty();
    const std::string rounds = std::to_string(options.rounds);
    if (has_all || !figures.empty()) {
        figures.insert(figures.begin(), {"--rounds", rounds});
        times = read_figures(run(options.nodes ? "nodes" : "network", figures));
    }
    if ((has_all && !options.nodes) || has_hidden) {
        transfers = read_hidden(run(hidden_name, {rounds}) + run(hidden_name, {"--private", rounds}));
        const Words one_node{places.launcher.string(), "-n", "2"};
        for (Hidden &h : read_hidden(run_by(one_node, {}, hidden_name, {"--private", rounds}))) {
            h.operation += "_one_node";
            transfers.push_back(h);
        }
    }
    std::string text;
    if (options.json) {
        text = network_json(times, transfers);
    } else {
        if (!times.empty()) text = network_text(times);
        if (!transfers.empty()) text += (text.empty() ? "" : "\n") + hidden_text(transfers);
    }
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw Failure(exit_failed, "cannot write to standard output");
    return 0;
}

} // namespace skerry::bench
