// SPDX-License-Identifier: BSD-3-Clause
// Reads the command line with CLI11. The first word that is not an option is the program, and all words after it are
// the program's arguments.
#include "cli/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

namespace skerry::sim {
namespace {

constexpr const char *footer =
    "\nThe exit code is the program's; 125 if nothing could be run, 124 if the program did not end by itself,\n"
    "123 if --check-races has found a race.\n"
    "See skerry-sim(1).";

class Help : public CLI::Formatter {
    std::string make_usage(const CLI::App *, std::string) const override {
        return "Usage: skerry-sim [OPTIONS] PROGRAM.ELF [ARGUMENTS...]\n";
    }
};

std::string is_assignment(const std::string &text) {
    const std::size_t at = text.find('=');
    if (text.empty() || at == 0) return "a variable needs a name";
    if (at == std::string::npos && std::getenv(text.c_str()) == nullptr) return text + " is not set in the environment";
    return {};
}

void add_options(CLI::App &app, Options &o, const std::string &machines) {
    const auto add = [&](const char *name, auto &to, const std::string &what, const char *type) {
        return app.add_option(name, to, what)->type_name(type)->allow_extra_args(false);
    };
    add("--machine", o.machine, "the chip: " + machines, "NAME")->capture_default_str();
    add("-n,--np", o.pes, "number of PEs, each on its own core (default: all cores); also -np", "N");
    add("--cores", o.cores, "cores to use: a number, all, ROWSxCOLUMNS@ROW,COLUMN or ROW,COLUMN; put / between several",
        "WHICH")
        ->capture_default_str();
    app.add_flag("--io-node", o.io_node, "PE 0 is an I/O node with DDR memory, not a cluster (mppa)");
    add("--max-cycles", o.max_cycles, "stop after N cycles", "N")->check([](const std::string &text) {
        std::uint64_t cycles = 0; // read here, because CLI11 would change a number that is negative or too large
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cycles);
        const bool good = error == std::errc() && end == text.data() + text.size();
        return good ? std::string() : "must be a number of cycles, not " + text;
    });
    add("--timeout", o.timeout_seconds, "stop after S seconds of real time", "S")->check([](const std::string &text) {
        double seconds = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
        const bool good = error == std::errc() && end == text.data() + text.size() && seconds > 0 && seconds < 1e9;
        return good ? std::string() : "must be a number of seconds above 0, not " + text;
    });
    app.add_flag("--disassemble", o.disassemble, "print the program's instructions and do not run it");
    app.add_flag("--stats", o.stats, "print on stderr how each core spent its cycles");
    add("--report", o.report, "write an HTML page that shows how the time was spent", "FILE.html");
    add("--json", o.json, "write every counter, for scripts", "FILE");
    add("--trace", o.trace, "write a trace of all events, for ui.perfetto.dev", "FILE.json");
    add("--break", o.breaks, "print a core's registers each time it reaches this place; may be repeated", "WHERE");
    add("--gdb", o.gdb, "let gdb of the same user control the run, on this port of localhost, a socket or over stdio",
        "PORT|PATH|stdio");
    app.add_flag("--gdb-files", o.gdb_files, "let a program that gdb has changed open and remove files");
    app.add_flag(
        "--check-races", o.check_races,
        "report races of an OpenMP program: two cores access a byte, one of them stores, and nothing orders them");
    app.add_flag("--allow-code-writes", o.allow_code_writes, "let the program write its own code");
    app.add_flag("--label", o.label, "begin each line of output with the core that printed it");
    app.add_flag("--tag-output", o.tag_output, "begin each line of output with its PE, as in [3]");
    app.add_flag("--summary", o.summary, "print a few lines on stderr at the end, as oshrun does");
    app.add_flag("--quiet", o.quiet, "do not print the lines of --summary");
    add("-x,--env", o.environment, "set a variable of the program's environment; may be repeated", "NAME[=VALUE]")
        ->check(is_assignment);
    app.add_flag("--linker-symbols", o.linker_symbols, "print the linker's options that describe the machine");
    app.add_flag("--library", o.library, "print the folder of lib/skerry with the library for this machine");
    app.prefix_command();
    app.formatter(std::make_shared<Help>());
    app.footer(footer);
}

// Returns the words of the command line, with -np replaced by --np. The library CLI11 does not support options of one
// dash and two letters. The words after the program's name stay as they are.
std::vector<std::string> prepare(int count, char **words) {
    constexpr std::array<std::string_view, 15> without_operand = {"--disassemble",
                                                                  "--stats",
                                                                  "--help",
                                                                  "--linker-symbols",
                                                                  "--library",
                                                                  "-h",
                                                                  "--",
                                                                  "--allow-code-writes",
                                                                  "--label",
                                                                  "--tag-output",
                                                                  "--summary",
                                                                  "--quiet",
                                                                  "--gdb-files",
                                                                  "--check-races",
                                                                  "--io-node"};
    std::vector<std::string> all(words + 1, words + count);
    for (std::size_t k = 0; k < all.size() && all[k].starts_with('-') && all[k] != "--"; k++) {
        if (all[k] == "-np") all[k] = "--np";
        const bool one_word = all[k].find('=') != std::string::npos || std::ranges::count(without_operand, all[k]) != 0;
        if (!one_word) k++;
    }
    return all;
}

} // namespace

std::string read_options(int count, char **words, const std::string &machines, Options &options) {
    CLI::App app("Runs a program on a simulated chip.", "skerry-sim");
    add_options(app, options, machines);
    std::vector<std::string> reversed = prepare(count, words);
    std::ranges::reverse(reversed); // CLI11 takes the words from the end of a vector
    try {
        app.parse(std::move(reversed));
    } catch (const CLI::CallForHelp &help) {
        std::exit(app.exit(help));
    } catch (const CLI::ParseError &error) {
        return fmt::format("{} (see skerry-sim --help)", error.what());
    }
    for (std::string &variable : options.environment) {
        if (variable.find('=') == std::string::npos) variable += std::string("=") + std::getenv(variable.c_str());
    }
    options.program = app.remaining();
    if (!options.program.empty() && options.program.front() == "--") {
        options.program.erase(options.program.begin());
    } else if (!options.program.empty() && options.program.front().starts_with('-')) {
        return fmt::format("{}: no such option (see skerry-sim --help)", options.program.front());
    }
    const bool needs_program = !options.linker_symbols && !options.library;
    return options.program.empty() && needs_program ? "no program given (see skerry-sim --help)" : std::string();
}

} // namespace skerry::sim
