// SPDX-License-Identifier: BSD-3-Clause
// Implements the program skerry. "skerry info" prints what this machine offers to a job. Any other command, "skerry
// COMMAND", runs the helper program skerry-COMMAND.
#include "hosts.hpp"
#include "information.hpp"
#include "installation.hpp"
#include "message.hpp"
#include "node_information.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

// clang-format off
constexpr const char *help = "Usage: skerry COMMAND [ARGUMENTS...]\n"
                             "\n"
                             "  bench    measures this installation and other implementations; see skerry bench --help\n"
                             "  info     prints what this machine, and with --hosts LIST other machines, offer to a job; --json prints JSON\n"
                             "  omp      runs a program built with gcc -fopenmp on Skerry's OpenMP; see skerry omp --help\n"
                             "  sim      runs a program that was built for a chip on a simulated chip; see skerry sim --help\n"
                             "  tune     measures the fastest settings for this processor; see skerry tune --help\n"
                             "  where    prints the places in the source for addresses: skerry where MODULE 0xADDRESS...\n"
                             "\n"
                             "  --help, --version\n"
                             "\n"
                             "Programs are compiled with oshcc and run with oshrun. See skerry(1).\n";
// clang-format on

struct InformationOptions {
    bool as_json = false, only_node = false;
    std::string launcher, source; // source: where the hosts come from
    std::vector<skerry::Host> hosts;
};

InformationOptions read_options(int count, char **words) {
    InformationOptions options;
    for (int i = 2; i < count; ++i) {
        const std::string_view word = words[i];
        const bool has_operand = word == "--hosts" || word == "--hostfile" || word == "--launcher";
        if (has_operand && i + 1 == count) skerry::stop(2, fmt::format("{}: needs an operand", word));
        if (word == "--json") options.as_json = true;
        else if (word == "--node") options.only_node = true;
        else if (word == "--launcher") options.launcher = words[++i];
        else if (!has_operand)
            skerry::stop(2,
                         fmt::format("{}: no such option (there are --json, --node, --hosts LIST, --hostfile FILE and "
                                     "--launcher NAME)",
                                     word));
        else {
            options.source = fmt::format("{} {}", word, words[i + 1]);
            options.hosts =
                word == "--hosts" ? skerry::parse_hosts(words[i + 1]) : skerry::read_host_file(words[i + 1]);
            ++i;
        }
    }
    if (options.hosts.empty() && !options.only_node && !(options.hosts = skerry::find_allocation()).empty())
        options.source = "the Slurm allocation";
    return options;
}

// Adds the lines about the hosts to the text about this machine.
void add_hosts(std::string &text, const InformationOptions &options, const std::vector<std::string> &lines) {
    if (options.as_json) {
        std::string nodes;
        for (size_t i = 0; i < lines.size(); ++i) {
            if (!lines[i].starts_with('{')) continue;
            const int slots = options.hosts[i].slots;
            nodes += fmt::format("{}\n    {}{}", nodes.empty() ? "" : ",", lines[i].substr(0, 1),
                                 slots > 0 ? fmt::format("\"pes\": {}, ", slots) : "") +
                     lines[i].substr(1);
        }
        text.erase(text.rfind("\n}"));
        text += fmt::format(",\n  \"nodes\": [{}\n  ]\n}}\n", nodes);
        return;
    }
    text += fmt::format("{:<18} {:<18} (of {})\n", "nodes", lines.size(), options.source);
    for (size_t i = 0; i < lines.size(); ++i) {
        const skerry::Host &host = options.hosts[i];
        const std::string pes =
            host.slots > 0 ? fmt::format(", for {} PE{}", host.slots, host.slots == 1 ? "" : "s") : "";
        text +=
            lines[i].empty() ? fmt::format("node {}: no answer\n", host.name) : fmt::format("{}{}\n", lines[i], pes);
    }
}

int show_information(int count, char **words) {
    skerry::call_at_stop([](int, std::string_view text) { fmt::print(stderr, "skerry: info: {}\n", text); });
    const InformationOptions options = read_options(count, words);
    std::string text;
    int code = 0;
    if (options.only_node) {
        text = skerry::describe_own_node(options.as_json) + '\n';
    } else {
        const std::vector<skerry::Fact> facts = skerry::gather_information();
        text = options.as_json ? skerry::format_json(facts) : skerry::format_table(facts);
        if (!options.hosts.empty())
            add_hosts(text, options, skerry::ask_hosts(options.hosts, options.launcher, options.as_json, code));
    }
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return code;
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
