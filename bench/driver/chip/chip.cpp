// SPDX-License-Identifier: BSD-3-Clause
#include "chip/chip.hpp"

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
#include <string_view>

namespace skerry::bench {

namespace {

constexpr double run_timeout = 200; // seconds; the program `paths` takes half a minute on an idle processor
constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

constexpr int all_pes = 16; // PEs of a run on all cores; a chip with fewer cores runs one PE on each core

struct Run {
    const char *program;
    int pes;
    const char *prefix; // put before the names of figures that another run measures too
    // True: the simulated chip has one row of cores more than the job uses. A barrier of all PEs then cannot use WAND,
    // an instruction that synchronizes all cores of the chip.
    bool row_more = false;
};
constexpr Run runs[] = {{"rma", 16, ""},
                        {"nbi", 16, ""},
                        {"atomic", 16, ""},
                        {"barrier", 16, ""},
                        {"barrier", 2, "whole_"},
                        {"barrier", 3, "whole_"},
                        {"barrier", 4, "whole_"},
                        {"barrier", 5, "whole_"},
                        {"barrier", 6, "whole_"},
                        {"barrier", 7, "whole_"},
                        {"barrier", 8, "whole_"},
                        {"barrier", 9, "whole_"},
                        {"barrier", 10, "whole_"},
                        {"barrier", 11, "whole_"},
                        {"barrier", 12, "whole_"},
                        {"barrier", 13, "whole_"},
                        {"barrier", 14, "whole_"},
                        {"barrier", 15, "whole_"},
                        {"barrier", 16, "whole_"},
                        {"barrier", 16, "no_wand_", true},
                        {"barrier", 20, "group_of_20_", true},
                        {"broadcast", 16, ""},
                        {"collective", 16, ""},
                        {"reduce", 16, ""},
                        {"lock", 16, ""},
                        {"rpc", 16, ""},
                        {"rpc_newest", 16, "newest_"},
                        {"aos", 16, ""},
                        {"aos_blocks", 16, ""},
                        {"aos_data", 16, ""},
                        {"aos_words", 16, ""},
                        {"aos_begun", 16, ""},
                        {"paths", 16, ""},
                        {"paths_fast", 16, "fast_"},
                        {"paths_small", 16, "small_"}};

std::string trim(const std::string &text) {
    const size_t begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// Reads a machine's description. Returns each key with its section, its value and the comment after the value.
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

} // namespace

void read_chip_rows(const std::string &output, const std::string &prefix, ChipFigures &figures) {
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

namespace {

// Name of the machine that the papers (such as Coduin 2016) measured. Our figures of other machines are not compared
// with the papers.
constexpr const char *of_the_papers = "epiphany-iii";
constexpr Run quick_runs[] = {{"atomic", 4, ""}, {"barrier", 4, ""}};
constexpr double build_timeout = 60;

// Returns the inputs in the description. If the description names a base description (based_on), adds those inputs of
// the base that the description does not replace.
std::vector<ChipInput> read_all_inputs(const std::filesystem::path &description, const Places &places) {
    std::vector<ChipInput> inputs = read_inputs(description);
    std::string base;
    for (const ChipInput &input : inputs)
        if (input.name == "based_on") base = input.value.substr(1, input.value.size() - 2); // without its quotes
    if (base.empty()) return inputs;
    for (const ChipInput &input :
         read_all_inputs(places.sources.parent_path() / "machines" / (base + ".toml"), places)) {
        const bool replaced = std::any_of(inputs.begin(), inputs.end(),
                                          [&input](const ChipInput &other) { return other.name == input.name; });
        if (!replaced) inputs.push_back(input);
    }
    return inputs;
}

std::filesystem::path description_of(const std::string &machine, const Places &places) {
    const std::filesystem::path known = places.sources.parent_path() / "machines" / (machine + ".toml");
    return std::filesystem::exists(known) ? known : std::filesystem::path(machine);
}

// Returns the path of a program. For the papers' machine it is the installed program. For another machine the program
// is built in `folder`.
std::string program_for(const Run &run, const std::string &machine, const Places &places,
                        const std::filesystem::path &folder) {
    const std::string elf = std::string(run.program) + ".elf";
    if (machine == of_the_papers) {
        const std::filesystem::path program = places.programs.parent_path() / "chip" / elf;
        if (std::filesystem::exists(program)) return program.string();
        throw Failure(
            exit_failed,
            fmt::format(
                "{}: not found; this installation was built without the chip's compiler (make chip installs it)",
                program.string()));
    }
    const std::filesystem::path sources = places.sources / "chip";
    const std::string program = (folder / elf).string();
    const Outcome outcome = run_command(
        {(places.launcher.parent_path() / "oshcc").string(), "--machine", machine, "-std=gnu11", "-Os",
         "-Wl,--defsym=__skerry_stack_bytes=0x800", "-Wl,--defsym=__skerry_table_bytes=0x800",
         (sources / (std::string(run.program) + ".c")).string(), (sources / "chip.c").string(), "-o", program},
        {}, build_timeout);
    if (outcome.code != 0) throw Failure(exit_failed, fmt::format("{}: {}", run.program, describe_failure(outcome)));
    return program;
}

std::string with_a_row_more(const std::string &machine, double rows, const std::filesystem::path &folder) {
    const std::string path = (folder / "row-more.toml").string();
    const std::string base = std::filesystem::exists(machine) ? std::filesystem::absolute(machine).string() : machine;
    std::ofstream(path) << fmt::format("name = \"row-more\"\nbased_on = \"{}\"\n[chip]\nrows = {}\n", base, rows + 1);
    return path;
}

// Returns true if the run's program is `name`, or a variant of this program (`name` and a suffix).
bool is_named(const Run &run, const std::string &name) {
    return run.program == name || std::string_view(run.program).starts_with(name + "_");
}

void keep_named(std::vector<Run> &chosen, const std::vector<std::string> &names) {
    for (const std::string &name : names)
        if (std::none_of(std::begin(runs), std::end(runs), [&](const Run &run) { return is_named(run, name); }))
            throw Failure(
                exit_usage,
                fmt::format(
                    "{}: no such program for a chip; there are rma, nbi, atomic, barrier, "
                    "broadcast, collective, reduce, lock, rpc, aos, paths, and openmp, which must be named alone",
                    name));
    std::erase_if(chosen, [&names](const Run &run) {
        return std::none_of(names.begin(), names.end(), [&](const std::string &name) { return is_named(run, name); });
    });
}

std::vector<Run> runs_for(const Options &options, int cores) {
    std::vector<Run> chosen;
    if (options.quick) chosen.assign(std::begin(quick_runs), std::end(quick_runs));
    else chosen.assign(std::begin(runs), std::end(runs));
    if (options.machine != of_the_papers)
        std::erase_if(chosen, [](const Run &run) {
            const std::string_view program = run.program;
            return run.row_more || program.starts_with("paths") || program == "rpc_newest";
        });
    if (!options.benchmarks.empty()) keep_named(chosen, options.benchmarks);
    std::erase_if(chosen, [cores](const Run &run) { return run.pes > cores && run.pes != all_pes && !run.row_more; });
    for (Run &run : chosen)
        if (!run.row_more) run.pes = std::min(run.pes, cores);
    return chosen;
}

} // namespace

ChipFigures::Compared chip_comparison(const Options &options) {
    using enum ChipFigures::Compared;
    if (options.machine != of_the_papers || options.quick) return nothing;
    if (options.benchmarks.empty()) return everything;
    for (const auto &[name, chapter] : {std::pair{"rpc", calls}, std::pair{"aos", segments}, std::pair{"paths", paths}})
        if (options.benchmarks == std::vector<std::string>{name}) return chapter;
    return nothing;
}

ChipFigures describe_chip(const Options &options, const Places &places) {
    ChipFigures figures;
    figures.inputs = read_all_inputs(description_of(options.machine, places), places);
    figures.machine = std::filesystem::path(options.machine).stem().string();
    figures.compared = chip_comparison(options);
    figures.megahertz = figures.input("chip.clock_megahertz");
    if (figures.megahertz <= 0 || figures.input("chip.rows") * figures.input("chip.columns") <= 0)
        throw Failure(
            exit_usage,
            fmt::format("--machine {}: this machine's description has no rows, columns or clock, so it is no chip",
                        options.machine));
    return figures;
}

ChipFigures measure_chip(const Options &options) {
    const Places places = find_places();
    ChipFigures figures = describe_chip(options, places);
    if (std::any_of(figures.inputs.begin(), figures.inputs.end(),
                    [](const ChipInput &input) { return input.name == "core.kind" && input.value != "\"epiphany\""; }))
        throw Failure(exit_usage,
                      fmt::format("--machine {}: openmp is the only benchmark for its cores, and must be "
                                  "named: skerry bench --machine {} openmp; the others are for Epiphany chips",
                                  options.machine, options.machine));
    const int cores = static_cast<int>(figures.input("chip.rows") * figures.input("chip.columns"));
    const std::vector<Run> chosen = runs_for(options, cores);
    const TemporaryFolder folder;
    Progress progress(static_cast<int>(chosen.size()));
    for (const Run &run : chosen) {
        progress.step(fmt::format("{} on {} cores", run.program, run.pes));
        const std::string machine = run.row_more
                                        ? with_a_row_more(options.machine, figures.input("chip.rows"), folder.path())
                                        : options.machine;
        const std::string program = program_for(run, machine, places, folder.path());
        const Outcome outcome = run_command(
            {places.launcher.string(), "--machine", machine, "--quiet", "-n", std::to_string(run.pes), program}, {},
            run_timeout);
        if (outcome.code != 0)
            throw Failure(exit_failed, fmt::format("{}: {}", run.program, describe_failure(outcome)));
        read_chip_rows(outcome.output, run.prefix, figures);
    }
    return figures;
}

} // namespace skerry::bench
