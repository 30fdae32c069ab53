// SPDX-License-Identifier: BSD-3-Clause
#include "chip.hpp"

#include "contender.hpp"
#include "message.hpp"
#include "progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <numeric>
#include <sstream>

namespace skerry::bench {

namespace {

constexpr double run_timeout = 100;
constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

struct Run {
    const char *program;
    int pes;
    const char *prefix; // of the names, where two programs measure the same
};
constexpr Run runs[] = {{"rma", 16, ""},          {"nbi", 16, ""},           {"atomic", 16, ""}, {"barrier", 16, ""},
                        {"barrier", 2, ""},       {"barrier", 4, ""},        {"barrier", 8, ""}, {"broadcast", 16, ""},
                        {"collective", 16, ""},   {"reduce", 16, ""},        {"lock", 16, ""},   {"s2", 16, ""},
                        {"s2_fast", 16, "fast_"}, {"s2_small", 16, "small_"}};

std::string trim(const std::string &text) {
    const size_t begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// Sections, keys and the comments behind them, as the descriptions of machines are written.
std::vector<ChipInput> read_inputs(const std::filesystem::path &description) {
    std::ifstream file(description);
    if (!file)
        throw Failure(exit_failed, fmt::format("{}: cannot read the machine's description", description.string()));
    std::vector<ChipInput> inputs;
    std::string section;
    for (std::string line; std::getline(file, line);) {
        const size_t hash = line.find('#');
        const std::string text = trim(line.substr(0, hash));
        const std::string note = hash == std::string::npos ? "" : trim(line.substr(hash + 1));
        if (text.starts_with('[')) {
            section = text.substr(text.find_first_not_of('['), text.find(']') - text.find_first_not_of('['));
        } else if (const size_t equals = text.find('='); equals != std::string::npos) {
            const std::string key = trim(text.substr(0, equals));
            inputs.push_back({section.empty() ? key : section + "." + key, trim(text.substr(equals + 1)), note});
        }
    }
    return inputs;
}

void read_rows(const std::string &output, const std::string &prefix, ChipFigures &figures) {
    std::istringstream stream(output);
    for (std::string line; std::getline(stream, line);) {
        std::istringstream words(line);
        std::string kind;
        ChipKey key;
        if (!(words >> kind >> key.name >> key.pes >> key.bytes) || kind != "result") continue;
        key.name = prefix + key.name;
        ChipCycles cycles;
        for (double value = 0; words >> value;) cycles.of_pes.push_back(value);
        if (!cycles.of_pes.empty()) figures.cycles.emplace(key, cycles);
    }
}

} // namespace

double ChipCycles::mean() const {
    return std::accumulate(of_pes.begin(), of_pes.end(), 0.0) / static_cast<double>(of_pes.size());
}

double ChipCycles::least() const {
    return *std::min_element(of_pes.begin(), of_pes.end());
}

double ChipCycles::most() const {
    return *std::max_element(of_pes.begin(), of_pes.end());
}

const ChipCycles *ChipFigures::find(const std::string &name, int pes, size_t bytes) const {
    const auto found = cycles.find({name, pes, bytes});
    return found == cycles.end() ? nullptr : &found->second;
}

std::vector<size_t> ChipFigures::sizes(const std::string &name, int pes) const {
    std::vector<size_t> sizes;
    for (const auto &[key, value] : cycles)
        if (key.name == name && key.pes == pes) sizes.push_back(key.bytes);
    return sizes;
}

double ChipFigures::input(const std::string &name) const {
    for (const ChipInput &input : inputs)
        if (input.name == name) return std::atof(input.value.c_str());
    return 0;
}

double ChipFigures::slowest(const std::string &name, int pes, size_t bytes) const {
    const ChipCycles *found = find(name, pes, bytes);
    return found ? found->most() : not_measured;
}

double ChipFigures::mean(const std::string &name, int pes, size_t bytes) const {
    const ChipCycles *found = find(name, pes, bytes);
    return found ? found->mean() : not_measured;
}

Fit ChipFigures::fit(const std::string &name, int pes, size_t from_bytes) const {
    std::vector<Point> points;
    for (const size_t bytes : sizes(name, pes))
        if (bytes >= from_bytes) points.push_back({static_cast<double>(bytes), nanoseconds(mean(name, pes, bytes))});
    return fit_line(points);
}

ChipFigures measure_chip(const Options &options) {
    if (options.machine != "epiphany-iii")
        throw Failure(exit_usage,
                      fmt::format("--machine {}: must be epiphany-iii, which the papers measured", options.machine));
    const Places places = find_places();
    const std::filesystem::path programs = places.programs.parent_path() / "chip";
    ChipFigures figures;
    figures.machine = options.machine;
    figures.inputs = read_inputs(places.sources.parent_path() / "machines" / (options.machine + ".toml"));
    figures.megahertz = figures.input("chip.clock_megahertz");
    Progress progress(static_cast<int>(std::size(runs)));
    for (const Run &run : runs) {
        const std::string program = (programs / (std::string(run.program) + ".elf")).string();
        if (!std::filesystem::exists(program))
            throw Failure(exit_failed,
                          fmt::format("{}: not found; built without the chip's tools (make chip)", program));
        progress.step(fmt::format("{} on {} cores", run.program, run.pes));
        const Outcome outcome = run_command(
            {places.launcher.string(), "--machine", options.machine, "-n", std::to_string(run.pes), program}, {},
            run_timeout);
        if (outcome.code != 0)
            throw Failure(exit_failed, fmt::format("{}: {}", run.program, describe_failure(outcome)));
        read_rows(outcome.output, run.prefix, figures);
    }
    return figures;
}

} // namespace skerry::bench
