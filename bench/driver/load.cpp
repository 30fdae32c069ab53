// SPDX-License-Identifier: BSD-3-Clause
#include "load.hpp"

#include "message.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace skerry::bench {

Load::~Load() {
    for (const pid_t process : processes) kill(process, SIGKILL);
    for (const pid_t process : processes)
        while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
        }
}

// Starts a process in a process group of its own. When the user presses Ctrl-C, the terminal signals only this program.
// This program then ends the process. run_command starts a measured program in the same way.
pid_t Load::fork_process() {
    const pid_t parent = getpid(), process = fork();
    if (process < 0) throw Failure(exit_failed, fmt::format("fork: {}", std::strerror(errno)));
    if (process > 0) {
        processes.push_back(process);
        return process;
    }
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(exit_failed); // the parent died before the prctl
    return 0;
}

void Load::add_busy_loop() {
    if (fork_process() > 0) return;
    for (volatile unsigned turns = 0;;) turns = turns + 1;
}

void Load::add_command(const Words &command, const Words &environment) {
    if (fork_process() > 0) return;
    for (const std::string &variable : environment) {
        const size_t equals = variable.find('=');
        setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
    }
    if (const int null = open("/dev/null", O_RDWR); null >= 0)
        for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(null, descriptor);
    std::vector<char *> words;
    Words copy = command;
    for (std::string &word : copy) words.push_back(word.data());
    words.push_back(nullptr);
    execv(words[0], words.data());
    _exit(exit_failed);
}

} // namespace skerry::bench
