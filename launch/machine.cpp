// SPDX-License-Identifier: BSD-3-Clause
// Runs another program in place of oshrun if the user names a machine. If the machine has a program oshrun of its own
// (libexec/skerry/machines/NAME), that program is run; else the machine is a chip, and the simulator (skerry-sim) is
// run. Each of them reads oshrun's arguments itself. This file only searches for --machine, and adds --summary for the
// simulator, which then prints a summary at the end, unless --quiet is given.
#include "machine.hpp"

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
// value is the program's name.
constexpr std::array<std::string_view, 15> with_value = {"-n",     "-np",       "--np",         "-x",      "--bind",
                                                         "--heap", "--timeout", "--report",     "--trace", "--json",
                                                         "--gdb",  "--break",   "--max-cycles", "--cores", "--env"};

std::string_view name_of(std::string_view word) {
    return word.substr(0, word.find('='));
}

bool takes_next(std::string_view word) {
    return std::find(with_value.begin(), with_value.end(), word) != with_value.end();
}

// Returns the names of the options that stand before the program, without their values.
std::vector<std::string_view> options_of(const std::vector<std::string_view> &words) {
    std::vector<std::string_view> options;
    for (size_t i = 0; i < words.size() && words[i].starts_with('-') && words[i] != "--"; ++i) {
        options.push_back(name_of(words[i]));
        if (words[i] == "--machine" || takes_next(words[i])) ++i;
    }
    return options;
}

bool has(const std::vector<std::string_view> &options, std::string_view name) {
    return std::find(options.begin(), options.end(), name) != options.end();
}

// Returns the value of the last option --machine before the program, or an empty text.
std::string machine_of(const std::vector<std::string_view> &words) {
    constexpr std::string_view with_equals = "--machine=";
    std::string machine;
    for (size_t i = 0; i < words.size() && words[i].starts_with('-') && words[i] != "--"; ++i) {
        if (words[i].starts_with(with_equals)) machine = words[i].substr(with_equals.size());
        else if (words[i] == "--machine" && i + 1 < words.size()) machine = words[++i];
        else if (takes_next(words[i])) ++i;
    }
    return machine;
}

[[noreturn]] void become(const std::string &program, const std::vector<char *> &arguments) {
    execv(program.c_str(), arguments.data());
    stop(exit_failure, fmt::format("{}: {}", program, std::strerror(errno)));
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

void run_on_machine_if_asked(int argument_count, char **arguments) {
    const std::vector<std::string_view> words(arguments + 1, arguments + argument_count);
    const std::vector<std::string_view> options = options_of(words);
    if (!has(options, "--machine")) return;
    std::vector<char *> passed(arguments, arguments + argument_count + 1); // with the null pointer at the end
    const std::string machine = machine_of(words);
    if (const std::string own = find_helper("machines/" + machine + "/oshrun");
        !own.empty() && machine.find('/') == std::string::npos)
        become(own, passed);
    refuse_what_chips_have_not(options);
    const std::string simulator = find_helper("skerry-sim");
    if (simulator.empty()) stop(exit_usage, "--machine: this installation has no skerry-sim");
    char summary[] = "--summary";
    passed.insert(passed.begin() + 1, summary);
    become(simulator, passed);
}

} // namespace skerry
