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
#include <fcntl.h>
#include <fmt/format.h>
#include <numeric>
#include <spawn.h>
#include <string_view>
#include <sys/mman.h>
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

constexpr size_t asked_at_once = 16; // hosts that are asked one by one, at the same time

struct Command {
    pid_t process = -1;
    int output = -1; // read end of its standard output
};

// Starts a command with the given file as standard error.
Command start(std::vector<std::string> words, int error) {
    std::array<int, 2> output{};
    if (pipe2(output.data(), O_CLOEXEC) != 0)
        stop(exit_failure, fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    std::vector<char *> arguments;
    for (std::string &word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0, 0);
    Command command{-1, output[0]};
    const int failure = posix_spawn(&command.process, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(output[1]);
    if (failure != 0) stop(exit_failure, fmt::format("cannot start {}: {}", words[0], std::strerror(failure)));
    return command;
}

// Waits for the end of a command. Stores what it writes to standard output in `text`. Returns its exit code.
int finish(const Command &command, std::string &text) {
    std::array<char, 4096> buffer{};
    for (ssize_t length;
         (length = read(command.output, buffer.data(), buffer.size())) > 0 || (length < 0 && errno == EINTR);)
        if (length > 0) text.append(buffer.data(), static_cast<size_t>(length));
    close(command.output);
    int status = 0;
    while (waitpid(command.process, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : exit_signal + WTERMSIG(status);
}

// Writes to standard error what a command has written to the file `error`.
void copy_to_standard_error(int error) {
    std::array<char, 4096> buffer{};
    off_t at = 0;
    for (ssize_t length; (length = pread(error, buffer.data(), buffer.size(), at)) > 0; at += length)
        if (write(STDERR_FILENO, buffer.data(), static_cast<size_t>(length)) != length) return;
}

// Stores the lines of an oshrun that has run a PE on each host. oshrun writes them in the order in which they arrive, each
// with the PE's number: "[12] node ...". `places` has the index in `lines` for each PE.
void take_lines(const std::string &text, const std::vector<size_t> &places, std::vector<std::string> &lines) {
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        const size_t tag_end = line.find("] ");
        if (line.starts_with('[') && tag_end != std::string::npos) {
            const auto pe = static_cast<size_t>(std::atoi(line.c_str() + 1));
            if (pe < places.size()) lines[places[pe]] = line.substr(tag_end + 2);
        }
        begin = end + 1;
    }
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
    const auto command_for = [&](const std::vector<Host> &asked) {
        std::vector<std::string> words = {oshrun, "--tag-output", "--bind", "none", "--hosts", one_pe_each(asked)};
        if (!launcher.empty()) words.insert(words.end(), {"--launcher", launcher});
        words.insert(words.end(), {"--", own_program(), "info", "--node"});
        if (as_json) words.emplace_back("--json");
        return words;
    };
    std::vector<std::string> lines(hosts.size());
    std::vector<size_t> silent(hosts.size()); // indices of the hosts whose lines are missing
    std::iota(silent.begin(), silent.end(), size_t{0});
    const int error = memfd_create("skerry-info", MFD_CLOEXEC);
    std::string text;
    code = finish(start(command_for(hosts), error >= 0 ? error : STDERR_FILENO), text);
    take_lines(text, silent, lines);
    std::erase_if(silent, [&](size_t place) { return !lines[place].empty(); });
    if (silent.empty() || hosts.size() == 1) {
        copy_to_standard_error(error);
        return lines;
    }
    // One host without an answer ends the job on all hosts. So each host that has not answered is asked alone.
    for (size_t first = 0; first < silent.size(); first += asked_at_once) {
        std::vector<Command> commands;
        for (size_t i = first; i < std::min(first + asked_at_once, silent.size()); ++i)
            commands.push_back(start(command_for({hosts[silent[i]]}), STDERR_FILENO));
        for (size_t i = 0; i < commands.size(); ++i) {
            std::string answer;
            code = std::max(code, finish(commands[i], answer));
            take_lines(answer, {silent[first + i]}, lines);
        }
    }
    return lines;
}

} // namespace skerry
