// SPDX-License-Identifier: BSD-3-Clause
// Describes the end of a run: the core, the event that ended the run, the cycle, the place in the program, and the
// registers.
#include "chip/describe.hpp"

#include <array>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "chip/program_waits.hpp"
#include "host/line_table.hpp"

namespace skerry::sim {
namespace {

std::string place(const ElfImage &image, std::uint32_t address) {
    const std::string name = image.name_of(address);
    return name.empty() ? fmt::format("{:#010x}", address) : fmt::format("{:#010x} <{}>", address, name);
}

std::string at_line(const SourceLine &line) {
    return fmt::format(" at {}:{}", line.file->substr(line.file->rfind('/') + 1), line.line);
}

// Returns the text for an address of code: the symbol, and also the line of the source if the image (the program file)
// has debug information.
std::string code_place(const ElfImage &image, const LineTable &lines, std::uint32_t address) {
    const SourceLine line = lines.find(address);
    if (line.file == nullptr) return place(image, address);
    return place(image, address) + at_line(line);
}

// Returns the text for an access that would have written protected bytes. The bytes are at `offset` of a core's memory,
// or, if `in_core` is false, in external memory.
std::string protected_there(const Core &core, bool in_core, std::uint32_t offset) {
    return in_core && offset < core.set().vector_bytes
               ? "which is in the table of interrupt vectors (a null pointer?) and must not be written"
               : "which is code and must not be written";
}

// Returns a text that says why an access to this address failed.
std::string nothing_there(Chip &chip, const Core &core, const ElfImage &image, std::uint32_t address) {
    const Machine &m = chip.machine();
    const std::uint32_t row = address >> 26;
    const std::uint32_t column = address >> 20 & 63;
    const std::uint32_t offset = address & (core_space - 1);
    const bool in_mesh = row - m.first_row < m.rows && column - m.first_column < m.columns;
    if ((in_mesh ? m.core_id((row - m.first_row) * m.columns + column - m.first_column) == core.id()
                 : address < core_space) &&
        offset < core.first_data())
        return "where a program has no data (a null pointer?)";
    if (chip.map().is_protected(core, address, 1))
        return protected_there(core, in_mesh || address < core_space, offset);
    if (in_mesh && m.is_absent((row - m.first_row) * m.columns + column - m.first_column)) {
        return fmt::format("in core ({},{}), which is absent", row, column);
    }
    if ((in_mesh || address < core_space) && !core.maps_registers(offset)) {
        return fmt::format("beyond the end of a core's memory at {:#x}", m.local_memory);
    }
    // An address with these upper 12 bits belongs to no core. Skerry's library computes such an address for a PE that
    // the job does not have.
    constexpr std::uint32_t absent_pe = 0xfff;
    if (address >> 20 == absent_pe && image.find("skerry_partitions") != nullptr)
        return "where no memory is (a PE that the job does not have?)";
    return "where no memory is";
}

std::string reason(Chip &chip, const Core &core, const ElfImage &image) {
    const Stop &stop = core.stop;
    const auto why = [&] {
        return stop.write && chip.traffic().is_protected_multicast(core, stop.address, stop.size)
                   ? protected_there(core, true, stop.address & (core_space - 1))
                   : nothing_there(chip, core, image, stop.address);
    };
    switch (stop.kind) {
    case StopKind::breakpoint: return stop.write ? "breakpoint of all cores" : "breakpoint";
    case StopKind::no_memory:
        return fmt::format("{} of {} bytes at {}, {}", stop.write ? "store" : "load", stop.size,
                           place(image, stop.address), why());
    case StopKind::no_code:
        return (stop.address & 1) != 0
                   ? fmt::format("jump to the odd address {:#x}", stop.address)
                   : fmt::format("jump to {:#010x}, {}", stop.address, nothing_there(chip, core, image, stop.address));
    case StopKind::bad_register:
        return fmt::format("{} of {} bytes at register address {:#x}", stop.write ? "store" : "load", stop.size,
                           stop.address);
    case StopKind::exception:
        return core.pc() == 0 && core.set().vector_bytes == 0
                   ? "jump to address 0, where no code is (a null pointer to a function?)"
                   : std::string(core.exception_cause().text);
    case StopKind::no_handler:
        return fmt::format("interrupt {}, and its vector {:#x} has no handler", stop.address, 4 * stop.address);
    case StopKind::stack:
        if (core.stack_limit() != 0) {
            return fmt::format(
                "stack overflow: the stack pointer is {:#x}, {} bytes below the thread's stack; OMP_STACKSIZE "
                "sets the size of all stacks except main's",
                stop.address, core.stack_limit() - stop.address);
        }
        if (stop.address >= core_space) {
            return fmt::format("stack overflow: the stack pointer is {:#x}, outside the core's memory, in which a "
                               "function's variables and private copies must fit",
                               stop.address);
        }
        return fmt::format("stack overflow: the stack pointer is {:#x}, {} bytes below __stack_limit{}", stop.address,
                           image.find("__stack_limit")->address - stop.address,
                           image.find("__skerry_stack_bytes") == nullptr
                               ? ""
                               : "; -Wl,--defsym=__skerry_stack_bytes=BYTES sets the size of the stack");
    case StopKind::division: return "division of an integer by zero";
    case StopKind::device: return chip.nodes().failure();
    case StopKind::dma: // not described here: dma_reason() returns the text for a mistake with the DMA
    case StopKind::running:
    case StopKind::held:
    case StopKind::exited: break;
    }
    return "stopped";
}

std::string dma_reason(Chip &chip, const Core &core, const ElfImage &image, unsigned channel, const DmaFault &fault) {
    const auto told = [&](std::string_view what) { return fmt::format("DMA channel {}: {}", channel, what); };
    const auto access = [&](std::string_view what) {
        return told(fmt::format("{} of {} bytes at {}, {}", what, fault.size, place(image, fault.address),
                                nothing_there(chip, core, image, fault.address)));
    };
    switch (fault.mistake) {
    case DmaMistake::read_nowhere: return access("read");
    case DmaMistake::write_nowhere: return access("write");
    case DmaMistake::unaligned:
        return told(fmt::format("an element of {} bytes at {}, which is no multiple of its size", fault.size,
                                place(image, fault.address)));
    case DmaMistake::bad_descriptor:
        return told(
            fmt::format("a descriptor at {:#x}, which is no multiple of 8 in the core's memory", fault.address));
    case DmaMistake::not_enabled:
        return told(fmt::format("the descriptor at {} has neither ENABLE nor STARTUP", place(image, fault.address)));
    case DmaMistake::no_count: return told("the inner count is zero");
    case DmaMistake::still_running: return told("CONFIG was written while the channel was not idle");
    case DmaMistake::none: break;
    }
    return told("error");
}

std::string_view state_name(DmaState state) {
    switch (state) {
    case DmaState::idle: return "idle";
    case DmaState::active: return "active";
    case DmaState::slave: return "a slave, waits until data are written to it";
    case DmaState::wait: return "waits for its last data";
    case DmaState::pause: return "paused";
    case DmaState::error: return "in error";
    }
    return "";
}

std::string each_channel(const Dma &dma, const ElfImage &image) {
    std::string text;
    for (unsigned channel = 0; channel < dma_channels; channel++) {
        if (dma.state(channel) == DmaState::idle) continue;
        const auto value = [&](SpecialRegister which) {
            return dma.read_register(static_cast<SpecialRegister>(static_cast<unsigned>(which) + 8 * channel));
        };
        const std::uint32_t count = value(SpecialRegister::dma0_count);
        text += fmt::format("    DMA channel {}: {}, {} x {} elements left, from {} to {}\n", channel,
                            state_name(dma.state(channel)), count >> 16, count & 0xffff,
                            place(image, value(SpecialRegister::dma0_source)),
                            place(image, value(SpecialRegister::dma0_destination)));
    }
    return text;
}

std::string waits(const Core &core, const ElfImage &image) {
    switch (core.waiting()) {
    case Waiting::interrupt: return core.idle_text();
    case Waiting::answer: return fmt::format("waits for an answer from {}", place(image, core.waiting_address()));
    case Waiting::fetch: return fmt::format("waits for the instruction at {}", place(image, core.waiting_address()));
    case Waiting::room: return "waits until the network takes its access";
    case Waiting::stores: return "in a fence, waits until its stores have arrived";
    case Waiting::host: return "in a trap, waits until its stores have arrived";
    case Waiting::no: break;
    }
    return "runs";
}

// Returns true if the instruction before this address is a call in the program's own code, which begins with the image's
// code and ends where the libraries' code begins.
bool is_after_call(Chip &chip, const Core &core, const ElfImage &image, std::uint32_t libraries,
                   std::uint32_t address) {
    if (address >= libraries || !image.is_code(address)) return false;
    for (const std::uint32_t length : {2U, 4U}) {
        std::array<std::uint8_t, 4> bytes{};
        if (!chip.read(core, address - length, std::span(bytes).first(length))) continue;
        const std::uint32_t bits =
            bytes[0] | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 | std::uint32_t{bytes[3]} << 24;
        if (core.set().length(bits) == length && core.set().calls(bits)) return true;
    }
    return false;
}

// Returns the place, as "main at file.c:12", in the program's own code that called the function of a library in which a core is,
// or that jumped to address 0. Returns an empty text if the core is in the program's own code, or if the place is not known. Searches the return address first in its
// register and then on the stack, from the top. A value that looks like a return address and is none is improbable there.
std::string calling_place(Chip &chip, const Core &core, const ElfImage &image, const LineTable &lines) {
    constexpr std::uint32_t most_searched = 4096;
    const Symbol *libraries = image.find("skerry_library_code");
    if (libraries == nullptr || core.set().calls == nullptr || (core.pc() != 0 && core.pc() < libraries->address))
        return {};
    std::uint32_t address = core.return_address();
    std::uint32_t stack = core.stack_pointer() & ~3U;
    const std::uint32_t end = stack + most_searched;
    while (!is_after_call(chip, core, image, libraries->address, address)) {
        std::array<std::uint8_t, 4> bytes{};
        if (stack == end || !chip.read(core, stack, bytes)) return {};
        address =
            bytes[0] | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 | std::uint32_t{bytes[3]} << 24;
        stack += 4;
    }
    const std::string name = image.name_of(address - 2); // of the call itself
    const SourceLine line = lines.find(address - 2);
    const std::string function = name.substr(0, name.find('+'));
    if (line.file == nullptr || !line.file->ends_with(".h")) {
        return function + (line.file == nullptr ? "" : at_line(line));
    }
    // An inlined function called. The instructions before it are most likely of the line that it was called from.
    for (std::uint32_t before = address - 4; image.name_of(before).starts_with(function + "+"); before -= 2) {
        const SourceLine outer = lines.find(before);
        if (outer.file != nullptr && !outer.file->ends_with(".h")) {
            return function + " near" + at_line(outer).substr(std::string_view(" at").size());
        }
    }
    return function + at_line(line);
}

std::string caller(Chip &chip, const Core &core, const ElfImage &image, const LineTable &lines) {
    const std::string place = calling_place(chip, core, image, lines);
    return place.empty() ? place : ", called from " + place;
}

// Describes the loop of a core that polls for ever. `addresses` are the addresses from which the loop loads.
std::string polls(const std::vector<std::uint32_t> &addresses, const ElfImage &image) {
    std::string text;
    for (const std::uint32_t address : addresses) text += (text.empty() ? "" : ", ") + place(image, address);
    return text.empty() ? "repeats the same for ever" : "polls " + text;
}

// Returns true if the program has this variable and bit 0 of a word of it is set in this core's memory. The word is at
// `offset` of the variable.
bool is_set(Chip &chip, const Core &core, const ElfImage &image, const char *variable, std::uint32_t offset) {
    const Symbol *symbol = image.find(variable);
    std::array<std::uint8_t, 1> byte{};
    return symbol != nullptr && chip.read(core, symbol->address + offset, byte) && (byte[0] & 1) != 0;
}

// Returns the rule that a core has broken if it waits for ever while it runs a remote procedure call. Returns an empty
// text if no rule is broken. Two variables of Skerry's library in the core's memory show this:
// * Bit 0 of the second word of skerry_rpc is set while the core runs calls.
// * The same bit is also set while the program has shut its queue of calls. Only then skerry_rpc_held is set too.
std::string broken_rule(Chip &chip, const Core &core, const ElfImage &image) {
    const bool serves = is_set(chip, core, image, "skerry_rpc", 4) && !is_set(chip, core, image, "skerry_rpc_held", 0);
    return serves ? ", in a call for another PE: a remote procedure must not wait" : "";
}

std::string each_core(Chip &chip, const ElfImage &first, bool polling = false, bool deadlock = false) {
    std::string text;
    std::map<const ElfImage *, LineTable> tables;
    // Text by program and pc, because many cores are at the same pc.
    std::map<std::pair<const ElfImage *, std::uint32_t>, std::string> places;
    for (std::uint32_t k = 0; k < chip.core_count(); k++) {
        const Core &core = chip.core(k);
        const bool broken = core.stop.kind == StopKind::breakpoint && core.stop.write; // a breakpoint of all cores
        if (core.stop.kind == StopKind::exited) {
            text += fmt::format("  {}{} has ended with exit code {}\n", core_name(core), chip.owner_of(k),
                                core.stop.address);
        }
        if (!core.active() && !broken) continue;
        const ElfImage &image = chip.image_of(core, first);
        const LineTable &lines = tables.try_emplace(&image, image).first->second;
        std::string &where = places[{&image, core.pc()}];
        if (where.empty()) where = code_place(image, lines, core.pc());
        const bool sleeps = !polling || core.waiting() == Waiting::interrupt;
        text += fmt::format("  {}{} at {}{}: {}{}\n", core_name(core), chip.owner_of(k), where,
                            caller(chip, core, image, lines),
                            sleeps ? waits(core, image) : polls(chip.poll_watch().polled(k), image),
                            deadlock ? broken_rule(chip, core, image) : "");
        text += each_channel(chip.dma(k), image);
    }
    return text;
}

std::string instruction_at(Chip &chip, const Core &core) {
    std::array<std::uint8_t, 4> bytes{};
    if (!chip.read(core, core.pc(), bytes)) return {};
    const std::uint32_t bits =
        bytes[0] | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 | std::uint32_t{bytes[3]} << 24;
    return fmt::format(": {}", core.set().disassemble(bits, core.pc()));
}

std::string place_and_registers(Chip &chip, const Core &core, const ElfImage &image) {
    const LineTable lines(image);
    return fmt::format("  cycle {}, pc {}{}{}{}", chip.now(), code_place(image, lines, core.pc()),
                       instruction_at(chip, core), caller(chip, core, image, lines), core.registers_text());
}

} // namespace

std::string refused_call(Chip &chip, std::uint32_t index, const ElfImage &first) {
    const Core &core = chip.core(index);
    const ElfImage &image = chip.image_of(core, first);
    const auto refuses = [&](std::uint32_t address) {
        return image.name_of(address).starts_with("skerry_fail_values");
    };
    if (!refuses(core.pc()) && !refuses(core.return_address() - 2)) return {};
    return calling_place(chip, core, image, LineTable(image));
}

std::string core_name(const Core &core) {
    const std::uint32_t id = core.id();
    return fmt::format("core ({},{}) {:#05x}", id >> 6, id & 63, id);
}

std::string describe_core(Chip &chip, const Core &core, const ElfImage &first) {
    const ElfImage &image = chip.image_of(core, first);
    return fmt::format("{}\n{}", core_name(core), place_and_registers(chip, core, image));
}

std::string describe(Chip &chip, const Ending &ending, const ElfImage &first) {
    switch (ending.kind) {
    case EndKind::exited:
    case EndKind::observer: return {};
    case EndKind::stopped: {
        const Core &core = chip.core(ending.core);
        const ElfImage &image = chip.image_of(core, first);
        const std::string why =
            core.stop.kind == StopKind::dma
                ? dma_reason(chip, core, image, core.stop.address, chip.dma(ending.core).fault(core.stop.address))
                : reason(chip, core, image);
        return fmt::format("{}{}: {}\n{}", core_name(core), chip.owner_of(ending.core), why,
                           place_and_registers(chip, core, image)) +
               (core.stop.kind == StopKind::breakpoint && core.stop.write ? each_core(chip, first) : "");
    }
    case EndKind::deadlock:
        return fmt::format("deadlock in cycle {}: every core waits, and no transfer is under way\n", chip.now()) +
               describe_waits(chip, first) + each_core(chip, first, false, true);
    case EndKind::polling:
        return fmt::format("deadlock in cycle {}: every core waits, or polls a word that no core will change\n",
                           chip.now()) +
               describe_waits(chip, first) + each_core(chip, first, true, true);
    case EndKind::nodes: return fmt::format("cycle {}: {}\n", chip.now(), chip.nodes().failure());
    case EndKind::max_cycles: return fmt::format("stopped after {} cycles\n", chip.now()) + each_core(chip, first);
    case EndKind::interrupted: return fmt::format("interrupted in cycle {}\n", chip.now()) + each_core(chip, first);
    }
    return {};
}

} // namespace skerry::sim
