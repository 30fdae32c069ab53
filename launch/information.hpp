// SPDX-License-Identifier: BSD-3-Clause
// Gathers and formats the facts of skerry info: the limits compiled into this installation, and what the kernel and the
// processors offer to a job.
#pragma once

#include <string>
#include <vector>

namespace skerry {

struct Fact {
    std::string name;  // lower case, with underscores between words; the table shows blanks instead
    std::string value; // a number or text
    std::string unit;  // empty for text and counts
    std::string remark{};
};

std::vector<Fact> gather_information();

// Gathers the facts about this machine as one of several nodes of a job.
std::vector<Fact> gather_node_facts();

std::string format_table(const std::vector<Fact> &facts);
std::string format_json(const std::vector<Fact> &facts);

} // namespace skerry
