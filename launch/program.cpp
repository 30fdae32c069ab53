// SPDX-License-Identifier: BSD-3-Clause
// Finds and checks the program before oshrun starts PEs. Therefore a missing program or permission gives one error
// message, and not one from each PE.
#include "program.hpp"

#include "installation.hpp"
#include "message.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <link.h>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
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
    stop(exit_not_found, fmt::format("{}: program not found in PATH or in the current directory", name));
}

std::string read_beginning(const std::string &path, size_t most) {
    std::string text(most, '\0');
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const ssize_t length = file < 0 ? -1 : read(file, text.data(), text.size());
    if (file >= 0) close(file);
    text.resize(length < 0 ? 0 : static_cast<size_t>(length));
    return text;
}

constexpr std::string_view binary_magic = "\177ELF";

// The ELF note that marks a program that starts other programs; mppa_async.h puts the note into such a program. An ELF
// note begins with two words, the lengths of its name and of its description. This constant leaves out these two words.
// oshrun searches only the first notes_end bytes of the file, because notes are near the beginning of a file.
constexpr size_t notes_end = 4096;
constexpr std::string_view starts_others_note{"\1\0\0\0Skerry\0\0\1\0\0\0", 16};

// The beginning of the ELF note that names the machine for which a program is built, without the note's first two
// words. The machine's name and a null byte follow. A machine can use oshrun's processor type. The ELF header of its
// programs is then the same as that of an ordinary program. Only this note shows the machine
// (src/machine/example/machine.c).
constexpr std::string_view machine_note{"\2\0\0\0Skerry\0\0", 12};

// Returns the name of the machine for which a program is built, from the note that the program has. Returns an empty
// text if the program's first bytes contain no such note.
std::string marked_machine(std::string_view text) {
    const size_t place = text.find(machine_note);
    if (place == std::string_view::npos) return {};
    text.remove_prefix(place + machine_note.size());
    return std::string(text.substr(0, text.find('\0')));
}

// Returns words for the user if the program is built for another machine of this installation: the machine's name, and
// the command that runs the program on that machine. Returns an empty text for all other programs. Each machine has a
// file elf-machine with these words and with the number of its processor type (e_machine of the ELF header).
std::string other_machine_of(const std::string &text) {
    // The offset of e_machine is the same in the headers of 32-bit and 64-bit ELF files.
    constexpr size_t place = 18;
    if (!text.starts_with(binary_magic) || text.size() < place + 2) return {};
    const unsigned number = static_cast<unsigned char>(text[place]) | static_cast<unsigned char>(text[place + 1]) << 8;
    const std::string machines = find_helper("machines");
    std::error_code error;
    for (const auto &machine : std::filesystem::directory_iterator(machines, error)) {
        std::ifstream file(machine.path() / "elf-machine");
        unsigned own = 0;
        std::string words;
        if (file >> own >> std::ws && std::getline(file, words) && own == number) return words;
    }
    return {};
}

// Returns the path of the loader of a dynamically linked program. Returns an empty text if the file names no loader.
// Checks every offset, because the file can be damaged.
std::string elf_interpreter(const std::string &text) {
    ElfW(Ehdr) header;
    if (text.size() < sizeof header) return {};
    std::memcpy(&header, text.data(), sizeof header);
    for (size_t i = 0; i < header.e_phnum; ++i) {
        ElfW(Phdr) part;
        const size_t place = header.e_phoff + i * sizeof part;
        if (place > text.size() || text.size() - place < sizeof part) return {};
        std::memcpy(&part, text.data() + place, sizeof part);
        if (part.p_type == PT_INTERP && part.p_offset < text.size()) return text.c_str() + part.p_offset;
    }
    return {};
}

// Returns the interpreter of a script, read as the kernel reads it. For the first line "#! /bin/sh -e" it is /bin/sh.
std::string script_interpreter(const std::string &text) {
    const std::string line = text.substr(2, text.find_first_of("\n", 2) - 2);
    const size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    return line.substr(begin, line.find_first_of(" \t", begin) - begin);
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

} // namespace

std::string read_export(const std::string &operand) {
    const size_t equals = operand.find('=');
    if (operand.empty() || equals == 0)
        stop(exit_usage, fmt::format("-x {}: must be NAME or NAME=VALUE", operand.empty() ? "''" : operand));
    if (equals != std::string::npos) return operand;
    const char *value = std::getenv(operand.c_str());
    if (value == nullptr) stop(exit_usage, fmt::format("-x {}: is not set in the environment", operand));
    return fmt::format("{}={}", operand, value);
}

Program find_program(std::vector<std::string> words, const std::vector<std::string> &exports) {
    Program program;
    for (char **entry = environ; *entry != nullptr; ++entry) {
        // If oshrun runs inside a job (the outer job), the new job must not get the outer job's variables.
        if (std::strncmp(*entry, "SKERRY_JOB=", 11) != 0 && std::strncmp(*entry, "SKERRY_PE=", 10) != 0 &&
            std::strncmp(*entry, "SKERRY_PES=", 11) != 0 && std::strncmp(*entry, "SKERRY_TERMINAL=", 16) != 0)
            program.environment.emplace_back(*entry);
    }
    for (const std::string &operand : exports) set_variable(program.environment, read_export(operand));
    program.path = search(words.front());
    const std::string beginning = read_beginning(program.path, notes_end);
    program.binary = beginning.starts_with(binary_magic);
    program.starts_others = program.binary && beginning.find(starts_others_note) != std::string::npos;
    if (const std::string machine = program.binary ? marked_machine(beginning) : std::string{}; !machine.empty())
        stop(exit_not_executable,
             fmt::format("{0}: is a program for the machine {1}: oshrun --machine {1} runs it", program.path, machine));
    program.arguments = std::move(words);
    return program;
}

// Describes why the exec of a program failed. The cause can be the program itself, or its interpreter or loader: a
// missing file, or a file that is not executable. The kernel returns the same errno for both. Therefore this function
// checks the interpreter or loader, and names it if it cannot be executed.
std::string describe_refusal(const std::string &path, int error) {
    const std::string text = read_beginning(path, 4096);
    if (const std::string machine = other_machine_of(text); !machine.empty())
        return fmt::format("{}: {}", path, machine);
    const bool binary = text.starts_with(binary_magic);
    std::string name = binary ? elf_interpreter(text) : text.starts_with("#!") ? script_interpreter(text) : "";
    const char *hint = "";
    if (name.ends_with('\r')) {
        name.pop_back();
        hint = " (a carriage return follows this name: the file has Windows line ends)";
    } else if (access(name.c_str(), X_OK) == 0) {
        name.clear();
    }
    if (name.empty()) return fmt::format("{}: {}", path, std::strerror(error));
    return fmt::format("{}: its {} {}{}: {}", path, binary ? "loader" : "interpreter", name, hint,
                       std::strerror(error));
}

} // namespace skerry
