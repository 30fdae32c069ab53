// SPDX-License-Identifier: BSD-3-Clause
// Checks the type and the limits of each value of a section of a TOML file. For an unknown key, finds the most similar
// known key.
#include "chip/section.hpp"

#include <algorithm>
#include <utility>

namespace skerry::sim {
namespace {

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

} // namespace

std::string Mistakes::report(const std::string &path) {
    std::ranges::stable_sort(list_, {}, [](const Mistake &m) { return std::pair(m.where.line, m.where.column); });
    std::string text;
    for (const Mistake &m : list_) {
        text += fmt::format("{}{}:{}:{}: {}", text.empty() ? "" : "\n", path, std::max(m.where.line, 1U),
                            std::max(m.where.column, 1U), m.text);
    }
    return text;
}

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

std::string shown(std::string_view text) {
    constexpr std::size_t longest = 60;
    return text.size() <= longest ? std::string(text) : std::string(text.substr(0, longest)) + "...";
}

std::string kind_of(const toml::node &node) {
    if (const auto *value = node.as_integer()) return fmt::format("{}", value->get());
    if (const auto *value = node.as_string()) return fmt::format("\"{}\"", shown(value->get()));
    if (const auto *value = node.as_boolean()) return value->get() ? "true" : "false";
    if (const auto *value = node.as_floating_point()) return fmt::format("{}", value->get());
    if (node.is_array()) return "a list";
    if (node.is_table()) return "a section";
    return "a date or time";
}

void Section::measure(std::string_view key, double &to, double least, double most) {
    const toml::node *node = find(key, complete_);
    if (node == nullptr) return;
    const auto value = node->value<double>();
    if (node->is_number() && *value >= least && *value <= most) to = *value;
    else wrong(*node, key, fmt::format("must be a number from {} to {}", least, most));
}

void Section::yes_or_no(std::string_view key, bool &to) {
    const toml::node *node = find(key, complete_);
    if (node == nullptr) return;
    if (const auto *value = node->as_boolean()) to = value->get();
    else wrong(*node, key, "must be true or false");
}

void Section::text(std::string_view key, std::string &to) {
    const toml::node *node = find(key, complete_);
    if (node == nullptr) return;
    if (const auto *value = node->as_string()) to = value->get();
    else wrong(*node, key, "must be text in quotes");
}

const toml::array *Section::list(std::string_view key, std::string_view of) {
    const toml::node *node = find(key, complete_);
    if (node != nullptr && !node->is_array()) wrong(*node, key, fmt::format("must be a list of {}", of));
    return node != nullptr ? node->as_array() : nullptr;
}

Section Section::section(std::string_view key, bool optional) {
    const toml::node *node = find(key, complete_ && !optional);
    if (node != nullptr && !node->is_table()) wrong(*node, key, "must be a section");
    const toml::table *table = node != nullptr ? node->as_table() : nullptr;
    return {mistakes_, table, prefix_ + std::string(key) + ".", table != nullptr ? table->source().begin : where_,
            complete_ && table != nullptr};
}

Section Section::element(std::string_view key, const toml::table &table) {
    return {mistakes_, &table, prefix_ + std::string(key) + ".", table.source().begin, true};
}

void Section::end() {
    if (table_ == nullptr) return;
    for (const auto &[key, node] : *table_) {
        if (std::ranges::find(asked_, key.str()) != asked_.end()) continue;
        mistakes_.add(key.source().begin, fmt::format("{}{}: there is no such key{}", shown(prefix_), shown(key.str()),
                                                      suggestion(key.str(), asked_)));
    }
}

const toml::node *Section::find(std::string_view key, bool needed) {
    asked_.emplace_back(key);
    const toml::node *node = table_ != nullptr ? table_->get(key) : nullptr;
    if (node == nullptr && needed) mistakes_.add(where_, fmt::format("{}{}: is missing", prefix_, key));
    return node;
}

} // namespace skerry::sim
