// SPDX-License-Identifier: BSD-3-Clause
#include "node_starter.hpp"

#include "clock.hpp"
#include "installation.hpp"
#include "limits.hpp"
#include "message.hpp"
#include "variables.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace skerry {

namespace {

constexpr double names_limit = 3; // seconds for a command that prints the names of Slurm's nodes

constexpr std::array<std::pair<Starter, const char *>, 4> names = {
    {{Starter::ssh, "ssh"}, {Starter::srun, "srun"}, {Starter::mpirun, "mpirun"}, {Starter::prterun, "prterun"}}};

// Quotes a word for the shell that ssh runs on the other machine. A word that no shell would change stays as it is.
std::string quote(const std::string &word) {
    const auto is_plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("/._-+", c); };
    if (std::ranges::all_of(word, is_plain)) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

// The script with which srun and mpirun start skerry-node. They do not say on which node a program is missing, and srun
// then waits for the other nodes. So the script writes the line that find_refusal() looks for.
constexpr const char *refusal_begin = "skerry-node on ";
constexpr const char *start_script = "[ -x \"$0\" ] && [ -s \"$0\" ] && exec \"$0\" \"$@\"; "
                                     "echo \"skerry-node on $(uname -n): $0: missing, empty or not executable\" >&2; "
                                     "exit 127";

std::string node_program() {
    const std::string program = find_helper("skerry-node");
    if (program.empty()) stop(exit_not_found, "skerry-node is missing in the folder of oshrun: install Skerry again");
    return program;
}

std::string list(const std::vector<Host> &hosts, const char *suffix) {
    std::string text;
    for (const Host &host : hosts) text += fmt::format("{}{}{}", text.empty() ? "" : ",", host.name, suffix);
    return text;
}

} // namespace

const char *name_of(Starter starter) {
    for (const auto &[each, name] : names)
        if (each == starter) return name;
    return "";
}

std::string cause_of(Starter starter) {
    const char *own = environment_value("SKERRY_SSH");
    return starter == Starter::ssh && own != nullptr ? fmt::format("SKERRY_SSH={}", own) : name_of(starter);
}

Starter parse_starter(const std::string &name) {
    for (const auto &[each, own] : names)
        if (name == own) return each;
    stop(exit_usage, fmt::format("--launcher {}: must be ssh, srun, mpirun or prterun", name.empty() ? "''" : name));
}

Starter choose_starter() {
    return std::getenv("SLURM_JOB_ID") != nullptr ? Starter::srun : Starter::ssh;
}

// Returns the command that starts skerry-node on a host. The variable SKERRY_SSH replaces the command ssh and its
// options; its words are separated by spaces.
std::vector<std::string> command_for(const Host &host) {
    if (is_this_machine(host.name)) return {node_program(), "--here"};
    std::vector<std::string> command;
    const char *own = environment_value("SKERRY_SSH");
    const std::string words = own != nullptr ? own : "ssh -x -T -oBatchMode=yes -oConnectTimeout=15";
    for (size_t begin = 0; (begin = words.find_first_not_of(' ', begin)) != std::string::npos;) {
        const size_t end = std::min(words.find(' ', begin), words.size());
        command.push_back(words.substr(begin, end - begin));
        begin = end;
    }
    if (command.empty()) stop(exit_usage, fmt::format("SKERRY_SSH={}: names no command", words));
    command.insert(command.end(), {host.name, quote(node_program()), "--standard"});
    return command;
}

std::vector<std::string> command_for_all(Starter starter, const std::vector<Host> &hosts) {
    const std::string count = std::to_string(hosts.size());
    std::vector<std::string> command;
    if (starter == Starter::srun)
        command = {"srun",
                   "--nodes=" + count,
                   "--ntasks=" + count,
                   "--ntasks-per-node=1",
                   "--nodelist=" + list(hosts, ""),
                   "--overlap",
                   "--mpi=none",
                   "--export=ALL",
                   "--cpu-bind=none",
                   "--input=none",
                   "--quiet"};
    else
        command = {
            name_of(starter), "--host", list(hosts, ":1"),     "-n", count, "--map-by", "ppr:1:node", "--bind-to",
            "none",           "-x",     "SKERRY_NODE_LAUNCHER"};
    command.insert(command.end(), {"sh", "-c", start_script, node_program(), "--connect"});
    return command;
}

namespace {

// Starts the process for start_process(). Returns 0, or the number of the error with which the start of the program has
// failed.
int spawn_process(const std::vector<std::string> &command, bool connected, StarterProcess &started) {
    std::array<int, 2> input{-1, -1}, output{-1, -1}, error{-1, -1};
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if ((connected && (pipe2(input.data(), O_CLOEXEC) != 0 || pipe2(output.data(), O_CLOEXEC) != 0)) ||
        pipe2(error.data(), O_CLOEXEC) != 0)
        stop(exit_failure, fmt::format("cannot make pipes to the nodes: {}", std::strerror(errno)));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, connected ? input[0] : nothing, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, connected ? output[1] : nothing, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, error[1], STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    std::vector<std::string> words = command;
    std::vector<char *> arguments;
    for (std::string &word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const int failure = posix_spawnp(&started.process, arguments[0], &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    for (const int descriptor : {input[0], output[1], error[1], nothing})
        if (descriptor >= 0) close(descriptor);
    started.output = input[1];
    started.input = output[0];
    started.error = error[0];
    fcntl(started.error, F_SETFL, O_NONBLOCK);
    return failure;
}

} // namespace

StarterProcess start_process(const std::vector<std::string> &command, bool connected) {
    StarterProcess started;
    const int failure = spawn_process(command, connected, started);
    if (failure != 0) {
        // `cause` is SKERRY_SSH and its value if this variable replaces ssh. The message begins with `cause` only if
        // the value contains the command that cannot be started.
        const std::string cause = cause_of(Starter::ssh);
        const bool is_own = cause.starts_with("SKERRY_SSH=") && cause.find(command[0]) != std::string::npos;
        stop(exit_not_found, fmt::format("{}{}cannot start {}: {}", is_own ? cause : "", is_own ? ": " : "", command[0],
                                         std::strerror(failure)));
    }
    return started;
}

std::vector<std::string> slurm_hosts() {
    const bool in_allocation = std::getenv("SLURM_JOB_NODELIST") != nullptr;
    StarterProcess names;
    if (spawn_process(in_allocation ? std::vector<std::string>{"scontrol", "show", "hostnames"}
                                    : std::vector<std::string>{"sinfo", "--noheader", "--Node", "--format=%N"},
                      true, names) != 0)
        return {};
    std::string text;
    std::array<char, 4096> buffer{};
    const double end = now() + names_limit;
    ssize_t length = 1;
    while (length > 0 && now() < end) {
        struct pollfd arrived = {names.input, POLLIN, 0};
        if (poll(&arrived, 1, static_cast<int>(1e3 * names_limit)) <= 0) break;
        length = read(names.input, buffer.data(), buffer.size());
        if (length > 0) text.append(buffer.data(), static_cast<size_t>(length));
    }
    for (const int descriptor : {names.input, names.output, names.error}) close(descriptor);
    if (length != 0) return {};
    std::vector<std::string> hosts;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) hosts.push_back(line.substr(0, line.find(' ')));
    return hosts;
}

bool cancel_slurm_job(const std::string &job) {
    StarterProcess scancel;
    if (spawn_process({"scancel", "--quiet", job}, false, scancel) != 0) return false;
    const double end = now() + cancel_limit;
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(scancel.process, &status, WNOHANG)) == 0 && now() < end) {
        const struct timespec moment = {0, 1'000'000};
        nanosleep(&moment, nullptr);
    }
    close(scancel.error);
    return ended == scancel.process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Open MPI and PRRTE print explanations between lines of dashes. What stands outside of these boxes comes from other
// programs, for example from the ssh that mpirun has started for a node, and is the cause. If nothing stands outside, the
// first paragraph of the first box is the cause. Lines "[HOST:PROCESS] ..." are warnings of the launcher's own parts.
std::string cause_in(Starter starter, const std::string &words) {
    const bool has_boxes = starter == Starter::mpirun || starter == Starter::prterun;
    std::string outside, paragraph, remark;
    bool is_inside = false, has_paragraph = false;
    std::istringstream text(words);
    for (std::string line; std::getline(text, line);) {
        line.erase(line.find_last_not_of(" \r") + 1);
        const bool is_border = line.size() > 20 && line.find_first_not_of('-') == std::string::npos;
        if (is_border || line.empty()) {
            has_paragraph = has_paragraph || !paragraph.empty();
            is_inside = is_border ? !is_inside : is_inside;
        } else if (!has_boxes) {
            outside = line; // srun and ssh end with the cause
        } else if (is_inside) {
            if (!has_paragraph) paragraph += (paragraph.empty() ? "" : " ") + line;
        } else if (line.starts_with('[')) {
            if (remark.empty()) remark = line;
        } else if (outside.empty()) {
            outside = line;
        }
    }
    return !outside.empty() ? outside : !paragraph.empty() ? paragraph : remark;
}

std::optional<Refusal> find_refusal(Starter starter, const std::string &words) {
    std::string other; // the first line of another program, such as the dynamic loader
    Refusal ended{};
    std::istringstream text(words.substr(0, words.rfind('\n') + 1)); // without a line that has not arrived completely
    for (std::string line; std::getline(text, line);) {
        const size_t colon = line.find(": ");
        if (line.starts_with(refusal_begin) && colon != std::string::npos) {
            const size_t name = std::strlen(refusal_begin);
            return Refusal{line.substr(name, colon - name), line.substr(colon + 2), true};
        }
        constexpr std::string_view begin = "srun: error: ";
        // "srun: error: Task launch for StepId=10.0 failed on node NODE: Socket timed out on send/recv operation"
        constexpr std::string_view failed = " failed on node ";
        const size_t launch = line.find(failed), end = line.find(": ", launch);
        if (starter == Starter::srun && line.starts_with(begin) && launch != std::string::npos &&
            end != std::string::npos) {
            const size_t name = launch + failed.size();
            return Refusal{line.substr(name, end - name), line.substr(begin.size()), true};
        }
        // "srun: error: NODE: task 0: Exited with exit code 127"
        const size_t task = line.find(": task");
        if (starter == Starter::srun && line.starts_with(begin) && task != std::string::npos) {
            if (ended.node.empty()) ended = {line.substr(begin.size(), task - begin.size()), line, false};
        } else if (other.empty() && !line.starts_with("srun: ")) {
            other = line;
        }
    }
    if (ended.node.empty()) return std::nullopt;
    if (!other.empty()) ended.cause = other;
    return ended;
}

void read_words(StarterProcess &process) {
    constexpr size_t words_most = 8192;
    std::array<char, 4096> buffer{};
    ssize_t length;
    while ((length = read(process.error, buffer.data(), buffer.size())) > 0)
        if (process.words.size() < words_most) process.words.append(buffer.data(), static_cast<size_t>(length));
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
    close(process.error);
    process.error = -1;
}

} // namespace skerry
