// SPDX-License-Identifier: BSD-3-Clause
// Implements the program skerry. "skerry info" prints what this machine offers to a job. Any other command, "skerry
// COMMAND", runs the helper program skerry-COMMAND.
#include "information.hpp"
#include "installation.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <unistd.h>

namespace {

// clang-format off
constexpr const char *help = "Usage: skerry COMMAND [ARGUMENTS...]\n"
                             "\n"
                             "  bench    measures this installation and other implementations; see skerry bench --help\n"
                             "  info     prints what this machine offers to a job; --json prints JSON\n"
                             "  omp      runs a program built with gcc -fopenmp on Skerry's OpenMP; see skerry omp --help\n"
                             "  sim      runs a program that was built for a chip on a simulated chip; see skerry sim --help\n"
                             "  tune     measures the fastest settings for this processor; see skerry tune --help\n"
                             "  where    prints the places in the source for addresses: skerry where MODULE 0xADDRESS...\n"
                             "\n"
                             "  --help, --version\n"
                             "\n"
                             "Programs are compiled with oshcc and run with oshrun. See skerry(1).\n";
// clang-format on

int show_information(int count, char **words) {
    const bool json = count > 2 && std::string_view(words[2]) == "--json";
    if (count > (json ? 3 : 2)) {
        fmt::print(stderr, "skerry: info: {}: no such option (there is --json)\n", words[json ? 3 : 2]);
        return 2;
    }
    const std::vector<skerry::Fact> facts = skerry::gather_information();
    const std::string text = json ? skerry::format_json(facts) : skerry::format_table(facts);
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return 0;
    fmt::print(stderr, "skerry: cannot write: {}\n", std::strerror(errno));
    return 1;
}

int run_helper(const std::string &command, char **words) {
    const bool plain = command.find('/') == std::string::npos && !command.starts_with('-') && !command.empty();
    const std::string path = plain ? skerry::find_helper("skerry-" + command) : std::string{};
    if (path.empty()) {
        fmt::print(stderr, "skerry: {}: no such command in this installation (see skerry --help)\n", command);
        return 2;
    }
    execv(path.c_str(), words);
    fmt::print(stderr, "skerry: {}: {}\n", path, std::strerror(errno));
    return 126;
}

} // namespace

int main(int count, char **words) {
    const std::string command = count > 1 ? words[1] : "";
    if (command.empty()) {
        fmt::print(stderr, "{}", help);
        return 2;
    }
    if (command == "--help" || command == "-h" || command == "help") {
        fmt::print("{}", help);
        return 0;
    }
    if (command == "--version") {
        fmt::print("skerry (Skerry) {}\n", SKERRY_VERSION);
        return 0;
    }
    return command == "info" ? show_information(count, words) : run_helper(command, words + 1);
}
