// SPDX-License-Identifier: BSD-3-Clause
// Writes the report on segments (memory that a PE has published) on a chip, which bench/chip/aos*.c measure. Compares
// the calls with OpenSHMEM and with hand-written code. Also repeats the experiments of Hascoet et al. (2017, section
// 6), who measured another machine, a Kalray MPPA at 500 MHz.
#include "chip/chip.hpp"

#include "report/report.hpp"

#include <cmath>
#include <fmt/format.h>

namespace skerry::bench {

namespace {

using Row = std::vector<std::string>;

constexpr int all = 16;
constexpr int initiators[] = {1, 2, 4, 8, 16};
constexpr double transfers = 4, words = 32, messages = 8; // operations in one figure (bench/chip/aos_*.c)

std::string cycles_text(double cycles) {
    return std::isnan(cycles) ? "" : fmt::format("{:.0f}", cycles);
}

// Returns the GB/s of all initiators (the PEs that act) together. The cycles of the slowest initiator for one transfer
// follow in brackets.
std::string speed(const ChipFigures &f, const std::string &name, int count, size_t bytes, double copies = 1) {
    const double cycles = f.slowest(name, count, bytes) / transfers;
    if (std::isnan(cycles)) return "";
    return fmt::format("{:.3g} ({:.0f})", copies * static_cast<double>(bytes) * count / f.nanoseconds(cycles), cycles);
}

struct Call {
    const char *name, *about;
};

std::string calls_text(const ChipFigures &f, const std::vector<Call> &calls, const char *unit) {
    Row head{"call", unit, "cycles", "by OpenSHMEM", "by hand"};
    std::vector<Row> rows;
    for (const Call &call : calls)
        for (const size_t bytes : f.sizes(call.name, 1)) {
            rows.push_back({call.about, std::to_string(bytes), cycles_text(f.mean(call.name, 1, bytes))});
            for (const char *other : {"_shmem", "_hand"})
                rows.back().push_back(cycles_text(f.mean(std::string(call.name) + other, 1, bytes)));
        }
    return markdown(head, rows);
}

std::string single_text(const ChipFigures &f) {
    return "PE 0 calls, on the next PE's segment. By hand: an atomic is TESTSET, a load and two stores; a message is "
           "stored to a "
           "place that is known to be free, and read from there.\n\n" +
           calls_text(f,
                      {{"aos_put", "aos_put"},
                       {"aos_put_fence", "aos_put, aos_fence; shmem_putmem, shmem_quiet"},
                       {"aos_get", "aos_get"},
                       {"aos_postadd", "aos_postadd"},
                       {"aos_fetchadd", "aos_fetchadd"},
                       {"aos_poke", "aos_poke"},
                       {"aos_peek", "aos_peek"},
                       {"aos_enqueue", "aos_enqueue"},
                       {"aos_dequeue", "aos_dequeue, a message is there"},
                       {"aos_dequeue_begin_end", "aos_dequeue_begin, aos_dequeue_end"},
                       {"aos_put_spaced", "aos_put_spaced, 8 bytes of each 64; shmem_iput64"},
                       {"aos_get_spaced", "aos_get_spaced, the same; shmem_iget64"}},
                      "bytes");
}

std::string blocks_text(const ChipFigures &f) {
    std::vector<Row> rows;
    for (const size_t bytes : f.sizes("aos_block2d", 1))
        rows.push_back({bytes % 8 == 0 ? "a double word" : "the second half of one",
                        cycles_text(f.mean("aos_block2d", 1, bytes)), cycles_text(f.mean("aos_block2d_rows", 1, bytes)),
                        cycles_text(f.mean("aos_block2d_elements", 1, bytes))});
    return "Cycles to get a tile of 10 x 10 floats out of an array of 20 x 20 on the next PE:\n\n" +
           markdown({"rows begin at", "aos_get_block2d", "a shmem_getmem for each row", "a loop of loads"}, rows);
}

// Each name stands for five figures (bench/chip/aos_begun.c).
std::string begun_text(const ChipFigures &f) {
    static constexpr Call calls[] = {
        {"put", "aos_put"},
        {"put_rows", "aos_put_spaced, rows of 128 bytes"},
        {"put_external", "aos_put, external memory"},
        {"get", "aos_get"},
        {"get_rows", "aos_get_spaced, rows of 128 bytes"},
        {"get_external", "aos_get, external memory"},
    };
    std::vector<Row> rows;
    for (const Call &call : calls) {
        const std::string name = fmt::format("begun_{}", call.name);
        for (const size_t bytes : f.sizes(name, 1)) {
            const double transfer = f.mean(name, 1, bytes), alone = f.mean(name + "_alone", 1, bytes),
                         both = f.mean(name + "_both", 1, bytes);
            rows.push_back({call.about, format_bytes(bytes), cycles_text(f.mean(name + "_plain", 1, bytes)),
                            cycles_text(f.mean(name + "_call", 1, bytes)), cycles_text(transfer), cycles_text(alone),
                            cycles_text(both), fmt::format("{:.0f} %", 100 * hidden_share(f, name, bytes))});
        }
    }
    return "### With an event, beside a computation\n\nPE 0 computes while a DMA channel puts, while the next PE "
           "stores "
           "the data of a get here, or while a channel gets from external memory. Cycles. `call`: until the routine "
           "returns. `event`: until a wait for the event has returned. `hidden`: the part of the latter that is hidden "
           "behind a computation of at least the same length.\n\n" +
           markdown({"transfer", "bytes", "without an event", "call", "event", "computation", "both", "hidden"}, rows);
}

std::string table1_text(const ChipFigures &f) {
    Row head{"PEs"};
    const std::vector<size_t> sizes = f.sizes("neighbour", 1);
    for (const size_t bytes : sizes)
        for (const char *way : {"aos_put", "shmem_putmem", "DMA"})
            head.push_back(fmt::format("{}: {}", format_bytes(bytes), way));
    std::vector<Row> rows;
    for (const int count : initiators) {
        rows.push_back({count == 1 ? "1 (to itself)" : std::to_string(count)});
        for (const size_t bytes : sizes)
            for (const char *prefix : {"", "raw_", "dma_"})
                rows.back().push_back(speed(f, fmt::format("{}neighbour", prefix), count, bytes, 2));
    }
    return "### Table 1: puts to the next PE, GB/s of all PEs, in plus out (cycles of a put)\n\nFour puts and a fence. "
           "The paper: "
           "0.7 (1 KB, a cluster to itself), 10.7 (16 clusters); 4 KB: 2.7 and 42.8; at most 60.2.\n\n" +
           markdown(head, rows);
}

struct Memory {
    const char *name, *about;
};
constexpr Memory memories[] = {{"pe", "the last PE's memory (1 SMEM)"}, {"external", "external memory (1 DDR)"}};

std::string figure2_text(const ChipFigures &f, const Memory &memory) {
    std::string text;
    for (const char *operation : {"put", "get"}) {
        const std::string name = fmt::format("{}_{}", operation, memory.name);
        Row head{"bytes"};
        for (const int count : initiators) head.push_back(fmt::format("{} PE{}", count, count == 1 ? "" : "s"));
        for (const int count : {1, all})
            for (const char *way : {"copy", "DMA"})
                if (f.find((*way == 'c' ? "raw_" : "dma_") + name, count, f.sizes(name, 1).front()))
                    head.push_back(fmt::format("{}, {} PE{}", way, count, count == 1 ? "" : "s"));
        std::vector<Row> rows;
        for (const size_t bytes : f.sizes(name, 1)) {
            rows.push_back({format_bytes(bytes)});
            for (const int count : initiators) rows.back().push_back(speed(f, name, count, bytes));
            for (const int count : {1, all})
                for (const char *way : {"raw_", "dma_"})
                    if (f.find(way + name, count, bytes)) rows.back().push_back(speed(f, way + name, count, bytes));
        }
        text += fmt::format("aos_{}, {}:\n\n", operation, memory.about) + markdown(head, rows);
    }
    return text;
}

std::string figure3_text(const ChipFigures &f) {
    Row head{"bytes"};
    for (const Memory &memory : memories)
        for (const int count : initiators)
            head.push_back(fmt::format("{}, {} PE{}", memory.name, count, count == 1 ? "" : "s"));
    std::vector<Row> rows;
    for (const size_t bytes : f.sizes("put_pe_blocking", 1)) {
        rows.push_back({format_bytes(bytes)});
        for (const Memory &memory : memories)
            for (const int count : initiators)
                rows.back().push_back(
                    fmt::format("{:.0f} / {:.0f}", f.slowest(fmt::format("get_{}_blocking", memory.name), count, bytes),
                                f.slowest(fmt::format("put_{}_blocking", memory.name), count, bytes)));
    }
    std::vector<Row> fits{{"the paper's, no load", "1100", "3.76"}};
    for (const Memory &memory : memories)
        for (const char *operation : {"get", "put"}) {
            const Fit fit = f.fit(fmt::format("{}_{}_blocking", operation, memory.name), 1, 8);
            if (fit.valid)
                fits.push_back({fmt::format("{}, {}", operation, memory.about),
                                fmt::format("{:.0f}", fit.alpha * f.megahertz / 1000),
                                fmt::format("{:.3g}", 1000 / (fit.beta * f.megahertz))});
        }
    return "### Figure 3: latency, cycles, get / put and its fence\n\nThe paper: 1168 / 1095 without load.\n\n" +
           markdown(head, rows) + "One PE's: TT(B) = a + B/b, by least squares of the relative errors:\n\n" +
           markdown({"", "a, cycles", "b, bytes a cycle"}, fits);
}

std::string figure4_text(const ChipFigures &f) {
    Row head{"PEs"};
    std::vector<Row> rows;
    for (const char *how : {"spread", "central"})
        for (const char *what : {"posted", "fetched", "by hand"}) head.push_back(fmt::format("{}, {}", what, how));
    for (const int count : initiators) {
        rows.push_back({std::to_string(count)});
        for (const char *how : {"spread", "central"})
            for (const char *name : {"post_{}", "fetch_{}", "{}_by_hand"}) {
                const double cycles = f.slowest(fmt::format(fmt::runtime(name), how), count, words) / words;
                rows.back().push_back(
                    std::isnan(cycles) ? "" : fmt::format("{:.0f} ({:.3g})", cycles, f.megahertz * count / cycles));
            }
    }
    return "### Figure 4: atomics of 64 bits, cycles of one (millions a second, of all PEs)\n\nSpread: each PE on the "
           "next PE's "
           "word; central: all on the last PE's. The paper: 230 cycles posted, 1109 fetched; its server does one in "
           "526.\n\n" +
           markdown(head, rows);
}

std::string table2_text(const ChipFigures &f) {
    const std::vector<size_t> sizes = f.sizes("queues", 1);
    Row head{"workers"};
    for (const size_t bytes : sizes) head.push_back(fmt::format("{} B: queues / mailboxes", bytes));
    std::vector<Row> rows;
    for (const int count : {1, 2, 4, 8, 15}) {
        rows.push_back({std::to_string(count)});
        for (const size_t bytes : sizes) {
            std::vector<std::string> cells;
            for (const char *name : {"queues", "mailboxes"}) {
                const double cycles = f.slowest(name, count, bytes) / (messages * count);
                cells.push_back(fmt::format("{:.0f} ({:.0f})", 1000 * f.megahertz / cycles, cycles));
            }
            rows.back().push_back(fmt::format("{} / {}", cells[0], cells[1]));
        }
    }
    return "### Table 2: a master with one message outstanding to each worker, all answers through one queue; "
           "thousands of "
           "messages a second (cycles)\n\nMailboxes: a place for each worker, where a number is stored after the "
           "message; no "
           "queue. The paper: 675 (16 B) to 350 (248 B) with one cluster, 740 to 550 with 2 to 16.\n\n" +
           markdown(head, rows);
}

} // namespace

double hidden_share(const ChipFigures &f, const std::string &name, size_t bytes) {
    const double transfer = f.mean(name, 1, bytes);
    return (transfer + f.mean(name + "_alone", 1, bytes) - f.mean(name + "_both", 1, bytes)) / transfer;
}

std::string chip_segments_text(const ChipFigures &f) {
    std::string text = "## Segments\n\n" + single_text(f) + blocks_text(f) + begun_text(f) + table1_text(f) +
                       "### Figure 2: throughput, GB/s of all initiators (cycles of a transfer)\n\nFour transfers, and "
                       "a fence after puts. As in the paper, each transfer has an event. From 1 KB on a DMA channel "
                       "puts, and from 512 bytes on "
                       "the last PE stores the data of a get; the core itself copies the others.\n\n";
    for (const Memory &memory : memories) text += figure2_text(f, memory);
    return text + figure3_text(f) + figure4_text(f) + table2_text(f);
}

} // namespace skerry::bench
