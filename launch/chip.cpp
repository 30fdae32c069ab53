// SPDX-License-Identifier: BSD-3-Clause
// The simulator has options of its own, and -n; here is only found out whether it is meant.
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

// Options of either whose value is the next word; any other word without a dash is the program.
constexpr std::array<std::string_view, 15> with_value = {"-n",     "-np",       "--np",         "-x",      "--bind",
                                                         "--heap", "--timeout", "--report",     "--trace", "--json",
                                                         "--gdb",  "--break",   "--max-cycles", "--cores", "--env"};

bool asked(const std::vector<std::string_view> &words) {
    for (size_t i = 0; i < words.size() && words[i].starts_with('-') && words[i] != "--"; ++i) {
        if (words[i] == "--machine" || words[i].starts_with("--machine=")) return true;
        if (std::find(with_value.begin(), with_value.end(), words[i]) != with_value.end()) ++i;
    }
    return false;
}

} // namespace

void run_on_chip_if_asked(int argument_count, char **arguments) {
    const std::vector<std::string_view> words(arguments + 1, arguments + argument_count);
    if (!asked(words)) return;
    const std::string simulator = find_helper("skerry-sim");
    if (simulator.empty()) stop(exit_usage, "--machine: this installation has no skerry-sim");
    execv(simulator.c_str(), arguments);
    stop(exit_failure, fmt::format("{}: {}", simulator, std::strerror(errno)));
}

} // namespace skerry
