// SPDX-License-Identifier: BSD-3-Clause
#include "network.hpp"

#include "contender.hpp"
#include "message.hpp"
#include "report/json_text.hpp"
#include "report/report.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <sstream>

namespace skerry::bench {

namespace {

constexpr double timeout_seconds = 300;

struct NetworkOptions {
    int rounds = 41;
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

NetworkOptions parse_network_options(int count, char **words) {
    NetworkOptions options;
    CLI::App app("Measures OpenSHMEM between two nodes and bare UCX between the same processes, in turn.",
                 "skerry bench network");
    app.add_option("figures", options.figures, "figures to measure (default all)")->type_name("NAME");
    app.add_option("--rounds", options.rounds, "batches of each contender (default 41)")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
    app.add_option("--hosts", options.hosts, "two hosts, as for oshrun --hosts (default: two nodes on this machine)")
        ->type_name("LIST");
    app.add_flag("--json", options.json, "print JSON");
    app.footer("\nA ratio is Skerry's time divided by bare UCX's: below 1 Skerry is faster.");
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

std::string network_json(const std::vector<NetworkFigure> &figures) {
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
    return "[" + text + "\n]\n";
}

} // namespace

int bench_network(int count, char **words) {
    const NetworkOptions options = parse_network_options(count, words);
    const Places places = find_places();
    const auto program = places.programs / "network";
    if (!std::filesystem::exists(program))
        throw Failure(exit_failed,
                      fmt::format("{}: not found; this installation was built without UCX", program.string()));
    Words environment{"UCX_WARN_UNUSED_ENV_VARS=n"};
    Words command{places.launcher.string()};
    if (options.hosts.empty()) {
        environment.emplace_back("SKERRY_NODES=2");
        if (!std::getenv("UCX_TLS")) environment.emplace_back("UCX_TLS=tcp,self");
        command.insert(command.end(), {"-n", "2"});
    } else {
        command.insert(command.end(), {"--hosts", options.hosts});
    }
    command.insert(command.end(), {program.string(), "--rounds", std::to_string(options.rounds)});
    command.insert(command.end(), options.figures.begin(), options.figures.end());
    catch_interrupts();
    const Outcome outcome = run_command(command, environment, timeout_seconds);
    if (outcome.code != 0)
        throw Failure(exit_failed, fmt::format("the program network failed: {}", reason_of(outcome)));
    const std::vector<NetworkFigure> figures = read_figures(outcome.output);
    const std::string text = options.json ? network_json(figures) : network_text(figures);
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw Failure(exit_failed, "cannot write to standard output");
    return 0;
}

} // namespace skerry::bench
