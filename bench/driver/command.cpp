// SPDX-License-Identifier: BSD-3-Clause
// Runs a command in a process group of its own. One signal to the group then ends a launcher and all its PEs. When the
// user presses Ctrl-C, the terminal signals only this program, because the command is in another group. This program
// then ends the command's group.
#include "command.hpp"

#include "message.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace skerry::bench {

namespace {

volatile std::sig_atomic_t interrupted = 0;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Pipe {
    Pipe() {
        std::array<int, 2> ends{};
        if (pipe2(ends.data(), O_CLOEXEC) != 0)
            throw Failure(exit_failed, fmt::format("pipe: {}", std::strerror(errno)));
        reader = ends[0], writer = ends[1];
    }
    Pipe(const Pipe &) = delete;
    Pipe &operator=(const Pipe &) = delete;
    ~Pipe() {
        close(reader);
        close_writer();
    }
    void close_writer() {
        if (writer >= 0) close(writer);
        writer = -1;
    }
    int reader = -1, writer = -1;
};

std::vector<char *> pointers(Words &words) {
    std::vector<char *> list;
    for (std::string &word : words) list.push_back(word.data());
    list.push_back(nullptr);
    return list;
}

pid_t start(Words command, Words environment, const Pipe &output, const Pipe &errors) {
    for (char **variable = environ; *variable; ++variable) environment.emplace_back(*variable);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output.writer, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors.writer, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    pid_t process = 0;
    const int error = posix_spawnp(&process, command[0].c_str(), &actions, &attributes, pointers(command).data(),
                                   pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) throw Failure(exit_failed, fmt::format("{}: {}", command[0], std::strerror(error)));
    return process;
}

// Appends the available data to `text`. Returns false at the end of the data.
bool drain(int descriptor, std::string &text) {
    std::array<char, 65536> buffer;
    const ssize_t length = read(descriptor, buffer.data(), buffer.size());
    if (length > 0) text.append(buffer.data(), static_cast<size_t>(length));
    return length > 0 || (length < 0 && (errno == EINTR || errno == EAGAIN));
}

// Reads until all processes have closed both pipes. Returns false if the time is over or the user interrupts.
bool gather(const Pipe &output, const Pipe &errors, double deadline, Outcome &outcome) {
    std::array<pollfd, 2> ends{pollfd{output.reader, POLLIN, 0}, pollfd{errors.reader, POLLIN, 0}};
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
        const double left = deadline - now();
        if (interrupted || left <= 0) return false;
        if (poll(ends.data(), ends.size(), left < 0.2 ? static_cast<int>(left * 1000) + 1 : 200) <= 0) continue;
        if (ends[0].revents && !drain(ends[0].fd, outcome.output)) ends[0].fd = -1;
        if (ends[1].revents && !drain(ends[1].fd, outcome.errors)) ends[1].fd = -1;
    }
    return true;
}

int reap(pid_t process, double seconds) {
    int status = 0;
    for (const double deadline = now() + seconds; seconds > 0 && now() < deadline; usleep(2000))
        if (waitpid(process, &status, WNOHANG) == process) return status;
    if (seconds > 0) kill(-process, SIGKILL);
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

} // namespace

Outcome run_command(const Words &command, const Words &environment, double timeout_seconds) {
    Pipe output, errors;
    Outcome outcome;
    const double began = now();
    const pid_t process = start(command, environment, output, errors);
    output.close_writer();
    errors.close_writer();
    const bool ended = gather(output, errors, began + timeout_seconds, outcome);
    if (!ended) kill(-process, SIGTERM);
    const int status = reap(process, ended ? 0 : 2);
    outcome.seconds = now() - began;
    if (!ended) kill(-process, SIGKILL); // ends the processes of the group that still run
    if (interrupted) throw Failure(exit_interrupted, "interrupted");
    outcome.late = !ended;
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return outcome;
}

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = 1; };
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

Words split_words(const std::string &text) {
    std::istringstream stream(text);
    Words words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

std::string find_executable(const std::string &program) {
    if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0 ? program : std::string{};
    const char *path = std::getenv("PATH");
    std::istringstream folders(path ? path : "/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (const std::string place = folder + "/" + program; access(place.c_str(), X_OK) == 0) return place;
    return {};
}

std::string describe_failure(const Outcome &outcome) {
    std::istringstream lines(outcome.errors.empty() ? outcome.output : outcome.errors);
    std::string last;
    for (std::string line; std::getline(lines, line);)
        if (line.find_first_not_of(" -=*\t") != std::string::npos && // skips separator lines
            !line.starts_with("collect2: error: "))                  // says only that the line before is the linker's
            last = line;
    const std::string what = outcome.late ? "took too long" : fmt::format("exit code {}", outcome.code);
    return last.empty() ? what : what + ": " + last;
}

} // namespace skerry::bench
