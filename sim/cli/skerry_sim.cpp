// SPDX-License-Identifier: BSD-3-Clause
// Runs a program on a simulated chip (the command skerry-sim). The exit code of skerry-sim is the exit code of the
// program. The exit code is 125 if the simulation could not begin, and 124 if the program did not end by itself.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/time.h>
#include <unistd.h>

#include <fmt/format.h>

#include "chip/chip.hpp"
#include "chip/core_kinds.hpp"
#include "chip/machine_file.hpp"
#include "cli/cores.hpp"
#include "cli/listing.hpp"
#include "cli/options.hpp"
#include "cli/simulation.hpp"

using namespace skerry::sim;

namespace {

std::atomic<bool> interrupted{false};
std::atomic<bool> timed_out{false};
static_assert(std::atomic<bool>::is_always_lock_free);

int refuse(const std::string &text) {
    fmt::print(stderr, "skerry-sim: {}\n", text);
    return exit_not_begun;
}

// Handles the signal of the timeout (option --timeout). Asks the run to stop. The signal also interrupts a system call
// that waits. After the timeout, the handler is called every second. `grace` seconds after the timeout it ends the
// process. This is necessary, for example, if the process waits for the reader of a pipe.
constexpr int grace = 10; // seconds
std::atomic<int> seconds_late{0};

void on_timeout(int) {
    if (!timed_out) {
        timed_out = interrupted = true;
        struct sigaction action {};
        action.sa_handler = on_timeout;
        action.sa_flags = SA_RESTART; // later signals must not interrupt the writing of the results
        ::sigaction(SIGALRM, &action, nullptr);
    } else if (++seconds_late >= grace) {
        static constexpr char line[] =
            "skerry-sim: stopped (--timeout): the program's output or a report could not be written\n";
        pollfd wanted{STDERR_FILENO, POLLOUT, 0};
        if (poll(&wanted, 1, 0) > 0 && write(STDERR_FILENO, line, sizeof line - 1) < 0) _exit(exit_not_ended);
        _exit(exit_not_ended);
    }
}

void start_timeout(double seconds) {
    struct sigaction action {};
    action.sa_handler = on_timeout;
    ::sigaction(SIGALRM, &action, nullptr);
    const auto whole = static_cast<time_t>(seconds);
    struct itimerval timer {};
    timer.it_value.tv_sec = whole;
    timer.it_value.tv_usec =
        std::max(static_cast<suseconds_t>((seconds - static_cast<double>(whole)) * 1e6), suseconds_t{1});
    timer.it_interval.tv_sec = 1;
    setitimer(ITIMER_REAL, &timer, nullptr);
}

// Prints options for the compiler that define symbols with the machine's sizes. The linker script of a program for the
// chip uses these symbols.
void print_linker_symbols(const Machine &machine) {
    std::uint32_t first = 0;
    while (machine.is_absent(first)) first++;
    fmt::print("-Wl,--defsym=__skerry_pes_max={} -Wl,--defsym=__skerry_local_bytes={:#x} "
               "-Wl,--defsym=__skerry_first_core={:#x}",
               machine.cores(), machine.local_memory, machine.core_id(first));
    if (!machine.external.empty())
        fmt::print(" -Wl,--defsym=__skerry_external={:#x} -Wl,--defsym=__skerry_external_bytes={:#x}",
                   machine.external.back().base, machine.external.back().size);
    if (machine.shared.size != 0)
        fmt::print(" -Wl,--defsym=__skerry_shared={:#x} -Wl,--defsym=__skerry_shared_bytes={:#x}", machine.shared.base,
                   machine.shared.size);
    if (machine.cluster.global != 0) fmt::print(" -Wl,--defsym=__skerry_global={:#x}", machine.cluster.global);
    fmt::print("\n");
}

// Makes the first Ctrl-C, and the first SIGTERM (of timeout(1), for example), stop the run with a report. The handler is
// set without SA_RESTART, because the signal must also interrupt a read in which the program waits for input.
// SA_RESETHAND makes the second Ctrl-C end the process at once.
void take_interrupts() {
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = true; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

// Checks that this computer has enough memory for the simulated memories and for the history of the network. Returns an
// empty string if it has. If not, returns an error with the needed size and the size of this computer's memory.
std::string check_memory(const Options &options, const Machine &m) {
    std::uint64_t bytes = std::uint64_t{m.cores()} * m.local_memory;
    for (const Window &w : m.external) bytes += w.size;
    bytes += std::uint64_t{m.clusters()} * m.shared.size;
    if (!options.report.empty() || !options.trace.empty()) {
        bytes += std::uint64_t{m.cores()} * mesh_count * port_count * m.network_part.history_length *
                 sizeof(LinkHistory::Count);
    }
    const auto has =
        static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    if (bytes <= has) return {};
    return fmt::format("{}: to simulate its memories and record its network needs {} MB, and this computer has {} MB",
                       m.name, bytes >> 20, has >> 20);
}

// Checks the options for a program that starts the programs of all PEs but the first one. Returns an empty string, or the
// text of the error.
std::string check_first_program(const Options &options, const ElfImage &image) {
    if (!starts_programs(image)) return {};
    if (!options.pes.empty() && options.pes != "1") {
        return fmt::format("-n {}: the program starts the programs of the other PEs: must be 1", options.pes);
    }
    if (options.cores != "all") return "--cores: the program starts programs on all clusters: must be all";
    return {};
}

int go(const Options &options) {
    if (options.timeout_seconds > 0) start_timeout(options.timeout_seconds);
    Machine machine;
    if (const std::string problem = read_machine(options.machine, machine); !problem.empty()) return refuse(problem);
    if (options.library) {
        fmt::print("{}\n", library_folder(machine));
        return 0;
    }
    if (options.linker_symbols) {
        print_linker_symbols(machine);
        return 0;
    }
    if (const std::string problem = check_memory(options, machine); !problem.empty()) return refuse(problem);
    ElfImage image;
    if (const std::string error = read_elf(options.program.front(), instruction_set(machine).format, image);
        !error.empty()) {
        return refuse(options.program.front() + ": " + error);
    }
    if (options.disassemble) {
        print_disassembly(image, instruction_set(machine));
        return 0;
    }
    std::vector<std::uint32_t> members;
    if (options.io_node && !has_cluster_pes(image)) return refuse("--io-node: the program's PEs are not clusters");
    if (const std::string problem = check_first_program(options, image); !problem.empty()) return refuse(problem);
    const bool with_io_node = options.io_node || starts_programs(image);
    std::string error =
        has_cluster_pes(image)
            ? choose_clusters(options.cores, starts_programs(image) ? "" : options.pes, with_io_node, machine, members)
            : choose_cores(options.cores, options.pes, machine, members);
    if (!error.empty()) return refuse(error);
    take_interrupts();
    HostLink link; // after take_interrupts(): the end of the host program is an interrupt
    const int code = simulate(options, machine, image, std::move(members), interrupted, link, error);
    if (timed_out) fmt::print(stderr, "skerry-sim: stopped after {} s (--timeout)\n", options.timeout_seconds);
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
    } catch (const std::bad_alloc &) {
        return refuse("this computer does not have enough memory for the simulated machine and its program");
    } catch (const std::exception &e) {
        return refuse(e.what());
    }
}
