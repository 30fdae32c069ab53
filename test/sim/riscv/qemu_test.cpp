// SPDX-License-Identifier: BSD-3-Clause
// Compares random programs with QEMU's user mode, which is another interpreter of the same instructions. Usage:
//     sim.riscv_qemu QEMU [INSTRUCTIONS [SEED]]
// runs programs for each extension until they have executed that many instructions together. QEMU is the path of
// qemu-riscv32. If it is missing, the program says so and exits with 77, which ctest shows as "skipped".
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "chip/core_kinds.hpp"
#include "machine.hpp"
#include "random_program.hpp"

using namespace skerry::sim;

namespace {

constexpr int exit_skipped = 77;
constexpr std::uint32_t instructions_a_program = 50'000; // with their logs they fill most of the largest local memory
constexpr std::uint32_t local_bytes = 512 * 1024;
constexpr std::uint64_t most_cycles = 100'000'000;

struct Extension {
    const char *name;
    Mix mix;
    RiscvExtensions extensions;
};
constexpr Extension all_extensions[] = {
    {"I", Mix::base, {}},
    {"M", Mix::multiply, {}},
    {"A", Mix::atomic, {}},
    {"C", Mix::compressed, {}},
    {"F", Mix::single_float, {.single_float = true}},
    {"D", Mix::double_float, {.single_float = true, .double_float = true}},
};

using Bytes = std::vector<std::uint8_t>;

// Returns what the program prints in QEMU.
Bytes run_in_qemu(const std::string &qemu, const Bytes &elf) {
    const std::string path =
        fmt::format("{}/skerry-riscv-{}.elf", std::filesystem::temp_directory_path().string(), getpid());
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char *>(elf.data()), static_cast<long>(elf.size()));
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    std::FILE *pipe = popen(fmt::format("'{}' '{}'", qemu, path).c_str(), "r");
    Bytes all;
    Bytes block(1 << 16);
    std::size_t got = 0;
    while ((got = std::fread(block.data(), 1, block.size(), pipe)) != 0) {
        all.insert(all.end(), block.begin(), block.begin() + static_cast<long>(got));
    }
    const int status = pclose(pipe);
    std::filesystem::remove(path);
    if (status != 0) fmt::print(stderr, "qemu ended with status {:#x}\n", status);
    return all;
}

struct Run {
    Bytes log;
    std::uint64_t instructions = 0;
    std::string problem;
};

Run run_here(const Extension &extension, const RandomProgram &program) {
    Machine machine = riscv_machine();
    machine.local_memory = local_bytes;
    machine.riscv.extensions = extension.extensions;
    Chip chip(machine);
    ElfImage image;
    Run run;
    run.problem = parse_elf(program.elf, instruction_set(machine).format, image);
    if (run.problem.empty()) run.problem = chip.load(image, 1);
    if (!run.problem.empty()) return run;
    chip.start(1, image.entry);
    const Ending ending = chip.run(most_cycles);
    if (ending.kind != EndKind::exited || ending.status != 0) run.problem = "the program did not end by itself";
    run.log.resize(program.log_bytes);
    chip.core(0).memory.read_bytes(program.log, run.log);
    run.instructions = chip.instructions();
    return run;
}

// Returns false and describes the first difference if the logs are not equal.
bool same(const Extension &extension, std::uint32_t seed, const Bytes &here, const Bytes &there) {
    if (here == there) return true;
    const auto differ = std::mismatch(here.begin(), here.end(), there.begin(), there.end());
    fmt::print(stderr, "{}, seed {}: the logs differ at byte {} of {} and {}\n", extension.name, seed,
               differ.first - here.begin(), here.size(), there.size());
    return false;
}

bool compare(const std::string &qemu, const Extension &extension, std::uint64_t wanted, std::uint32_t seed) {
    std::uint64_t done = 0;
    std::array<std::uint32_t, riscv::all_facts.size()> used{};
    for (; done < wanted; seed++) {
        const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted - done, instructions_a_program));
        const RandomProgram program = make_random_program(extension.mix, seed, std::max(size, 1000U));
        const Run run = run_here(extension, program);
        if (!run.problem.empty()) {
            fmt::print(stderr, "{}, seed {}: {}\n", extension.name, seed, run.problem);
            return false;
        }
        if (!same(extension, seed, run.log, run_in_qemu(qemu, program.elf))) return false;
        done += run.instructions;
        for (std::size_t k = 0; k < used.size(); k++) used[k] += program.used[k];
    }
    const auto kinds = std::ranges::count_if(used, [](std::uint32_t n) { return n != 0; });
    fmt::print(stderr, "{}: {} instructions, {} operations: equal\n", extension.name, done, kinds);
    return true;
}

} // namespace

int main(int argc, char **argv) {
    if (argc < 2 || access(argv[1], X_OK) != 0) {
        fmt::print(stderr, "skipped: qemu-riscv32 is not installed (Debian's package qemu-user)\n");
        return exit_skipped;
    }
    if (std::freopen("/dev/null", "w", stdout) == nullptr) return 1; // the simulated programs write their logs there
    const std::uint64_t wanted = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 20'000;
    const auto seed = static_cast<std::uint32_t>(argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 1);
    bool all = true;
    for (const Extension &extension : all_extensions) all = compare(argv[1], extension, wanted, seed) && all;
    return all ? 0 : 1;
}
