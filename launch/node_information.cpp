// SPDX-License-Identifier: BSD-3-Clause
#include "node_information.hpp"

#include "information.hpp"
#include "installation.hpp"
#include "message.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace skerry {

namespace {

// Returns the operand of --hosts for one PE on each host. An address of IP version 6 needs brackets.
std::string one_pe_each(const std::vector<Host> &hosts) {
    std::string operand;
    for (const Host &host : hosts) {
        const bool is_address = host.name.find(':') != std::string::npos;
        operand += fmt::format("{}{}{}{}:1", operand.empty() ? "" : ",", is_address ? "[" : "", host.name,
                               is_address ? "]" : "");
    }
    return operand;
}

std::string own_program() {
    std::array<char, 4096> path{};
    return readlink("/proc/self/exe", path.data(), path.size() - 1) > 0 ? path.data() : std::string{};
}

// Runs a command and stores what it writes to standard output in `text`. Returns its exit code.
int run(std::vector<std::string> words, std::string &text) {
    std::array<int, 2> output{};
    if (pipe(output.data()) != 0) stop(exit_failure, fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    std::vector<char *> arguments;
    for (std::string &word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, output[0]);
    posix_spawn_file_actions_addclose(&actions, output[1]);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0, 0);
    pid_t process = -1;
    const int failure = posix_spawn(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(output[1]);
    if (failure != 0) stop(exit_failure, fmt::format("cannot start {}: {}", words[0], std::strerror(failure)));
    std::array<char, 4096> buffer{};
    for (ssize_t length;
         (length = read(output[0], buffer.data(), buffer.size())) > 0 || (length < 0 && errno == EINTR);)
        if (length > 0) text.append(buffer.data(), static_cast<size_t>(length));
    close(output[0]);
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : exit_signal + WTERMSIG(status);
}

} // namespace

std::string describe_own_node(bool as_json) {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    std::vector<Fact> facts = gather_node_facts();
    if (as_json) {
        facts.insert(facts.begin(), {"node", name.data(), {}});
        std::string object = format_json(facts);
        std::erase(object, '\n');
        return object;
    }
    std::string line = fmt::format("node {}: ", name.data());
    for (const Fact &fact : facts) {
        std::string fact_name = fact.name;
        std::ranges::replace(fact_name, '_', ' ');
        line += fmt::format("{}{} {}{}{}", &fact == &facts.front() ? "" : ", ", fact_name, fact.value,
                            fact.unit.empty() ? "" : " ", fact.unit);
    }
    return line;
}

std::vector<std::string> ask_hosts(const std::vector<Host> &hosts, const std::string &launcher, bool as_json,
                                   int &code) {
    const std::string oshrun = find_helper("oshrun");
    if (oshrun.empty())
        stop(exit_not_found, "the program oshrun is missing in the folder of skerry: install Skerry again");
    std::vector<std::string> words = {oshrun, "--tag-output", "--bind", "none", "--hosts", one_pe_each(hosts)};
    if (!launcher.empty()) words.insert(words.end(), {"--launcher", launcher});
    words.insert(words.end(), {"--", own_program(), "info", "--node"});
    if (as_json) words.emplace_back("--json");
    std::string text;
    code = run(words, text);
    // oshrun writes the lines in the order in which they arrive, each with the PE's number: "[12] node ...".
    std::vector<std::string> lines(hosts.size());
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        const size_t tag_end = line.find("] ");
        if (line.starts_with('[') && tag_end != std::string::npos) {
            const auto pe = static_cast<size_t>(std::atoi(line.c_str() + 1));
            if (pe < lines.size()) lines[pe] = line.substr(tag_end + 2);
        }
        begin = end + 1;
    }
    return lines;
}

} // namespace skerry
