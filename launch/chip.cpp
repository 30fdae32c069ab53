// SPDX-License-Identifier: BSD-3-Clause
// Runs the simulator (skerry-sim) in place of oshrun if the user asks for it. The simulator has options of its own and
// most of oshrun's options, and reads them itself. This file only searches for --machine, and adds --summary: the
// simulator then prints a summary at the end, unless --quiet is given.
#include "chip.hpp"

#include "installation.hpp"
#include "message.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace skerry {

namespace {

// Options of oshrun and of the simulator whose value is the next word. The first word without a dash that is not such a
// value is the program.
constexpr std::array<std::string_view, 15> with_value = {"-n",     "-np",       "--np",         "-x",      "--bind",
                                                         "--heap", "--timeout", "--report",     "--trace", "--json",
                                                         "--gdb",  "--break",   "--max-cycles", "--cores", "--env"};

std::string_view name_of(std::string_view word) {
    return word.substr(0, word.find('='));
}

// Returns the names of the options that stand before the program, without their values.
std::vector<std::string_view> options_of(const std::vector<std::string_view> &words) {
    std::vector<std::string_view> options;
    for (size_t i = 0; i < words.size() && words[i].starts_with('-') && words[i] != "--"; ++i) {
        options.push_back(name_of(words[i]));
        const bool takes_next =
            words[i] == "--machine" || std::find(with_value.begin(), with_value.end(), words[i]) != with_value.end();
        if (takes_next) ++i;
    }
    return options;
}

bool has(const std::vector<std::string_view> &options, std::string_view name) {
    return std::find(options.begin(), options.end(), name) != options.end();
}

void refuse_what_chips_have_not(const std::vector<std::string_view> &options) {
    if (has(options, "--heap"))
        stop(
            exit_usage,
            "--heap: not for a chip, where the symmetric heap is the rest of a core's memory beside program and stack");
    if (has(options, "--bind"))
        stop(exit_usage, "--bind: not for a chip, where each PE is a core; --cores chooses the cores");
}

} // namespace

void run_on_chip_if_asked(int argument_count, char **arguments) {
    const std::vector<std::string_view> words(arguments + 1, arguments + argument_count);
    const std::vector<std::string_view> options = options_of(words);
    if (!has(options, "--machine")) return;
    refuse_what_chips_have_not(options);
    const std::string simulator = find_helper("skerry-sim");
    if (simulator.empty()) stop(exit_usage, "--machine: this installation has no skerry-sim");
    std::vector<char *> passed(arguments, arguments + argument_count + 1); // with the null pointer at the end
    char summary[] = "--summary";
    passed.insert(passed.begin() + 1, summary);
    execv(simulator.c_str(), passed.data());
    stop(exit_failure, fmt::format("{}: {}", simulator, std::strerror(errno)));
}

} // namespace skerry
