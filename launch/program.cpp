// SPDX-License-Identifier: BSD-3-Clause
// A missing program or a missing right shall be one line from oshrun, not one from each of a thousand PEs.
#include "program.hpp"

#include "message.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace skerry {

namespace {

bool is_program(const std::string &path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(path.c_str(), X_OK) == 0;
}

[[noreturn]] void stop_unusable(const std::string &path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0)
        stop(errno == ENOENT || errno == ENOTDIR ? exit_not_found : exit_not_executable,
             fmt::format("{}: {}", path, std::strerror(errno)));
    if (S_ISDIR(status.st_mode)) stop(exit_not_executable, fmt::format("{}: is a directory, not a program", path));
    stop(exit_not_executable, fmt::format("{}: is not executable", path));
}

std::string search(const std::string &name) {
    if (name.find('/') != std::string::npos) {
        if (!is_program(name)) stop_unusable(name);
        return name;
    }
    const char *variable = std::getenv("PATH");
    const std::string folders = variable != nullptr ? variable : "/bin:/usr/bin";
    for (size_t begin = 0; begin <= folders.size();) {
        size_t end = folders.find(':', begin);
        if (end == std::string::npos) end = folders.size();
        const std::string folder = end > begin ? folders.substr(begin, end - begin) : ".";
        const std::string path = folder + '/' + name;
        if (is_program(path)) return path;
        begin = end + 1;
    }
    const std::string local = "./" + name;
    if (is_program(local)) return local;
    if (access(local.c_str(), F_OK) == 0) stop_unusable(local);
    stop(exit_not_found, fmt::format("{}: program not found, neither in PATH nor here", name));
}

bool is_binary(const std::string &path) {
    std::array<char, 4> magic{};
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool found = file >= 0 && read(file, magic.data(), magic.size()) == 4 &&
                       std::string_view(magic.data(), magic.size()) == "\177ELF";
    if (file >= 0) close(file);
    return found;
}

void set_variable(std::vector<std::string> &environment, const std::string &assignment) {
    const std::string prefix = assignment.substr(0, assignment.find('=') + 1);
    for (std::string &entry : environment) {
        if (entry.starts_with(prefix)) {
            entry = assignment;
            return;
        }
    }
    environment.push_back(assignment);
}

// Everything is passed on anyway, so -x NAME only has to see to it that there is something to pass.
void export_variable(std::vector<std::string> &environment, const std::string &operand) {
    const size_t equals = operand.find('=');
    if (operand.empty() || equals == 0)
        stop(exit_usage, fmt::format("-x {}: a variable needs a name", operand.empty() ? "''" : operand));
    if (equals != std::string::npos) set_variable(environment, operand);
    else if (std::getenv(operand.c_str()) == nullptr)
        stop(exit_usage, fmt::format("-x {}: is not set in the environment", operand));
}

} // namespace

Program find_program(std::vector<std::string> words, const std::vector<std::string> &exports) {
    Program program;
    for (char **entry = environ; *entry != nullptr; ++entry) {
        // A job inside a job is a new one.
        if (std::strncmp(*entry, "SKERRY_JOB=", 11) != 0 && std::strncmp(*entry, "SKERRY_PE=", 10) != 0 &&
            std::strncmp(*entry, "SKERRY_PES=", 11) != 0 && std::strncmp(*entry, "SKERRY_TERMINAL=", 16) != 0)
            program.environment.emplace_back(*entry);
    }
    for (const std::string &operand : exports) export_variable(program.environment, operand);
    program.path = search(words.front());
    program.binary = is_binary(program.path);
    program.arguments = std::move(words);
    return program;
}

} // namespace skerry
