// SPDX-License-Identifier: BSD-3-Clause
// Turns a TOML file into a machine. The reader asks each section for all keys that the reader knows. A key in the file
// that the reader did not ask for is a mistake, and the error suggests the most similar known key. The reader collects
// all mistakes instead of stopping at the first mistake.
#include "chip/machine_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>
// toml++ treats some mistakes in a file as bugs of toml++ itself: "[#" fails an assertion, or is undefined behaviour if
// assertions are off. Here a failed assertion throws an exception instead.
#undef NDEBUG
#define TOML_EXCEPTIONS 1
#define TOML_ASSERT(condition) (static_cast<bool>(condition) ? void() : skerry::sim::unreadable())
namespace skerry::sim {
namespace {
struct Unreadable {};
[[noreturn]] void unreadable() {
    throw Unreadable();
}
} // namespace
} // namespace skerry::sim
#include <toml++/toml.h>

namespace skerry::sim {
namespace {

constexpr int deepest_base = 8; // largest number of machines in a chain of based_on, without the first machine
constexpr std::size_t largest_file = 1 << 20;
constexpr std::size_t longest_line = 1000;
constexpr std::string_view ending = ".toml";

// ---- mistakes ----

struct Mistake {
    toml::source_position where;
    std::string text;
};

class Mistakes {
  public:
    void add(toml::source_position where, std::string text) {
        list_.push_back({where, std::move(text)});
    }
    void add(const toml::node &node, std::string text) {
        add(node.source().begin, std::move(text));
    }
    bool none() const {
        return list_.empty();
    }
    // Returns the mistakes as text, in the order of the file.
    std::string report(const std::string &path) {
        std::ranges::stable_sort(list_, {}, [](const Mistake &m) { return std::pair(m.where.line, m.where.column); });
        std::string text;
        for (const Mistake &m : list_) {
            text += fmt::format("{}{}:{}:{}: {}", text.empty() ? "" : "\n", path, std::max(m.where.line, 1U),
                                std::max(m.where.column, 1U), m.text);
        }
        return text;
    }

  private:
    std::vector<Mistake> list_;
};

// Returns the edit distance of two words: the number of letters to insert, delete or replace (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t k = 0; k < row.size(); k++) row[k] = k;
    for (std::size_t i = 0; i < a.size(); i++) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t k = 0; k < b.size(); k++) {
            const std::size_t exchanged = diagonal + (a[i] == b[k] ? 0 : 1);
            diagonal = row[k + 1];
            row[k + 1] = std::min({exchanged, row[k] + 1, diagonal + 1});
        }
    }
    return row.back();
}

// Returns "; did you mean X?" for the most similar known word, or an empty string if no known word is similar. A known
// word that begins with `word` counts as similar ("clock_megahertz" to "clock").
std::string suggestion(std::string_view word, std::span<const std::string> known) {
    constexpr std::size_t longest = 64; // letters; a longer word is not a typing mistake
    if (word.size() > longest) return {};
    std::size_t least = 1 + word.size() / 3;
    std::string_view best;
    for (const std::string &k : known) {
        const bool begins = word.size() >= 3 && k.starts_with(word);
        const std::size_t d = begins ? 1 : distance(word, k);
        if (d > least || (d == least && !best.empty())) continue;
        least = d;
        best = k;
    }
    return best.empty() ? std::string() : fmt::format("; did you mean {}?", best);
}

// Shortens the user's text to the length that an error message shows.
std::string shown(std::string_view text) {
    constexpr std::size_t longest = 60;
    return text.size() <= longest ? std::string(text) : std::string(text.substr(0, longest)) + "...";
}

// Describes a node of the file for an error message: by its value if it is a number, a text or a boolean, else by its
// type.
std::string kind_of(const toml::node &node) {
    if (const auto *value = node.as_integer()) return fmt::format("{}", value->get());
    if (const auto *value = node.as_string()) return fmt::format("\"{}\"", shown(value->get()));
    if (const auto *value = node.as_boolean()) return value->get() ? "true" : "false";
    if (const auto *value = node.as_floating_point()) return fmt::format("{}", value->get());
    if (node.is_array()) return "a list";
    if (node.is_table()) return "a section";
    return "a date or time";
}

// ---- one section ----

class Section {
  public:
    // `table` is null if the file does not have the section. If `complete`, each missing key that is not optional is a
    // mistake.
    Section(Mistakes &mistakes, const toml::table *table, std::string prefix, toml::source_position where,
            bool complete)
        : mistakes_(mistakes), table_(table), prefix_(std::move(prefix)), where_(where), complete_(complete) {
    }

    template <class Number> void number(std::string_view key, Number &to, std::int64_t least, std::int64_t most) {
        if (const toml::node *node = find(key, complete_)) take_number(*node, key, to, least, most);
    }
    // Reads an optional number. `to` keeps its value if the file does not have the key.
    template <class Number>
    void number_or_none(std::string_view key, Number &to, std::int64_t least, std::int64_t most) {
        if (const toml::node *node = find(key, false)) take_number(*node, key, to, least, most);
    }
    // Reads a number that need not be whole.
    void measure(std::string_view key, double &to, double least, double most) {
        const toml::node *node = find(key, complete_);
        if (node == nullptr) return;
        const auto value = node->value<double>();
        if (node->is_number() && *value >= least && *value <= most) to = *value;
        else wrong(*node, key, fmt::format("must be a number from {} to {}", least, most));
    }
    void yes_or_no(std::string_view key, bool &to) {
        const toml::node *node = find(key, complete_);
        if (node == nullptr) return;
        if (const auto *value = node->as_boolean()) to = value->get();
        else wrong(*node, key, "must be true or false");
    }
    void text(std::string_view key, std::string &to) {
        const toml::node *node = find(key, complete_);
        if (node == nullptr) return;
        if (const auto *value = node->as_string()) to = value->get();
        else wrong(*node, key, "must be text in quotes");
    }
    template <class Value, std::size_t count>
    void choice(std::string_view key, Value &to, const std::array<std::pair<std::string_view, Value>, count> &choices) {
        const toml::node *node = find(key, complete_);
        if (node == nullptr) return;
        std::vector<std::string> names;
        std::string list;
        for (const auto &[name, value] : choices) {
            if (const auto *text = node->as_string(); text != nullptr && text->get() == name) {
                to = value;
                return;
            }
            names.emplace_back(name);
            list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", name);
        }
        const std::string near = node->is_string() ? suggestion(node->as_string()->get(), names) : "";
        wrong(*node, key, "must be one of " + list, near);
    }
    // Returns a list, or null if the file does not have it. `of` names the elements in the error message.
    const toml::array *list(std::string_view key, std::string_view of) {
        const toml::node *node = find(key, complete_);
        if (node != nullptr && !node->is_array()) wrong(*node, key, fmt::format("must be a list of {}", of));
        return node != nullptr ? node->as_array() : nullptr;
    }
    Section section(std::string_view key) {
        const toml::node *node = find(key, complete_);
        if (node != nullptr && !node->is_table()) wrong(*node, key, "must be a section");
        const toml::table *table = node != nullptr ? node->as_table() : nullptr;
        return {mistakes_, table, prefix_ + std::string(key) + ".", table != nullptr ? table->source().begin : where_,
                complete_ && table != nullptr};
    }
    // Marks a key as known. Used for a key that other code reads.
    void knows(std::string_view key) {
        asked_.emplace_back(key);
    }
    // Reports the keys of the file that no call has asked for. Must be called after all other calls.
    void end() {
        if (table_ == nullptr) return;
        for (const auto &[key, node] : *table_) {
            if (std::ranges::find(asked_, key.str()) != asked_.end()) continue;
            mistakes_.add(key.source().begin, fmt::format("{}{}: there is no such key{}", shown(prefix_),
                                                          shown(key.str()), suggestion(key.str(), asked_)));
        }
    }
    void wrong(const toml::node &node, std::string_view key, std::string_view rule, std::string_view more = {}) {
        mistakes_.add(node, fmt::format("{}{}: {}, not {}{}", prefix_, key, rule, kind_of(node), more));
    }
    template <class Number>
    bool take_number(const toml::node &node, std::string_view key, Number &to, std::int64_t least, std::int64_t most) {
        const auto *value = node.as_integer();
        if (value == nullptr || value->get() < least || value->get() > most) {
            wrong(node, key, fmt::format("must be a whole number from {} to {}", least, most));
            return false;
        }
        to = static_cast<Number>(value->get());
        return true;
    }

  private:
    const toml::node *find(std::string_view key, bool needed) {
        asked_.emplace_back(key);
        const toml::node *node = table_ != nullptr ? table_->get(key) : nullptr;
        if (node == nullptr && needed) mistakes_.add(where_, fmt::format("{}{}: is missing", prefix_, key));
        return node;
    }

    Mistakes &mistakes_;
    const toml::table *table_;
    std::string prefix_;
    toml::source_position where_;
    bool complete_;
    std::vector<std::string> asked_;
};

// ---- the sections of a description ----

void take_absent(Section &chip, Machine &m) {
    const toml::array *list = chip.list("absent_cores", "[row, column]");
    if (list == nullptr) return;
    m.absent.clear();
    for (const toml::node &node : *list) {
        const toml::array *pair = node.as_array();
        if (pair == nullptr || pair->size() != 2) {
            chip.wrong(node, "absent_cores", "each must be [row, column]");
            continue;
        }
        Position p;
        const bool row = chip.take_number((*pair)[0], "absent_cores", p.row, 0, 63);
        if (chip.take_number((*pair)[1], "absent_cores", p.column, 0, 63) && row) m.absent.push_back(p);
    }
}

void take_chip(Section chip, Machine &m) {
    constexpr std::int64_t any = std::numeric_limits<std::uint32_t>::max();
    chip.number("rows", m.rows, 1, 64);
    chip.number("columns", m.columns, 1, 64);
    chip.number("first_row", m.first_row, 0, 63);
    chip.number("first_column", m.first_column, 0, 63);
    chip.number("local_memory_bytes", m.local_memory, 0, any);
    chip.number("clock_megahertz", m.megahertz, 1, 1'000'000);
    take_absent(chip, m);
    chip.end();
}

void take_external(Section &file, Mistakes &mistakes, Machine &m) {
    constexpr std::int64_t any = std::numeric_limits<std::uint32_t>::max();
    const toml::array *list = file.list("external_memory", "sections");
    if (list == nullptr) return;
    m.external.clear();
    for (const toml::node &node : *list) {
        if (!node.is_table()) {
            file.wrong(node, "external_memory", "each must be a section");
            continue;
        }
        Section one(mistakes, node.as_table(), "external_memory.", node.source().begin, true);
        Window w;
        one.number("first_address", w.base, 0, any);
        one.number("size_bytes", w.size, 1, any);
        one.end();
        m.external.push_back(w);
    }
}

void take_mesh(Section mesh, MeshConfiguration &m) {
    constexpr std::int64_t longest = 100'000; // half cycles
    constexpr std::int64_t deepest = 128;     // the largest depth that sim/noc supports
    mesh.number("hop_half_cycles", m.hop_half_cycles, 2, longest);
    mesh.number("injection_half_cycles", m.injection_half_cycles, 2, longest);
    mesh.number("link_interval_half_cycles", m.link_interval_half_cycles, 2, longest);
    mesh.number("buffer_depth_transactions", m.buffer_depth, 1, deepest);
    mesh.number("injection_depth_transactions", m.injection_depth, 1, deepest);
    mesh.end();
}

void take_network(Section network, NetworkConfiguration &n) {
    constexpr std::array<std::pair<std::string_view, Port>, 4> edges = {
        {{"north", Port::north}, {"east", Port::east}, {"south", Port::south}, {"west", Port::west}}};
    const auto link = [&](std::string_view key, Port edge) {
        network.number_or_none(key, n.link_position[static_cast<unsigned>(edge)], 0, 63);
    };
    network.choice("default_exit", n.default_exit, edges);
    link("north_link_column", Port::north);
    link("east_link_row", Port::east);
    link("south_link_column", Port::south);
    link("west_link_row", Port::west);
    network.yes_or_no("reads_wait_for_writes", n.reads_wait_for_writes);
    network.number("history_interval_cycles", n.history_interval, 0, 1'000'000'000);
    network.number("history_intervals", n.history_length, 2, 65536);
    take_mesh(network.section("on_chip_writes"), n.meshes[0]);
    take_mesh(network.section("read_requests"), n.meshes[1]);
    take_mesh(network.section("off_chip_writes"), n.meshes[2]);
    network.end();
}

constexpr std::int64_t longest_time = 1'000'000; // cycles

void take_link(Section link, LinkConfiguration &l) {
    link.number("outward_cycles", l.outward_cycles, 1, longest_time);
    link.number("burst_cycles", l.burst_cycles, 1, longest_time);
    link.yes_or_no("burst_of_dma", l.burst_of_dma);
    link.number("inward_cycles", l.inward_cycles, 1, longest_time);
    link.number("memory_cycles", l.memory_cycles, 1, longest_time);
    link.number("writes_buffered_transactions", l.writes_buffered, 1, 65536);
    link.number("reads_under_way_transactions", l.reads_under_way, 1, 65536);
    link.end();
}

void take_host(Section host, HostAccess &h) {
    constexpr double least = 0.001;
    constexpr double most = 1e6;
    host.measure("external_read_megabytes_per_second", h.external_read, least, most);
    host.measure("external_write_megabytes_per_second", h.external_write, least, most);
    host.measure("core_read_megabytes_per_second", h.core_read, least, most);
    host.measure("core_write_megabytes_per_second", h.core_write, least, most);
    host.end();
}

void take_dma(Section dma, DmaTiming &d) {
    dma.number("start_cycles", d.start, 1, longest_time);
    dma.number("descriptor_cycles", d.descriptor, 1, longest_time);
    dma.number("element_interval_cycles", d.element_interval, 1, longest_time);
    dma.number("read_interval_cycles", d.read_interval, 1, longest_time);
    dma.number("outstanding_reads", d.outstanding_reads, 1, 65536);
    dma.end();
}

// ---- files ----

// Returns the folder of the installation's machine descriptions. The file of the running program is in the folder bin
// or test of an installation or of a build, and the folder share is beside that folder.
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

// Reads all keys of a description except based_on.
void take_all(Section &file, Mistakes &mistakes, Machine &m) {
    file.text("name", m.name);
    take_chip(file.section("chip"), m);
    take_external(file, mistakes, m);
    take_network(file.section("network"), m.network_part);
    take_link(file.section("link"), m.link);
    take_host(file.section("host"), m.host);
    take_dma(file.section("dma"), m.dma);
    file.end();
}

// Reads the machine that this description is based on, if it names one. Returns false if that machine cannot be read.
bool take_base(const toml::table &table, const std::filesystem::path &path, int depth, Mistakes &mistakes, Machine &m) {
    const toml::node *node = table.get("based_on");
    if (node == nullptr) return true;
    const auto *base = node->as_string();
    if (base == nullptr) {
        mistakes.add(*node, fmt::format("based_on: must be the name of a machine or a file, not {}", kind_of(*node)));
        return false;
    }
    if (depth == deepest_base) {
        mistakes.add(*node, "based_on: one machine is based on the other without end");
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

// Finds the line at which toml++ fails an assertion, by parsing longer and longer beginnings of the text.
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

// Finds a line that is too long. toml++ limits the nesting of brackets. But it makes one recursive call for each part
// of a dotted key, so a very long line could overflow the stack.
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
    take_all(file, mistakes, machine);
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
