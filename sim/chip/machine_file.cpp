// SPDX-License-Identifier: BSD-3-Clause
// Reads the description of a machine from a TOML file. If the description is based on another machine, reads the other
// description too. Reports all mistakes, not only the first.
#include "chip/machine_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "chip/machine_keys.hpp"
#include "chip/section.hpp"
#include "chip/toml.hpp"

namespace skerry::sim {
namespace {

// A description can be based on another description (key based_on), which can be based on a third description, and so
// on. deepest_base is the largest number of descriptions after the first one.
constexpr int deepest_base = 8;
constexpr std::size_t largest_file = 1 << 20;
constexpr std::size_t longest_line = 1000;
constexpr std::string_view ending = ".toml";

// Returns the folder of the installation's machine descriptions, share/skerry/machines. The running program is in the
// folder `bin` of an installation, or in `bin` or `test` of a build. The folder `share` is beside that folder.
std::filesystem::path installed_folder() {
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    return program.parent_path().parent_path() / "share/skerry/machines";
}

struct Close {
    void operator()(std::FILE *f) const {
        std::fclose(f);
    }
};

// Reads a whole file into `text`. Returns an empty string, or the text of an error.
std::string read_text(const std::string &path, std::string &text) {
    const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
    if (!file) return std::strerror(errno);
    text.resize(largest_file + 1);
    errno = 0;
    text.resize(std::fread(text.data(), 1, text.size(), file.get()));
    if (std::ferror(file.get()) != 0) return std::strerror(errno);
    return text.size() > largest_file ? "it is larger than any machine description" : std::string();
}

std::string read_machine(const std::string &name_or_path, const std::filesystem::path &beside, int depth, Machine &m);

// If this description has the key based_on, reads the machine that the key names. Returns false if that machine
// cannot be read.
bool take_base(const toml::table &table, const std::filesystem::path &path, int depth, Mistakes &mistakes, Machine &m) {
    const toml::node *node = table.get("based_on");
    if (node == nullptr) return true;
    const auto *base = node->as_string();
    if (base == nullptr) {
        mistakes.add(*node, fmt::format("based_on: must be the name of a machine or a file, not {}", kind_of(*node)));
        return false;
    }
    if (depth == deepest_base) {
        mistakes.add(*node, "based_on: the descriptions are based on each other in a circle");
        return false;
    }
    const std::string error = read_machine(base->get(), path.parent_path(), depth + 1, m);
    if (!error.empty()) mistakes.add(*node, "based_on: " + error);
    return error.empty();
}

// Returns the line and column of a key in the file. If the key is missing, returns the line and column of its section.
// If the section is missing too, returns the file's first line.
toml::source_position place_of(const toml::table &table, std::string_view key) {
    for (; !key.empty(); key = key.substr(0, key.rfind('.') == std::string_view::npos ? 0 : key.rfind('.'))) {
        if (const toml::node *node = table.at_path(key).node()) return node->source().begin;
    }
    return {1, 1};
}

std::optional<toml::table> parse_toml(std::string_view text, const std::string &path, Mistakes &mistakes) {
    try {
        return toml::parse(text, path);
    } catch (const toml::parse_error &error) {
        mistakes.add(error.source().begin, std::string(error.description()));
        return std::nullopt;
    }
}

// Finds the line of a text at which toml++ (the TOML parser) fails an assertion (toml.hpp). A failed assertion does not
// tell the line. Therefore this function parses the first line, then the first two lines, and so on, until the
// assertion fails.
toml::source_position find_unreadable(std::string_view text) {
    toml::source_position where{1, 1};
    for (std::size_t end = 0; end < text.size(); where.line++) {
        end = std::min(text.find('\n', end), text.size() - 1) + 1;
        try {
            (void)toml::parse(text.substr(0, end));
        } catch (const toml::parse_error &) { // expected, because this beginning of the text can be incomplete
        } catch (const Unreadable &) {
            break;
        }
    }
    return where;
}

// Finds a line that is too long for toml++ (the TOML parser). toml++ makes one recursive call for each part of a dotted
// key, and limits only the nesting of brackets. A very long line could overflow the stack.
std::optional<toml::source_position> find_long_line(std::string_view text) {
    toml::source_position where{1, 1};
    for (; !text.empty(); where.line++) {
        const std::size_t length = std::min(text.find('\n'), text.size());
        if (length > longest_line) return where;
        text.remove_prefix(std::min(length + 1, text.size()));
    }
    return std::nullopt;
}

std::string parse(std::string_view text, const std::string &path, int depth, Machine &machine) {
    machine = {};
    Mistakes mistakes;
    if (const auto where = find_long_line(text)) {
        mistakes.add(*where, fmt::format("this line has more than {} characters", longest_line));
        return mistakes.report(path);
    }
    std::optional<toml::table> parsed;
    try {
        parsed = parse_toml(text, path, mistakes);
    } catch (const Unreadable &) {
        mistakes.add(find_unreadable(text), "this line cannot be read");
    }
    if (!parsed) return mistakes.report(path);
    const toml::table &table = *parsed;
    if (!take_base(table, path, depth, mistakes, machine)) return mistakes.report(path);
    Section file(mistakes, &table, "", {1, 1}, !table.contains("based_on"));
    file.knows("based_on");
    take_keys(file, machine);
    if (!mistakes.none()) return mistakes.report(path);
    if (const auto problem = problem_of(machine)) {
        mistakes.add(place_of(table, problem->key), fmt::format("{}: {}", problem->key, problem->rule));
    }
    return mistakes.report(path);
}

std::string read_machine(const std::string &name_or_path, const std::filesystem::path &beside, int depth, Machine &m) {
    const bool is_file = name_or_path.find('/') != std::string::npos || name_or_path.ends_with(ending);
    std::filesystem::path path =
        is_file ? beside / name_or_path : installed_folder() / (name_or_path + std::string(ending));
    std::error_code error;
    if (!is_file && !std::filesystem::exists(path, error)) {
        const std::vector<std::string> names = machine_names();
        return fmt::format("no machine is called {}{}; there are {}, or give a file as ./my.toml", shown(name_or_path),
                           suggestion(name_or_path, names), fmt::join(names, ", "));
    }
    std::string text;
    if (const std::string problem = read_text(path.string(), text); !problem.empty()) {
        return fmt::format("{}: {}", path.string(), problem);
    }
    return parse(text, path.string(), depth, m);
}

} // namespace

std::string parse_machine(std::string_view text, const std::string &path, Machine &machine) {
    return parse(text, path, 0, machine);
}

std::string read_machine(const std::string &name_or_path, Machine &machine) {
    return read_machine(name_or_path, {}, 0, machine);
}

std::vector<std::string> machine_names() {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(installed_folder(), error)) {
        if (entry.path().extension() == ending) names.push_back(entry.path().stem().string());
    }
    std::ranges::sort(names);
    return names;
}

std::optional<Machine> find_machine(const std::string &name) {
    Machine machine;
    if (!read_machine(name, machine).empty()) return std::nullopt;
    return machine;
}

} // namespace skerry::sim
