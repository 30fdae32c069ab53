// SPDX-License-Identifier: BSD-3-Clause
// skerry-sim: runs an Epiphany program on a simulated chip. Its exit code is the program's; 125 when the simulation
// could not begin, 124 when it did not end by itself.
#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "chip/chip.hpp"
#include "chip/machine_file.hpp"
#include "isa/disassemble.hpp"

using namespace skerry::sim;

namespace {

constexpr int exit_not_begun = 125;
constexpr int exit_not_ended = 124;

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

struct Options {
    std::string machine = "epiphany-iii";
    std::string cores = "all";
    std::uint64_t max_cycles = never;
    bool disassemble = false;
    bool stats = false;
    bool linker_symbols = false;
    bool allow_code_writes = false;
    bool label = false;
    std::vector<std::string> environment;
    std::vector<std::string> program; // with its arguments
};

int refuse(const std::string &text) {
    fmt::print(stderr, "skerry-sim: {}\n", text);
    return exit_not_begun;
}

// Everything that may be executed, with the symbols that stand in it.
void print_disassembly(const ElfImage &image) {
    for (const Segment &s : image.segments) {
        if (!s.executable) continue;
        std::size_t at = 0;
        while (at + 2 <= s.bytes.size()) {
            const auto address = static_cast<std::uint32_t>(s.address + at);
            std::uint32_t bits = s.bytes[at] | std::uint32_t{s.bytes[at + 1]} << 8;
            if (at + 4 <= s.bytes.size()) {
                bits |= std::uint32_t{s.bytes[at + 2]} << 16 | std::uint32_t{s.bytes[at + 3]} << 24;
            }
            const Instruction i = decode(bits);
            const std::string name = image.name_of(address);
            if (!name.empty() && name.find('+') == std::string::npos) fmt::print("\n{:08x} <{}>:\n", address, name);
            fmt::print("{:8x}:  {:<9} {}\n", address,
                       i.length == 4 ? fmt::format("{:08x}", bits) : fmt::format("{:04x}", bits & 0xffff),
                       disassemble(i, address));
            at += i.length;
        }
    }
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

// A line on the terminal that tells how far it is, as long as nothing else is printed.
class Progress {
  public:
    explicit Progress(Chip &chip) : chip_(chip) {
        if (::isatty(STDERR_FILENO) == 0) return;
        chip.on_progress([this] { show(); }, [this] { wipe(); });
    }
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;
    ~Progress() {
        wipe();
        chip_.on_progress({}, {});
    }

  private:
    using Clock = std::chrono::steady_clock;

    void show() {
        constexpr auto interval = std::chrono::milliseconds(200);
        const Clock::time_point now = Clock::now();
        const std::uint64_t instructions = chip_.instructions();
        const std::chrono::duration<double> passed = now - shown_at_;
        if (passed < interval) return;
        fmt::print(stderr, "\r\033[Kskerry-sim: cycle {}, {:.1f} million instructions/s", chip_.now(),
                   static_cast<double>(instructions - instructions_) / passed.count() / 1e6);
        visible_ = true;
        shown_at_ = now;
        instructions_ = instructions;
    }
    void wipe() {
        if (visible_) fmt::print(stderr, "\r\033[K");
        visible_ = false;
    }

    Chip &chip_;
    Clock::time_point shown_at_ = Clock::now();
    std::uint64_t instructions_ = 0;
    bool visible_ = false;
};

int simulate(const Options &options, const Machine &machine, const ElfImage &image) {
    const std::uint32_t cores = count_of(options.cores, machine);
    if (cores == 0)
        return refuse(fmt::format("--cores takes 1 to {} or all, not {}", machine.present_cores(), options.cores));
    Chip chip(machine, options.program, options.environment);
    if (const std::string error = chip.load(image, cores, options.allow_code_writes); !error.empty()) {
        return refuse(options.program.front() + ": " + error);
    }
    if (options.label) chip.label_output();
    chip.start(cores, image.entry);
    std::signal(SIGINT, [](int) { interrupted = true; });
    const Ending ending = [&] {
        const Progress progress(chip);
        const Ending end = chip.run(options.max_cycles, &interrupted);
        chip.flush();
        return end;
    }();
    if (ending.kind != EndKind::exited) fmt::print(stderr, "skerry-sim: {}", describe(chip, ending, image));
    if (options.stats) fmt::print(stderr, "{}", statistics(chip));
    return ending.kind == EndKind::exited ? ending.status : exit_not_ended;
}

int go(const Options &options) {
    Machine machine;
    if (const std::string problem = read_machine(options.machine, machine); !problem.empty()) return refuse(problem);
    if (options.linker_symbols) {
        print_linker_symbols(machine);
        return 0;
    }
    if (options.program.empty()) return refuse("no program; --help tells the options");
    ElfImage image;
    if (const std::string error = read_elf(options.program.front(), image); !error.empty()) {
        return refuse(options.program.front() + ": " + error);
    }
    if (options.disassemble) {
        print_disassembly(image);
        return 0;
    }
    return simulate(options, machine, image);
}

} // namespace

int main(int argc, char **argv) {
    Options options;
    CLI::App app("Runs an Epiphany program on a simulated chip.", "skerry-sim");
    app.add_option("--machine", options.machine,
                   fmt::format("the chip: {}, or a file", fmt::join(machine_names(), ", ")))
        ->capture_default_str();
    app.add_option("-n,--np,--cores", options.cores, "how many cores start the program, or all")->capture_default_str();
    app.add_option("--max-cycles", options.max_cycles, "stop after so many cycles");
    app.add_flag("--disassemble", options.disassemble, "print the program's instructions and do not run it");
    app.add_flag("--stats", options.stats, "print on stderr where each core's cycles went");
    app.add_flag("--allow-code-writes", options.allow_code_writes, "let the program write its own code");
    app.add_flag("--label", options.label, "begin each line of output with the core that printed it");
    app.add_option("--env", options.environment, "NAME=VALUE for the program's environment; may be repeated")
        ->allow_extra_args(false)
        ->check([](const std::string &text) {
            const std::size_t at = text.find('=');
            return at == 0 || at == std::string::npos ? "must be NAME=VALUE, not " + text : std::string();
        });
    app.add_option("program", options.program, "ELF file and its arguments");
    app.add_flag("--linker-symbols", options.linker_symbols,
                 "print what a program's linker must be told of the machine");
    app.prefix_command(false);
    app.positionals_at_end(true);
    std::string spelled = "--np"; // a single dash before two letters is not CLI11's way
    for (int k = 1; k < argc && argv[k][0] == '-'; k++) {
        if (std::string_view(argv[k]) == "-np") argv[k] = spelled.data();
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &e) {
        return app.exit(e) == 0 ? 0 : exit_not_begun;
    }
    try {
        return go(options);
    } catch (const std::exception &e) { // memory; nothing else throws
        return refuse(e.what());
    }
}
