// SPDX-License-Identifier: BSD-3-Clause
// Runs skerry-where, which stands beside this program or in ../libexec/skerry, and takes the file and line of the
// innermost place that it prints: fields between tabs, the fourth is FILE:LINE.
#include "host/source_lines.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace skerry::sim {
namespace {

constexpr int longest_wait = 10'000; // milliseconds without a byte
constexpr std::size_t longest_answer = 65536;

std::string find_where() {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (const char *place : {"skerry-where", "../libexec/skerry/skerry-where"}) {
        const std::string path = (folder / place).string();
        if (::access(path.c_str(), X_OK) == 0) return path;
    }
    return {};
}

std::string read_all(int from) {
    std::string text;
    std::array<char, 4096> block{};
    for (;;) {
        pollfd wait{from, POLLIN, 0};
        if (::poll(&wait, 1, longest_wait) <= 0) return {};
        const ssize_t got = ::read(from, block.data(), block.size());
        if (got <= 0 || text.size() > longest_answer) return text;
        text.append(block.data(), static_cast<std::size_t>(got));
    }
}

// What a program prints; nothing where it cannot be run.
std::string output_of(const std::string &program, std::string file, std::string address) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::string name = "skerry-where";
    const std::array<char *, 4> words = {name.data(), file.data(), address.data(), nullptr};
    pid_t process = 0;
    const int error = ::posix_spawn(&process, program.c_str(), &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    std::string text;
    if (error == 0) {
        text = read_all(ends[0]);
        ::kill(process, SIGKILL); // without effect when it has ended
        ::waitpid(process, nullptr, 0);
    }
    ::close(ends[0]);
    return text;
}

} // namespace

std::string source_line(const std::string &elf_file, std::uint32_t address) {
    const std::string program = find_where();
    if (program.empty() || elf_file.empty()) return {};
    const std::string path = elf_file.starts_with('-') ? "./" + elf_file : elf_file;
    std::string text = output_of(program, path, fmt::format("{:#x}", address));
    text.resize(std::min(text.find('\n'), text.size()));
    for (int field = 0; field < 3; field++) {
        const std::size_t tab = text.find('\t');
        if (tab == std::string::npos) return {};
        text.erase(0, tab + 1);
    }
    return text.substr(text.rfind('/') + 1);
}

} // namespace skerry::sim
