// SPDX-License-Identifier: BSD-3-Clause
// Defines the instructions of micro-cores. An instruction has 8 bytes and takes one cycle if memory and shaper are free.
// It has up to three parts, which are executed in this order: an action, a change of a pointer, and an operation on a
// counter, which can jump. So a loop that sends memory has one instruction. Hascoet et al. (2017) name reads,
// notifications, arithmetic on read pointers and up to four nested loops; the encoding is ours.
//
//     bits 0 to 3    the action                       bits 15 to 17  the operation on the counter
//     bits 4 and 5   the pointer of the action        bits 18 to 21  a parameter, for the counter
//     bits 6 and 7   the change of this pointer       bits 22 to 28  the instruction to which the operation jumps
//     bits 8 to 11   a parameter, for the first two   bits 29 and 30 another pointer, of `load`
//     bits 13 and 14 the counter                      bits 32 to 63  a number that is added to the pointer
//
// Bits 12 and 31 are 0. When a job starts, its pointers and counters are 0, its offset is 0 and its packet is empty.
#pragma once
#include <cstdint>

namespace skerry::sim::mppa {

constexpr std::uint32_t pointers = 4;
constexpr std::uint32_t counters = 4;

// Bytes are added to the micro-core's packet. A packet that has as many flits as its shaper allows is sent, and so is one
// that an action ends. Each packet is written behind the one before it, until `offset` or `header` changes this.
enum class Action : std::uint8_t {
    none,
    read_1,  // adds the byte at the pointer
    read_8,  // adds 8 bytes; two accesses if the pointer is no multiple of 8
    read_32, // adds 32 bytes: as four times read_8
    load,    // other pointer = the 4 bytes at the pointer, which is a multiple of 4
    offset,  // sends the packet if it has bytes. The next byte is written to offset `pointer` of the tag's window
    send,    // sends the packet if it has bytes
    end,     // sends the packet, even without bytes, with an end of transfer
    header,  // sends the packet if it has bytes. Further packets have the header with the number in the parameter
    again,   // sends a copy of the last packet, with the present header, to the present offset
    local, // counts an end of transfer of the own node's tag with the number in the parameter, behind the packets that
           // were sent: when the last one has entered the network
    stop,  // sends the packet if it has bytes, and ends the job
};

enum class Change : std::uint8_t {
    none,
    add_number,    // pointer += number
    add_parameter, // pointer += parameter
    set,           // pointer = parameter
};

enum class Count : std::uint8_t {
    none,
    set,  // counter = parameter
    jump, // jumps always
    loop, // jumps if the counter is not 0; then subtracts 1
    skip, // jumps if the counter is 0; else subtracts 1
};

struct MicroInstruction {
    Action action = Action::none;
    std::uint8_t pointer = 0;
    Change change = Change::none;
    std::uint8_t parameter = 0;
    std::uint8_t counter = 0;
    Count count = Count::none;
    std::uint8_t count_parameter = 0;
    std::uint8_t target = 0;
    std::uint8_t other = 0;
    std::int32_t number = 0;
};

constexpr std::uint64_t encode(const MicroInstruction &i) {
    const auto field = [](auto value, unsigned shift) { return static_cast<std::uint64_t>(value) << shift; };
    return field(i.action, 0) | field(i.pointer, 4) | field(i.change, 6) | field(i.parameter, 8) |
           field(i.counter, 13) | field(i.count, 15) | field(i.count_parameter, 18) | field(i.target, 22) |
           field(i.other, 29) | field(static_cast<std::uint32_t>(i.number), 32);
}

// Returns false if the bits are no instruction.
constexpr bool decode(std::uint64_t bits, MicroInstruction &i) {
    const auto field = [bits](unsigned shift, unsigned width) {
        return static_cast<std::uint8_t>(bits >> shift & ((1U << width) - 1));
    };
    i.action = static_cast<Action>(field(0, 4));
    i.pointer = field(4, 2);
    i.change = static_cast<Change>(field(6, 2));
    i.parameter = field(8, 4);
    i.counter = field(13, 2);
    i.count = static_cast<Count>(field(15, 3));
    i.count_parameter = field(18, 4);
    i.target = field(22, 7);
    i.other = field(29, 2);
    i.number = static_cast<std::int32_t>(bits >> 32);
    return i.action <= Action::stop && i.count <= Count::skip && field(12, 1) == 0 && field(31, 1) == 0;
}

} // namespace skerry::sim::mppa
