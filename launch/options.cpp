// SPDX-License-Identifier: BSD-3-Clause
// Reads oshrun's command line. The library CLI11 reads the options, up to the first word that is not an option. That
// word is the program, and all later words are the program's arguments.
#include "options.hpp"

#include "../src/machine/linux/layout.h"
#include "heap_size.hpp"
#include "message.hpp"
#include "variables.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <string_view>

namespace skerry {

namespace {

using Strings = std::vector<std::string>;

struct Words {
    Strings pes, bind, timeout, heap, hosts, host_file,
        launcher; // operands of each option, in order, one for each time that the option is given
    Strings exports, command;
    std::string machine; // for the help text only: machine.hpp handles --machine before this file runs
    bool tag_output = false, stats = false;
};

constexpr std::array<std::string_view, 12> operand_options = {
    "-n", "-np", "--np", "-x", "--bind", "--timeout", "--heap", "--hosts", "--host", "-H", "--hostfile", "--launcher"};
constexpr std::array<std::string_view, 6> other_options = {"--tag-output", "--stats", "--version",
                                                           "--help",       "-h",      "--"};

constexpr const char *footer =
    "\nSizes are a number with k, m, g or t (powers of 1024). Without --bind, PEs are pinned to a processor each when\n"
    "there are enough. The exit code is that of the first PE that fails, 128 plus the signal's number if one killed\n"
    "it, and 124 after --timeout. On a chip (--machine) 124 also means a crash, a deadlock or the end of "
    "--max-cycles,\n"
    "and 125 that the simulation could not begin. See oshrun(1).";

class Help : public CLI::Formatter {
    std::string make_usage(const CLI::App *, std::string) const override {
        return "Usage: oshrun [OPTIONS] PROGRAM [ARGUMENTS...]\n";
    }
};

// Returns the operand for a message. The user can see an empty operand only in quotes, so '' is returned for it. An
// operand is empty, for example, if it comes from a variable that is not set.
std::string shown(const std::string &operand) {
    return operand.empty() ? "''" : operand;
}

std::optional<std::string> single(const char *option, const Strings &operands) {
    if (operands.empty()) return std::nullopt;
    if (operands.size() > 1)
        stop(exit_usage, fmt::format("{} {}: the option must be given only once; {} {} was given before", option,
                                     shown(operands[1]), option, shown(operands[0])));
    return operands.front();
}

int parse_pes(const std::optional<std::string> &text, int processors) {
    if (!text) return processors < SKERRY_PES_MAX ? processors : SKERRY_PES_MAX;
    int value = 0;
    const char *end = text->data() + text->size();
    const auto [rest, error] = std::from_chars(text->data(), end, value);
    if (error != std::errc{} || rest != end || value < 1 || value > SKERRY_PES_MAX)
        stop(exit_usage, fmt::format("-n {}: the number of PEs must be 1 to {}", shown(*text), SKERRY_PES_MAX));
    return value;
}

std::optional<Bind> parse_bind(const std::optional<std::string> &text) {
    if (!text) return std::nullopt;
    if (*text == "none") return Bind::none;
    if (*text == "core") return Bind::core;
    if (*text == "socket") return Bind::socket;
    stop(exit_usage, fmt::format("--bind {}: must be none, core or socket", shown(*text)));
}

std::optional<double> parse_timeout(const std::optional<std::string> &text) {
    if (!text) return std::nullopt;
    double value = 0;
    const char *end = text->data() + text->size();
    const auto [rest, error] = std::from_chars(text->data(), end, value);
    if (error != std::errc{} || rest != end || !(value > 0) || !(value < 1e9))
        stop(exit_usage, fmt::format("--timeout {}: must be a number of seconds above 0", shown(*text)));
    return value;
}

// Returns the number of nodes on this machine over which the PEs are spread. The variable SKERRY_NODES sets it, for
// tests. Such nodes exchange data only through the network module.
int count_nodes(int pes) {
    const char *text = environment_value("SKERRY_NODES");
    if (text == nullptr) return 1;
    int value = 0;
    const auto [rest, error] = std::from_chars(text, text + std::strlen(text), value);
    if (error != std::errc{} || *rest != 0 || value < 1)
        stop(exit_usage, fmt::format("SKERRY_NODES={}: must be a number of nodes, at least 1", shown(text)));
    return std::min(value, pes);
}

bool is_one_of(const auto &options, std::string_view word) {
    return std::find(options.begin(), options.end(), word) != options.end();
}

// Prepares the words of the command line for CLI11, the library that reads options, and returns them. Three changes:
// * -np becomes --np, because CLI11 does not know long options with a single dash.
// * An operand after "=" becomes a word of its own. CLI11 would take the next word if the operand after "=" is empty.
// * An option without its operand ends oshrun with a message. CLI11's message does not name the option as typed.
Strings prepare_words(int argument_count, char **arguments) {
    const Strings words(arguments + 1, arguments + argument_count);
    Strings prepared;
    size_t i = 0;
    for (; i < words.size() && words[i].starts_with('-') && words[i] != "--"; ++i) {
        const size_t equals = std::min(words[i].find('='), words[i].size());
        const std::string name = words[i].substr(0, equals);
        const bool has_operand = is_one_of(operand_options, name) && (equals == words[i].size() || name.size() > 2);
        prepared.push_back(!has_operand ? words[i] : name == "-np" ? "--np" : name);
        if (!has_operand) continue;
        if (equals < words[i].size()) {
            prepared.push_back(words[i].substr(equals + 1));
            continue;
        }
        if (++i == words.size() || is_one_of(operand_options, words[i]) || is_one_of(other_options, words[i]))
            stop(exit_usage, fmt::format("{}: must be followed by its value (see oshrun --help)", name));
        prepared.push_back(words[i]);
    }
    prepared.insert(prepared.end(), words.begin() + static_cast<ptrdiff_t>(i), words.end());
    return prepared;
}

void add_options(CLI::App &app, Words &words) {
    app.add_option("-n,--np", words.pes, "number of PEs (default: one for each processor); also -np")
        ->type_name("N")
        ->allow_extra_args(false);
    app.add_option("--machine", words.machine,
                   "run on a simulated chip; oshrun --machine NAME --help lists the options")
        ->type_name("NAME");
    app.add_option("-x", words.exports,
                   "set an environment variable of every PE, or require that it is set; may be repeated")
        ->type_name("VAR[=VALUE]")
        ->allow_extra_args(false);
    app.add_option("--bind", words.bind, "pin PEs: none, core or socket")->type_name("HOW")->allow_extra_args(false);
    app.add_option("--hosts,-H,--host", words.hosts, "run on these machines: HOST[:PES],...; see oshrun(1)")
        ->type_name("LIST")
        ->allow_extra_args(false);
    app.add_option("--hostfile", words.host_file, "run on the machines that FILE lists, one HOST[:PES] in each line")
        ->type_name("FILE")
        ->allow_extra_args(false);
    app.add_option("--launcher", words.launcher,
                   "how to start processes on these machines: ssh, srun, mpirun or prterun")
        ->type_name("HOW")
        ->allow_extra_args(false);
    app.add_flag("--tag-output", words.tag_output, "begin each line of output with its PE, as in [3]");
    app.add_option("--timeout", words.timeout, "stop the job after S seconds, with exit code 124")
        ->type_name("S")
        ->allow_extra_args(false);
    app.add_flag("--stats", words.stats, "print a table of time and memory used at the end");
    app.add_option("--heap", words.heap, "size of each PE's symmetric heap; overrides SHMEM_SYMMETRIC_SIZE")
        ->type_name("SIZE")
        ->allow_extra_args(false);
    app.set_version_flag("--version", "oshrun (Skerry) " SKERRY_VERSION);
    app.prefix_command();
    app.formatter(std::make_shared<Help>());
    app.footer(footer);
}

Words read_words(int argument_count, char **arguments) {
    CLI::App app("Runs PROGRAM as an OpenSHMEM job of N processing elements (PEs) on this machine.", "oshrun");
    Words words;
    add_options(app, words);
    Strings reversed = prepare_words(argument_count, arguments);
    std::reverse(reversed.begin(), reversed.end()); // CLI11 takes words from the end of the vector
    try {
        app.parse(std::move(reversed));
    } catch (const CLI::CallForHelp &help) {
        std::exit(app.exit(help));
    } catch (const CLI::CallForVersion &version) {
        std::exit(app.exit(version));
    } catch (const CLI::ParseError &error) {
        stop(exit_usage, fmt::format("{} (see oshrun --help)", error.what()));
    }
    words.command = app.remaining();
    if (!words.command.empty() && words.command.front() == "--") words.command.erase(words.command.begin());
    else if (!words.command.empty() && words.command.front().starts_with('-'))
        stop(exit_usage, fmt::format("{}: no such option (see oshrun --help)", words.command.front()));
    if (words.command.empty() || words.command.front().empty())
        stop(exit_usage, "no program given (see oshrun --help)");
    return words;
}

// Reads --hosts, --hostfile and --launcher. If neither --hosts nor --hostfile is given, a job in an allocation of Slurm
// runs on the nodes of the allocation. A job whose only host is this machine is an ordinary job without skerry-node.
void read_hosts(const Words &words, Options &options) {
    const std::optional<std::string> list = single("--hosts", words.hosts),
                                     file = single("--hostfile", words.host_file),
                                     launcher = single("--launcher", words.launcher);
    if (list && file) stop(exit_usage, "--hosts and --hostfile must not be given together");
    if (list) options.hosts = parse_hosts(*list);
    if (file) options.hosts = read_host_file(*file);
    if (!list && !file) {
        options.hosts = find_allocation();
        options.in_allocation = !options.hosts.empty();
    }
    if (launcher && options.hosts.empty())
        stop(exit_usage, fmt::format("--launcher {}: needs --hosts or --hostfile", *launcher));
    if (launcher) options.starter = parse_starter(*launcher);
    if (options.hosts.size() != 1 || launcher || !is_this_machine(options.hosts.front().name)) return;
    if (const int slots = options.hosts.front().slots; slots > 0) {
        if (options.pes_given && options.pes > slots) refuse_pes(options.pes, slots, options.in_allocation);
        if (!options.pes_given) options.pes = slots;
        options.pes_given = true;
    }
    options.hosts.clear();
}

} // namespace

Options parse_options(int argument_count, char **arguments, int processors) {
    Options options;
    options.part = find_node_part(); // first, because later errors are reported through it
    if (options.part) name_node(options.part->name);
    Words words = read_words(argument_count, arguments);
    const std::optional<std::string> pes = single("-n", words.pes);
    options.pes = parse_pes(pes, processors);
    options.bind = parse_bind(single("--bind", words.bind));
    options.timeout_seconds = parse_timeout(single("--timeout", words.timeout));
    options.tag_output = words.tag_output;
    options.stats = words.stats;
    const std::optional<std::string> heap = single("--heap", words.heap);
    options.heap_bytes = choose_heap_bytes(heap ? heap->c_str() : nullptr);
    options.huge_pages = is_switched_on("SKERRY_HUGE_PAGES");
    options.pes_given = pes.has_value();
    if (!options.part) read_hosts(words, options);
    if (!options.hosts.empty()) {
        options.command = std::move(words.command);
        for (const std::string &operand : words.exports) options.exports.push_back(read_export(operand));
        return options;
    }
    options.program = find_program(std::move(words.command), words.exports);
    if (!options.pes_given && options.program.starts_others) options.pes = 1;
    options.first_pe = options.part ? options.part->first : 0;
    options.own_pes = options.part ? options.part->count : options.pes;
    options.nodes = options.part ? 1 : count_nodes(options.pes);
    return options;
}

} // namespace skerry
