// SPDX-License-Identifier: BSD-3-Clause
#include "cli/cores.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace skerry::sim {
namespace {

struct Rectangle {
    std::uint32_t rows = 1;
    std::uint32_t columns = 1;
    Position corner;
};

bool read_number(std::string_view text, std::uint32_t &value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

// Reads two numbers that the character `between` separates. Returns false if the text has another form.
bool read_two(std::string_view text, char between, std::uint32_t &first, std::uint32_t &second) {
    const std::size_t at = text.find(between);
    return at != std::string_view::npos && read_number(text.substr(0, at), first) &&
           read_number(text.substr(at + 1), second);
}

std::optional<Rectangle> read_rectangle(std::string_view text) {
    Rectangle r;
    const std::size_t at = text.find('@');
    const std::string_view size = text.substr(0, at);
    const std::string_view corner = at == std::string_view::npos ? "0,0" : text.substr(at + 1);
    if (at == std::string_view::npos && read_two(text, ',', r.corner.row, r.corner.column)) return r;
    const bool good = read_two(size, 'x', r.rows, r.columns) && read_two(corner, ',', r.corner.row, r.corner.column);
    return good && r.rows > 0 && r.columns > 0 ? std::optional(r) : std::nullopt;
}

std::string add(const Rectangle &r, const Machine &m, std::vector<std::uint32_t> &members) {
    if (r.corner.row >= m.rows || r.rows > m.rows - r.corner.row || r.corner.column >= m.columns ||
        r.columns > m.columns - r.corner.column) {
        return fmt::format("{} has rows 0 to {} and columns 0 to {}", m.name, m.rows - 1, m.columns - 1);
    }
    for (std::uint32_t k = 0; k < r.rows * r.columns; k++) {
        const std::uint32_t row = r.corner.row + k / r.columns;
        const std::uint32_t column = r.corner.column + k % r.columns;
        const std::uint32_t index = row * m.columns + column;
        if (m.is_absent(index)) return fmt::format("core {},{} is absent", row, column);
        if (std::ranges::count(members, index) != 0) return fmt::format("core {},{} is listed twice", row, column);
        members.push_back(index);
    }
    return {};
}

std::string add_all(std::string_view places, const Machine &machine, std::vector<std::uint32_t> &members) {
    for (std::size_t begin = 0; begin <= places.size();) {
        const std::size_t end = std::min(places.find('/', begin), places.size());
        const std::string_view text = places.substr(begin, end - begin);
        begin = end + 1;
        const std::optional<Rectangle> rectangle = read_rectangle(text);
        const std::string wrong =
            rectangle ? add(*rectangle, machine, members)
                      : "must be ROW,COLUMN or ROWSxCOLUMNS@ROW,COLUMN, or several of these with / between them";
        if (!wrong.empty()) return fmt::format("--cores {}: {}", text.empty() ? "''" : text, wrong);
    }
    return {};
}

// Reads a number from 1 to `most`. Returns an empty string, or an error that names `option`.
std::string take_count(const char *option, const std::string &text, std::size_t most, std::uint32_t &count) {
    if (read_number(text, count) && count >= 1 && count <= most) return {};
    return fmt::format("{} must be 1 to {}{}, not {}", option, most,
                       option == std::string_view("--cores") ? " or all" : "", text.empty() ? "''" : text);
}

// Shortens `members` to its first `count` elements. Returns an empty string, or an error that names `option`.
std::string take(const char *option, const std::string &count, std::vector<std::uint32_t> &members) {
    std::uint32_t wanted = 0;
    std::string error = take_count(option, count, members.size(), wanted);
    if (error.empty()) members.resize(wanted);
    return error;
}

} // namespace

std::string choose_cores(const std::string &where, const std::string &pes, const Machine &machine,
                         std::vector<std::uint32_t> &members) {
    members.clear();
    std::string error;
    if (where.find_first_of("x,@/") != std::string::npos) {
        error = add_all(where, machine, members);
    } else {
        members = machine.job_cores();
        if (where != "all") error = take("--cores", where, members);
    }
    if (!error.empty()) return error;
    return pes.empty() ? std::string() : take("-n", pes, members);
}

std::string choose_clusters(const std::string &where, const std::string &pes, bool with_io_node, const Machine &machine,
                            std::vector<std::uint32_t> &members) {
    const std::uint32_t io_nodes = with_io_node ? machine.data_network.io_nodes : 0;
    if (with_io_node && io_nodes == 0) return fmt::format("--io-node: {} has no I/O node", machine.name);
    std::uint32_t count = machine.compute_clusters() + io_nodes;
    if (where.find_first_of("x,@/") != std::string::npos)
        return fmt::format("--cores {}: the program's PEs are clusters: must be a number of clusters, or all", where);
    if (where != "all") {
        if (std::string error = take_count("--cores", where, count, count); !error.empty()) return error;
    }
    if (!pes.empty()) {
        if (std::string error = take_count("-n", pes, count, count); !error.empty()) return error;
    }
    members.clear();
    for (std::uint32_t pe = 0; pe < count; pe++) {
        const std::uint32_t place = with_io_node ? pe - 1 : pe; // among the clusters
        const std::uint32_t cluster = with_io_node && pe == 0              ? machine.compute_clusters()
                                      : place < machine.compute_clusters() ? place
                                                                           : machine.clusters() - 1;
        const std::vector<std::uint32_t> cores = machine.cores_of_cluster(cluster);
        members.insert(members.end(), cores.begin(), cores.end());
    }
    return {};
}

} // namespace skerry::sim
