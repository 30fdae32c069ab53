// SPDX-License-Identifier: BSD-3-Clause
// skerry-sim: runs an Epiphany program on a simulated chip. Its exit code is the program's; 125 when the simulation
// could not begin, 124 when it did not end by itself.
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "chip/chip.hpp"
#include "chip/machine_file.hpp"
#include "cli/listing.hpp"
#include "cli/options.hpp"
#include "cli/simulation.hpp"

using namespace skerry::sim;

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

int refuse(const std::string &text) {
    fmt::print(stderr, "skerry-sim: {}\n", text);
    return exit_not_begun;
}

// 0: not a number of cores.
std::uint32_t count_of(const std::string &text, const Machine &machine) {
    if (text == "all") return machine.present_cores();
    std::uint32_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    return error == std::errc() && end == text.data() + text.size() && count <= machine.present_cores() ? count : 0;
}

// What the linker script of a program must know of the machine, as options of the compiler.
void print_linker_symbols(const Machine &machine) {
    fmt::print("-Wl,--defsym=__skerry_pes_max={} -Wl,--defsym=__skerry_local_bytes={:#x}", machine.cores(),
               machine.local_memory);
    if (!machine.external.empty()) fmt::print(" -Wl,--defsym=__skerry_external={:#x}", machine.external.back().base);
    fmt::print("\n");
}

// The first Ctrl-C is reported, also while the program waits for input: that must not be restarted. A second one ends the
// simulator wherever it is.
void take_interrupts() {
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = true; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &action, nullptr);
}

int go(const Options &options) {
    Machine machine;
    if (const std::string problem = read_machine(options.machine, machine); !problem.empty()) return refuse(problem);
    if (options.linker_symbols) {
        print_linker_symbols(machine);
        return 0;
    }
    ElfImage image;
    if (const std::string error = read_elf(options.program.front(), image); !error.empty()) {
        return refuse(options.program.front() + ": " + error);
    }
    if (options.disassemble) {
        print_disassembly(image);
        return 0;
    }
    const std::uint32_t cores = count_of(options.cores, machine);
    if (cores == 0)
        return refuse(fmt::format("--cores takes 1 to {} or all, not {}", machine.present_cores(), options.cores));
    take_interrupts();
    std::string error;
    const int code = simulate(options, machine, image, cores, interrupted, error);
    return error.empty() ? code : refuse(error);
}

} // namespace

int main(int argc, char **argv) {
    Options options;
    if (const std::string error =
            read_options(argc, argv, fmt::format("{}, or a file", fmt::join(machine_names(), ", ")), options);
        !error.empty()) {
        return refuse(error);
    }
    try {
        return go(options);
    } catch (const std::exception &e) { // memory; nothing else throws
        return refuse(e.what());
    }
}
