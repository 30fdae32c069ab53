// SPDX-License-Identifier: BSD-3-Clause
// Five programs of micro-cores, as users would write them. The comment of each says what its parameters are. The last one
// is always a tag of the own node, which counts when all memory was read.
#pragma once
#include <array>

#include "mppa_dma/program.hpp"

namespace skerry::sim::programs {

using mppa::Action;
using mppa::Change;
using mppa::Count;
using mppa::MicroInstruction;

// Sends contiguous memory. 0: address, 1: double words, 2: single bytes behind them, 3: offset in the target's window.
inline constexpr std::array linear = {
    MicroInstruction{.change = Change::set, .parameter = 3, .count = Count::set, .count_parameter = 1},
    MicroInstruction{
        .action = Action::offset, .change = Change::set, .parameter = 0, .count = Count::skip, .target = 3},
    MicroInstruction{
        .action = Action::read_8, .change = Change::add_number, .count = Count::loop, .target = 2, .number = 8},
    MicroInstruction{.count = Count::set, .count_parameter = 2},
    MicroInstruction{.count = Count::skip, .target = 6},
    MicroInstruction{
        .action = Action::read_1, .change = Change::add_number, .count = Count::loop, .target = 5, .number = 1},
    MicroInstruction{.action = Action::end},
    MicroInstruction{.action = Action::local, .parameter = 4},
    MicroInstruction{.action = Action::stop},
};

// Sends rows of a matrix to rows of another one. 0: address, 1: double words of a row, 2: rows, 3: bytes from the end of a
// row to the next one, 4: offset in the target's window, 5: bytes from row to row there.
inline constexpr std::array strided = {
    MicroInstruction{
        .pointer = 1, .change = Change::set, .parameter = 4, .counter = 1, .count = Count::set, .count_parameter = 2},
    MicroInstruction{.change = Change::set, .parameter = 0, .counter = 1, .count = Count::skip, .target = 6},
    MicroInstruction{.action = Action::offset,
                     .pointer = 1,
                     .change = Change::add_parameter,
                     .parameter = 5,
                     .count = Count::set,
                     .count_parameter = 1},
    MicroInstruction{.count = Count::skip, .target = 5},
    MicroInstruction{
        .action = Action::read_8, .change = Change::add_number, .count = Count::loop, .target = 4, .number = 8},
    MicroInstruction{.change = Change::add_parameter, .parameter = 3, .counter = 1, .count = Count::loop, .target = 2},
    MicroInstruction{.action = Action::end},
    MicroInstruction{.action = Action::local, .parameter = 6},
    MicroInstruction{.action = Action::stop},
};

// Collects items of 32 bytes, whose addresses are in a list, and sends them contiguously. 0: address of the list, 1: items,
// 2: offset in the target's window.
inline constexpr std::array gather = {
    MicroInstruction{.change = Change::set, .parameter = 2, .count = Count::set, .count_parameter = 1},
    MicroInstruction{
        .action = Action::offset, .change = Change::set, .parameter = 0, .count = Count::skip, .target = 4},
    MicroInstruction{.action = Action::load, .change = Change::add_number, .other = 1, .number = 4},
    MicroInstruction{.action = Action::read_32, .pointer = 1, .count = Count::loop, .target = 2},
    MicroInstruction{.action = Action::end},
    MicroInstruction{.action = Action::local, .parameter = 3},
    MicroInstruction{.action = Action::stop},
};

// Sends contiguous items of 8 bytes to the offsets of a list. 0: address, 1: items, 2: address of the list.
inline constexpr std::array scatter = {
    MicroInstruction{.change = Change::set, .parameter = 0, .count = Count::set, .count_parameter = 1},
    MicroInstruction{.pointer = 1, .change = Change::set, .parameter = 2, .count = Count::skip, .target = 5},
    MicroInstruction{.action = Action::load, .pointer = 1, .change = Change::add_number, .other = 2, .number = 4},
    MicroInstruction{.action = Action::offset, .pointer = 2},
    MicroInstruction{
        .action = Action::read_8, .change = Change::add_number, .count = Count::loop, .target = 2, .number = 8},
    MicroInstruction{.action = Action::end},
    MicroInstruction{.action = Action::local, .parameter = 3},
    MicroInstruction{.action = Action::stop},
};

// Sends contiguous memory to three nodes and reads it once. 0: address, 1: packets of 128 bytes, 2: offset in the targets'
// windows, 3 to 5: headers; the job starts with the first one.
inline constexpr std::array broadcast = {
    MicroInstruction{.change = Change::set, .parameter = 2, .count = Count::set, .count_parameter = 1},
    MicroInstruction{
        .action = Action::offset, .change = Change::set, .parameter = 0, .count = Count::skip, .target = 11},
    MicroInstruction{.action = Action::read_32, .change = Change::add_number, .number = 32},
    MicroInstruction{.action = Action::read_32, .change = Change::add_number, .number = 32},
    MicroInstruction{.action = Action::read_32, .change = Change::add_number, .number = 32},
    MicroInstruction{.action = Action::read_32, .change = Change::add_number, .number = 32},
    MicroInstruction{.action = Action::header, .parameter = 4},
    MicroInstruction{.action = Action::again},
    MicroInstruction{.action = Action::header, .parameter = 5},
    MicroInstruction{.action = Action::again},
    MicroInstruction{.action = Action::header, .parameter = 3, .count = Count::loop, .target = 2},
    MicroInstruction{.action = Action::end},
    MicroInstruction{.action = Action::header, .parameter = 4},
    MicroInstruction{.action = Action::end},
    MicroInstruction{.action = Action::header, .parameter = 5},
    MicroInstruction{.action = Action::end},
    MicroInstruction{.action = Action::local, .parameter = 6},
    MicroInstruction{.action = Action::stop},
};

} // namespace skerry::sim::programs
