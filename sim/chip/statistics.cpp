// SPDX-License-Identifier: BSD-3-Clause
#include "chip/statistics.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "chip/describe.hpp"

namespace skerry::sim {
namespace {

std::string dma_statistics(const Dma &dma, std::uint64_t now) {
    constexpr std::array<std::string_view, dma_stall_count> causes = {"bank", "network", "replies", "pace",
                                                                      "other channel"};
    std::string text;
    for (unsigned channel = 0; channel < dma_channels; channel++) {
        const DmaCounters c = dma.counters(channel, now);
        if (c.active == 0) continue;
        text += fmt::format("  DMA {}: {} bytes, {} elements, {} transfers in {} cycles ({:.2f} bytes a cycle)",
                            channel, c.bytes, c.elements, c.transfers, c.active,
                            static_cast<double>(c.bytes) / static_cast<double>(c.active));
        std::string waited;
        for (unsigned s = 0; s < dma_stall_count; s++) {
            if (c.stalls[s] != 0)
                waited += fmt::format("{}{} {}", waited.empty() ? "; waited: " : ", ", causes[s], c.stalls[s]);
        }
        text += waited + "\n";
    }
    return text;
}

} // namespace

std::string statistics(Chip &chip) {
    std::string text =
        fmt::format("{} cycles, {:.3f} ms at {} MHz\n", chip.now(),
                    static_cast<double>(chip.now()) / chip.machine().megahertz / 1e3, chip.machine().megahertz);
    for (std::uint32_t k = 0; k < chip.core_count(); k++) {
        Core &core = chip.core(k);
        if (core.stop.kind == StopKind::held) continue;
        core.settle(chip.now());
        const Counters &c = core.counters;
        const double cycles = static_cast<double>(std::max<std::uint64_t>(c.cycles(), 1));
        text += fmt::format("{}: {} instructions in {} cycles ({:.2f} a cycle), {} of them floating\n", core_name(core),
                            c.instructions(), c.cycles(), static_cast<double>(c.instructions()) / cycles, c.floating);
        const auto line = [&](std::string_view name, std::uint64_t count) {
            if (count != 0)
                text +=
                    fmt::format("  {:<14}{:>14}{:>7.1f} %\n", name, count, 100 * static_cast<double>(count) / cycles);
        };
        line("single issue", c.issue_cycles() - c.dual);
        line("dual issue", c.dual);
        for (unsigned s = 0; s < stall_count; s++) line(stall_names[s], c.stalls[s]);
        line("idle", c.idle);
        text += dma_statistics(chip.dma(k), chip.now());
        if (const std::uint64_t bytes = chip.copied_bytes(k); bytes != 0) {
            text += fmt::format("  copies: {} bytes by the copy unit\n", bytes);
        }
    }
    return text + chip.nodes().statistics(chip.now());
}

} // namespace skerry::sim
