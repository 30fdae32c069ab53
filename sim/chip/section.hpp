// SPDX-License-Identifier: BSD-3-Clause
// Reads the values of a section of a TOML file. The caller calls one function for each key that can be in the section.
// A key without such a call is a mistake. The error message then suggests the most similar known key. All mistakes of a
// file are collected and reported together.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "chip/toml.hpp"

namespace skerry::sim {

struct Mistake {
    toml::source_position where;
    std::string text;
};

// The mistakes that were found in one file.
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
    std::string report(const std::string &path);

  private:
    std::vector<Mistake> list_;
};

// Returns "; did you mean X?" for the most similar known word, or an empty string if no known word is similar. A known
// word that begins with `word` counts as similar ("clock_megahertz" to "clock").
std::string suggestion(std::string_view word, std::span<const std::string> known);

// Shortens a text of the user to the length that an error message can show.
std::string shown(std::string_view text);

// Describes a node of the file (a value of any type) for an error message. Returns the value if it is a number, a text
// or a boolean. Returns the name of the type for all other nodes.
std::string kind_of(const toml::node &node);

class Section {
  public:
    // `table` is null if the file does not have the section. If `complete` is true, each missing key that is not
    // optional is a mistake.
    Section(Mistakes &mistakes, const toml::table *table, std::string prefix, toml::source_position where,
            bool complete)
        : mistakes_(mistakes), table_(table), prefix_(std::move(prefix)), where_(where), complete_(complete) {
    }

    template <class Number> void number(std::string_view key, Number &to, std::int64_t least, std::int64_t most) {
        if (const toml::node *node = find(key, complete_)) take_number(*node, key, to, least, most);
    }
    // Reads an optional number. If the file does not have the key, `to` keeps its value.
    template <class Number>
    void number_or_none(std::string_view key, Number &to, std::int64_t least, std::int64_t most) {
        if (const toml::node *node = find(key, false)) take_number(*node, key, to, least, most);
    }
    // Reads a number that is allowed to have a fraction.
    void measure(std::string_view key, double &to, double least, double most);
    void yes_or_no(std::string_view key, bool &to);
    void text(std::string_view key, std::string &to);
    template <class Value, std::size_t count>
    void choice(std::string_view key, Value &to, const std::array<std::pair<std::string_view, Value>, count> &choices,
                bool optional = false) {
        const toml::node *node = find(key, complete_ && !optional);
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
    // Returns the list of this key, or null if the file does not have it. `of` is the word for the list's elements in
    // the error message.
    const toml::array *list(std::string_view key, std::string_view of);
    Section section(std::string_view key, bool optional = false);
    // Returns the section `table`, which is an element of the list `key`. The file must have all its keys.
    Section element(std::string_view key, const toml::table &table);
    // Marks a key as known, because other code reads it.
    void knows(std::string_view key) {
        asked_.emplace_back(key);
    }
    // Reports the keys of the file for which no function of this class was called. Must be called after all other
    // calls.
    void end();
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
    const toml::node *find(std::string_view key, bool needed);

    Mistakes &mistakes_;
    const toml::table *table_;
    std::string prefix_;
    toml::source_position where_;
    bool complete_;
    std::vector<std::string> asked_;
};

} // namespace skerry::sim
