// SPDX-License-Identifier: BSD-3-Clause
// Answers the packets of gdb's remote serial protocol. Each kind of packet has a function of its own. The protocol is
// described in an appendix of GDB's manual.
#include "gdb/stub.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "chip/statistics.hpp"
#include "gdb/packet.hpp"
#include "gdb/registers.hpp"

namespace skerry::sim::gdb {
namespace {

constexpr std::string_view no_such = "E01";   // the core, register or memory does not exist or cannot be changed
constexpr std::string_view malformed = "E02"; // the packet breaks the protocol's syntax
constexpr std::uint32_t threads_a_packet = 512;

// Signal numbers of gdb's protocol.
constexpr int signal_interrupt = 2;
constexpr int signal_illegal = 4;
constexpr int signal_trap = 5;
constexpr int signal_float = 8;
constexpr int signal_memory = 11;

struct Pair {
    std::string_view first;
    std::string_view second;
};
Pair split(std::string_view text, char at) {
    const std::size_t place = text.find(at);
    if (place == std::string_view::npos) return {text, {}};
    return {text.substr(0, place), text.substr(place + 1)};
}

std::string digits_of(std::uint64_t value, unsigned size) {
    std::string bytes;
    for (unsigned k = 0; k < size; k++) bytes += static_cast<char>(value >> (8 * k));
    return to_hex(bytes);
}

std::optional<std::uint64_t> value_of(std::string_view digits, unsigned size) {
    const auto bytes = from_hex(digits);
    if (!bytes || bytes->size() != size) return std::nullopt;
    std::uint64_t value = 0;
    for (unsigned k = 0; k < size; k++) value |= std::uint64_t{static_cast<std::uint8_t>((*bytes)[k])} << (8 * k);
    return value;
}

int signal_of(const Core &core) {
    switch (core.stop.kind) {
    case StopKind::no_memory:
    case StopKind::no_code:
    case StopKind::bad_register: return signal_memory;
    case StopKind::exception: return core.exception_cause().floating ? signal_float : signal_illegal;
    default: return signal_trap;
    }
}

std::span<const std::uint8_t> as_bytes(const std::string &text) {
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

} // namespace

Stub::Stub(Chip &chip, const std::string &program)
    : chip_(chip), processes_(chip, program), stops_(chip, [this](const Hit &hit) {
          if (!hit_) hit_ = hit;
          return false;
      }) {
    if (processes_.are_several()) {
        stops_.set_groups(processes_.of_cores());
        chip.add_observer(processes_);
    }
    chip.add_observer(stops_);
    current_ = stepped_ = some_core();
    last_stop_ = interrupted();
}

Answer Stub::answer(std::string_view packet) {
    if (packet.empty()) return {};
    const std::string_view rest = packet.substr(1);
    switch (packet.front()) {
    case '?': return {last_stop_};
    case 'g': return {read_all()};
    case 'G': return {write_all(rest)};
    case 'p': return {read_one(rest)};
    case 'P': return {write_one(rest)};
    case 'm': return {read_memory(rest)};
    case 'M': return {write_memory(rest, false)};
    case 'X': return {write_memory(rest, true)};
    case 'Z':
    case 'z': return {point(packet)};
    case 'H': return {choose_thread(rest)};
    case 'T': return {thread(rest) ? "OK" : std::string(no_such)};
    case 'c':
    case 'C':
    case 's':
    case 'S': return resume(packet);
    case 'D': return detach(rest);
    case 'k': return {"", Answer::Then::kill};
    case 'v':
    case 'q':
    case 'Q': return query(packet);
    default: return {}; // the protocol's answer to an unknown packet is empty
    }
}

Answer Stub::query(std::string_view packet) {
    const auto is = [&](std::string_view name) { return packet.starts_with(name); };
    const auto behind = [&](std::string_view name) { return packet.substr(name.size()); };
    if (is("qSupported")) return {agree(packet)};
    if (packet == "QStartNoAckMode") {
        acknowledges_ = false;
        return {"OK"};
    }
    if (is("qAttached")) return {"1"};
    if (packet == "qC") return {"QC" + processes_.name(current_)};
    if (packet == "qfThreadInfo") return {threads(true)};
    if (packet == "qsThreadInfo") return {threads(false)};
    if (is("qThreadExtraInfo,")) {
        const auto index = thread(behind("qThreadExtraInfo,"));
        return {index ? to_hex(thread_words(*index)) : std::string(no_such)};
    }
    if (is("qXfer:")) return {transfer(behind("qXfer:"))};
    if (is("qRcmd,")) {
        const auto command = from_hex(behind("qRcmd,"));
        return {command ? to_hex(monitor(*command)) : std::string(malformed)};
    }
    if (packet == "qSymbol::") return {"OK"};
    if (packet == "vCont?") return {"vCont;c;C;s;S"};
    if (is("vCont;")) return resume_by_v(behind("vCont;"));
    if (is("vKill")) return kill(behind("vKill"));
    return {};
}

// Answers the list of features that gdb has, with those of the stub. If gdb has processes, the stub names them from now on. If
// it has events of programs that start, the run stops for each of them. gdb loads the program's symbols and continues.
std::string Stub::agree(std::string_view features) {
    processes_.use(features.find("multiprocess+") != std::string_view::npos);
    const bool starts = processes_.are_used() && features.find("exec-events+") != std::string_view::npos;
    processes_.stop_at_starts(starts);
    last_stop_ = interrupted();
    return fmt::format("PacketSize={:x};qXfer:features:read+;qXfer:threads:read+;QStartNoAckMode+;swbreak+;"
                       "hwbreak+;vContSupported+{}{}",
                       largest_packet, processes_.are_used() ? ";multiprocess+;qXfer:exec-file:read+" : "",
                       starts ? ";exec-events+" : "");
}

// Detaches gdb from one process (packet D;process) or from all (packet D). The run continues without gdb if gdb has detached
// from all processes.
Answer Stub::detach(std::string_view packet) {
    const auto process = packet.starts_with(';') ? hex_number(packet.substr(1)) : std::nullopt;
    if (process && processes_.are_used()) {
        processes_.end(*process);
        if (has_processes()) return {"OK"};
    }
    processes_.stop_at_starts(false);
    return {"OK", Answer::Then::detach};
}

// Ends the job. gdb can know several processes, and then asks about the others.
Answer Stub::kill(std::string_view packet) {
    const auto process = packet.starts_with(';') ? hex_number(packet.substr(1)) : std::nullopt;
    if (process && processes_.are_used()) {
        processes_.end(*process);
        exit_status_ = 1;
    }
    return {"OK", Answer::Then::kill};
}

bool Stub::has_processes() const {
    return processes_.are_used() && exists(some_core());
}

// -- threads ----------------------------------------------------------------------------------------------------------

bool Stub::exists(std::uint32_t index) const {
    if (index >= chip_.core_count() || processes_.has_ended(processes_.of_core(index))) return false;
    const StopKind kind = chip_.core(index).stop.kind;
    return kind != StopKind::held && kind != StopKind::exited;
}

// Returns the index of one of these cores that exists. Returns 0 if none does.
std::uint32_t Stub::some_core(const Threads &threads) const {
    if (threads.core) return exists(*threads.core) ? *threads.core : 0;
    for (std::uint32_t k = 0; k < chip_.core_count(); k++) {
        if (exists(k) && (!threads.process || *threads.process == processes_.of_core(k))) return k;
    }
    return 0;
}

std::optional<std::uint32_t> Stub::thread(std::string_view text) const {
    const auto threads = processes_.read(text);
    if (!threads || !threads->core || !exists(*threads->core)) return std::nullopt;
    return threads->core;
}

// Returns the group of cores to which a new breakpoint or watchpoint applies.
std::uint32_t Stub::group() const {
    return processes_.are_used() ? processes_.of_core(current_) : Stops::every_group;
}

// Chooses the thread to which later packets apply (packets Hg and Hc). Thread 0 means any thread, and thread -1 means
// all threads; they can be those of one process.
std::string Stub::choose_thread(std::string_view packet) {
    if (packet.empty()) return std::string(malformed);
    const auto threads = processes_.read(packet.substr(1));
    if (!threads) return std::string(no_such);
    const bool stays =
        !threads->core && exists(current_) && (!threads->process || *threads->process == processes_.of_core(current_));
    const std::uint32_t index = stays ? current_ : some_core(*threads);
    const bool is_meant = !threads->core || *threads->core == index;
    const bool in_process = !threads->process || *threads->process == processes_.of_core(index);
    if ((threads->core || threads->process) && !(exists(index) && is_meant && in_process)) return std::string(no_such);
    if (packet.front() == 'g') current_ = index;
    else if (packet.front() == 'c') stepped_ = index;
    else return std::string(malformed);
    return "OK";
}

// Returns a list of as many threads (cores) as fit into one packet. If `first`, the list begins with the first thread.
// If not, it continues the previous list.
std::string Stub::threads(bool first) {
    std::string text;
    if (first) listed_ = 0;
    std::uint32_t room = threads_a_packet;
    for (; listed_ < chip_.core_count() && room > 0; listed_++) {
        if (!exists(listed_)) continue;
        text += (text.empty() ? "m" : ",") + processes_.name(listed_);
        room--;
    }
    return text.empty() ? "l" : text;
}

std::string Stub::thread_words(std::uint32_t index) {
    const Core &core = chip_.core(index);
    const char *doing = !core.active() ? "stopped" : "runs";
    if (core.active() && core.waiting() == Waiting::interrupt) doing = "idle";
    else if (core.active() && core.waiting() == Waiting::answer) doing = "waits for an answer";
    return fmt::format("{}, {}", processes_.place(index), doing);
}

std::string Stub::thread_list() {
    std::string text = "<?xml version=\"1.0\"?>\n<threads>\n";
    for (std::uint32_t k = 0; k < chip_.core_count(); k++) {
        if (!exists(k)) continue;
        text += fmt::format("<thread id=\"{}\" core=\"{}\" name=\"{}\">{}</thread>\n", processes_.name(k), k,
                            processes_.place(k), thread_words(k));
    }
    return text + "</threads>\n";
}

// Answers the packet qXfer, by which gdb reads a part of a text. The text is the description of the registers or the
// list of threads. The packet has the form OBJECT:read:ANNEX:OFFSET,LENGTH.
std::string Stub::transfer(std::string_view request) {
    const Pair object = split(request, ':');
    const Pair operation = split(object.second, ':');
    const Pair annex = split(operation.second, ':');
    const Pair range = split(annex.second, ',');
    if (operation.first != "read") return {};
    std::string text;
    if (object.first == "features" && annex.first == "target.xml")
        text = target_description(current().debug_registers());
    else if (object.first == "threads" && annex.first.empty()) text = thread_list();
    else if (object.first == "exec-file" && processes_.are_used())
        text = processes_.path(hex_number(annex.first).value_or(processes_.of_core(current_)));
    else return object.first == "features" ? std::string("E00") : std::string();
    const auto offset = hex_number(range.first);
    const auto length = hex_number(range.second);
    if (!offset || !length) return std::string(malformed);
    if (*offset >= text.size()) return "l";
    const std::size_t most = std::min<std::size_t>(*length, largest_packet / 2);
    const std::string part = text.substr(*offset, most);
    return (*offset + part.size() < text.size() ? "m" : "l") + part;
}

std::string Stub::monitor(std::string_view command) {
    if (command == "cycle") return fmt::format("cycle {}\n", chip_.now());
    if (command == "stats") return statistics(chip_).substr(0, largest_packet / 2 - 1);
    return "monitor cycle: the current cycle\nmonitor stats: how each core spent its cycles\n";
}

// -- registers and memory ---------------------------------------------------------------------------------------------

std::string Stub::read_all() {
    std::string text;
    for (unsigned k = 0; k < current().debug_registers().count(); k++) {
        const unsigned size = register_bytes(current(), k);
        const auto value = read_register(chip_, current(), k);
        text += value ? digits_of(*value, size) : std::string(std::size_t{2} * size, 'x');
    }
    return text;
}

std::string Stub::write_all(std::string_view digits) {
    const unsigned count = current().debug_registers().count();
    std::size_t whole = 0;
    for (unsigned k = 0; k < count; k++) whole += std::size_t{2} * register_bytes(current(), k);
    if (digits.size() != whole) return std::string(malformed);
    bool all = true;
    for (unsigned k = 0; k < count; k++) {
        const unsigned size = register_bytes(current(), k);
        const std::string_view text = digits.substr(0, std::size_t{2} * size);
        digits.remove_prefix(text.size());
        const auto value = value_of(text, size);
        if (!value && text.find_first_not_of('x') != std::string_view::npos) return std::string(malformed);
        if (value) all = write_register(chip_, current(), k, *value) && all;
    }
    return all ? "OK" : std::string(no_such);
}

std::string Stub::read_one(std::string_view text) {
    const auto number = hex_number(text);
    const auto value = number ? read_register(chip_, current(), *number) : std::nullopt;
    return value ? digits_of(*value, register_bytes(current(), *number)) : std::string(no_such);
}

std::string Stub::write_one(std::string_view assignment) {
    const Pair parts = split(assignment, '=');
    const auto number = hex_number(parts.first);
    const auto value = number ? value_of(parts.second, register_bytes(current(), *number)) : std::nullopt;
    if (!number || !value) return std::string(malformed);
    return write_register(chip_, current(), *number, *value) ? "OK" : std::string(no_such);
}

// Reads memory, or whole registers that are in the memory map. Returns false if the address belongs to neither.
bool Stub::memory_at(std::uint32_t address, std::span<std::uint8_t> to) {
    if (chip_.read(current(), address, to)) return true;
    const std::uint32_t offset = address & (core_space - 1);
    if (address >= core_space || !current().maps_registers(offset) || offset % 4 != 0 || to.size() % 4 != 0)
        return false;
    for (std::size_t k = 0; k < to.size(); k += 4) {
        std::uint64_t value = 0;
        if (!current().read_register(offset + static_cast<std::uint32_t>(k), 4, value, chip_.now())) return false;
        for (unsigned b = 0; b < 4; b++) to[k + b] = static_cast<std::uint8_t>(value >> (8 * b));
    }
    return true;
}

// Writes memory or a register of the memory map. A write that changes no byte does not count as a change by the
// debugger. The reason: gdb's command `load` writes the bytes of the program that is already in memory.
bool Stub::set_memory_at(std::uint32_t address, std::span<const std::uint8_t> from) {
    std::vector<std::uint8_t> present(from.size());
    if (chip_.read(current(), address, present) && std::ranges::equal(present, from)) return true;
    chip_.changed_by_debugger();
    if (chip_.write(current(), address, from)) return true;
    if (address >= core_space || !current().maps_registers(address) || address % 4 != 0 || from.size() != 4)
        return false;
    const std::uint32_t value =
        from[0] | std::uint32_t{from[1]} << 8 | std::uint32_t{from[2]} << 16 | std::uint32_t{from[3]} << 24;
    return current().write_register(address, 4, value, chip_.now()) == Access::done;
}

std::string Stub::read_memory(std::string_view range) {
    const Pair parts = split(range, ',');
    const auto address = hex_number(parts.first);
    const auto length = hex_number(parts.second);
    if (!address || !length) return std::string(malformed);
    std::vector<std::uint8_t> bytes(std::min<std::size_t>(*length, largest_packet / 2 - 8));
    if (!memory_at(*address, bytes)) return std::string(no_such);
    return to_hex({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
}

std::string Stub::write_memory(std::string_view packet, bool binary) {
    const Pair parts = split(packet, ':');
    const Pair range = split(parts.first, ',');
    const auto address = hex_number(range.first);
    const auto length = hex_number(range.second);
    const auto bytes = binary ? std::optional(std::string(parts.second)) : from_hex(parts.second);
    if (!address || !length || !bytes || bytes->size() != *length) return std::string(malformed);
    if (bytes->empty()) return "OK"; // gdb sends an empty X packet to find out if the stub supports X
    return set_memory_at(*address, as_bytes(*bytes)) ? "OK" : std::string(no_such);
}

// Adds a breakpoint or watchpoint (packet Zn,address,kind), or removes one (packet zn,address,kind). The digit n says
// which: 0 or 1 a breakpoint, 2 a watchpoint on writes, 3 on reads, 4 on reads and writes.
std::string Stub::point(std::string_view packet) {
    const Pair parts = split(packet.substr(1), ',');
    const Pair range = split(parts.second, ',');
    const auto address = hex_number(range.first);
    const auto size = hex_number(split(range.second, ';').first);
    if (parts.first.size() != 1 || !address || !size) return std::string(malformed);
    const bool add = packet.front() == 'Z';
    const char kind = parts.first.front();
    if (kind == '0' || kind == '1') {
        if (add) stops_.add_breakpoint(*address, group());
        else stops_.remove_breakpoint(*address, group());
        return "OK";
    }
    if (kind < '2' || kind > '4') return {};
    if (*size == 0) return std::string(malformed);
    const StopReason reason = kind == '2' ? StopReason::write : kind == '3' ? StopReason::read : StopReason::access;
    if (add) stops_.add_watchpoint(reason, *address, *size, group());
    else stops_.remove_watchpoint(reason, *address, *size, group());
    return "OK";
}

// -- continuing and stopping the program ------------------------------------------------------------------------------

// Continues the run (packets c [address] and C signal[;address]), or makes a core execute one instruction (packets s
// [address] and S signal[;address]). The signal is ignored, because cores have no signals.
Answer Stub::resume(std::string_view packet) {
    std::string_view address = packet.substr(1);
    if (packet.front() == 'C' || packet.front() == 'S') address = split(address, ';').second;
    if (!address.empty()) {
        const auto pc = hex_number(address);
        if (!pc || !write_register(chip_, chip_.core(stepped_), current().debug_registers().pc, *pc))
            return {std::string(malformed)};
    }
    const bool step = packet.front() == 's' || packet.front() == 'S';
    if (step && !exists(stepped_)) return {std::string(no_such)};
    stops_.step(step ? std::vector{stepped_} : std::vector<std::uint32_t>{});
    return {{}, Answer::Then::run};
}

// Continues or steps threads. The packet vCont has the form action[:thread];... An action without a thread applies to
// all threads. If several actions apply to a thread, only the first of them is used.
Answer Stub::resume_by_v(std::string_view actions) {
    std::vector<std::uint32_t> stepping;
    std::vector<bool> told(chip_.core_count());
    while (!actions.empty()) {
        const Pair parts = split(actions, ';');
        const Pair action = split(parts.first, ':');
        actions = parts.second;
        if (action.first.empty()) return {std::string(malformed)};
        const bool step = action.first.front() == 's' || action.first.front() == 'S';
        if (!step && action.first.front() != 'c' && action.first.front() != 'C') return {std::string(malformed)};
        const auto threads = action.second.empty() ? Threads{} : processes_.read(action.second);
        if (!threads || (threads->core && !exists(*threads->core))) return {std::string(no_such)};
        for (std::uint32_t k = 0; k < chip_.core_count(); k++) {
            if (told[k] || !exists(k) || (threads->core && *threads->core != k)) continue;
            if (threads->process && *threads->process != processes_.of_core(k)) continue;
            told[k] = true;
            if (step) stepping.push_back(k);
        }
    }
    stops_.step(stepping);
    return {{}, Answer::Then::run};
}

std::string Stub::stop_text(int signal, std::string_view why) {
    return last_stop_ = fmt::format("T{:02x}{}thread:{};core:{};", signal, why, processes_.name(current_), current_);
}

std::string Stub::interrupted() {
    hit_.reset();
    if (!exists(current_)) current_ = some_core();
    return stop_text(signal_trap, "");
}

// Reports that the job has ended. gdb can know several processes; each report is about one of them.
std::string Stub::exited(int status) {
    exit_status_ = status;
    const std::uint32_t first = 1, process = processes_.has_ended(first) ? processes_.of_core(some_core()) : first;
    if (processes_.are_used()) processes_.end(process);
    return last_stop_ = fmt::format("W{:02x}{}", status & 0xff, processes_.suffix(process));
}

// Reports that a process executes another program. gdb sets its breakpoints again, so those of the earlier program end.
std::string Stub::started(std::uint32_t core) {
    current_ = stepped_ = core;
    stops_.clear_group(processes_.of_core(core));
    return stop_text(signal_trap, "exec:" + to_hex(processes_.path(processes_.of_core(core))) + ";");
}

std::string Stub::hit(const Hit &hit) {
    current_ = stepped_ = hit.core;
    std::string why;
    if (hit.reason == StopReason::breakpoint) why = "swbreak:;";
    if (hit.reason == StopReason::write) why = fmt::format("watch:{:x};", hit.address);
    if (hit.reason == StopReason::read) why = fmt::format("rwatch:{:x};", hit.address);
    if (hit.reason == StopReason::access) why = fmt::format("awatch:{:x};", hit.address);
    return stop_text(signal_trap, why);
}

// Two programs can start in one cycle, or a program while another core stops. gdb gets one report at a time.
std::string Stub::unreported() {
    if (exit_status_) return exited(*exit_status_);
    if (const auto core = processes_.next_start()) return started(*core);
    if (!hit_) return {};
    const Hit of_core = *hit_;
    hit_.reset();
    return hit(of_core);
}

std::string Stub::stopped(const Ending &ending) {
    switch (ending.kind) {
    case EndKind::exited: return exited(ending.status);
    case EndKind::stopped: current_ = stepped_ = ending.core; return stop_text(signal_of(chip_.core(current_)), "");
    case EndKind::observer: break;
    case EndKind::interrupted:
    case EndKind::max_cycles:
    case EndKind::deadlock:
    case EndKind::polling:
    case EndKind::nodes: interrupted(); return stop_text(signal_interrupt, "");
    }
    const std::string text = unreported();
    return text.empty() ? interrupted() : text;
}

} // namespace skerry::sim::gdb
