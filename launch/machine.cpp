// SPDX-License-Identifier: BSD-3-Clause
// Runs another program in place of oshrun if the user names a machine (oshrun --machine NAME).
// * If the machine has a program oshrun of its own (libexec/skerry/machines/NAME), that program is run.
// * If not, the machine is a chip, and the simulator (skerry-sim) is run. The NAME is then in share/skerry/machines, or
//   is the file of a description.
//
// Both programs read oshrun's arguments themselves, so this file only searches for --machine. For the simulator it adds
// the option --summary: the simulator prints a summary at the end, except with --quiet.
#include "machine.hpp"

#include "installation.hpp"
#include "message.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace skerry {

namespace {

// Options of oshrun and of the simulator whose value is the next word. This list is needed to find the program's name:
// the first word that neither begins with a dash nor is such a value.
constexpr std::array<std::string_view, 21> with_value = {
    "-n",        "-np",      "--np",    "-x",     "--machine", "--bind",     "--heap",
    "--timeout", "--report", "--trace", "--json", "--gdb",     "--break",    "--max-cycles",
    "--cores",   "--env",    "--hosts", "--host", "-H",        "--hostfile", "--launcher"};

struct Option {
    std::string_view name, value; // the value is empty if the option has none
};

// Returns the options that stand before the program's name.
std::vector<Option> options_of(const std::vector<std::string_view> &words) {
    std::vector<Option> options;
    for (size_t i = 0; i < words.size() && words[i].starts_with('-') && words[i] != "--"; ++i) {
        const size_t equals = words[i].find('=');
        if (equals != std::string_view::npos)
            options.push_back({words[i].substr(0, equals), words[i].substr(equals + 1)});
        else if (std::find(with_value.begin(), with_value.end(), words[i]) == with_value.end())
            options.push_back({words[i], {}});
        else options.push_back({words[i], i + 1 < words.size() ? words[i + 1] : std::string_view()}), ++i;
    }
    return options;
}

// Returns the last option of this name, or a null pointer.
const Option *find(const std::vector<Option> &options, std::string_view name) {
    const auto found =
        std::find_if(options.rbegin(), options.rend(), [&](const Option &option) { return option.name == name; });
    return found == options.rend() ? nullptr : &*found;
}

[[noreturn]] void become(const std::string &program, const std::vector<char *> &arguments) {
    execv(program.c_str(), arguments.data());
    stop(exit_failure, fmt::format("{}: {}", program, std::strerror(errno)));
}

// Returns true if the value of --machine is the path of a file that describes a machine. Returns false for a machine's
// name. The simulator uses the same rule.
bool is_file(std::string_view machine) {
    return machine.find('/') != std::string_view::npos || machine.ends_with(".toml");
}

// Returns the names of this installation's machines: machines with a program oshrun of their own, and chips that the
// simulator knows by name. The chips' descriptions are in ../share/skerry/machines, relative to oshrun's folder.
std::set<std::string> machine_names() {
    std::set<std::string> names;
    std::error_code error;
    for (const auto &machine : std::filesystem::directory_iterator(find_helper("machines"), error))
        if (access((machine.path() / "oshrun").c_str(), X_OK) == 0) names.insert(machine.path().filename());
    for (const auto &chip : std::filesystem::directory_iterator(find_helper("../share/skerry/machines"), error))
        if (chip.path().extension() == ".toml") names.insert(chip.path().stem());
    return names;
}

// Exits with a message if the value of --machine is neither a file nor the name of a machine.
void refuse_unknown(std::string_view machine) {
    const std::set<std::string> names = machine_names();
    if (!is_file(machine) && !names.contains(std::string(machine)))
        stop(exit_usage, fmt::format("--machine {}: no such machine; there are {}", machine.empty() ? "''" : machine,
                                     fmt::join(names, ", ")));
}

void refuse_what_chips_have_not(const std::vector<Option> &options) {
    if (find(options, "--heap"))
        stop(exit_usage, "--heap: not for a chip, where the symmetric heap is the rest of a core's "
                         "memory beside program and stack");
    if (find(options, "--bind"))
        stop(exit_usage, "--bind: not for a chip, where each PE is a core; --cores chooses the cores");
    for (const char *name : {"--hosts", "--host", "-H", "--hostfile", "--launcher"})
        if (find(options, name))
            stop(exit_usage, fmt::format("{}: not for a chip; it is for jobs on several Linux nodes", name));
}

} // namespace

void run_on_machine_if_asked(int argument_count, char **arguments) {
    const std::vector<std::string_view> words(arguments + 1, arguments + argument_count);
    const std::vector<Option> options = options_of(words);
    const Option *machine = find(options, "--machine");
    if (!machine) return;
    std::vector<char *> passed(arguments, arguments + argument_count + 1); // with the null pointer at the end
    if (machine->value.find('/') == std::string_view::npos) {
        const std::string own = find_helper(fmt::format("machines/{}/oshrun", machine->value));
        if (!own.empty()) become(own, passed);
    }
    const std::string simulator = find_helper("skerry-sim");
    if (simulator.empty()) stop(exit_usage, "--machine: this installation has no skerry-sim");
    refuse_unknown(machine->value);
    refuse_what_chips_have_not(options);
    char summary[] = "--summary";
    passed.insert(passed.begin() + 1, summary);
    become(simulator, passed);
}

} // namespace skerry
