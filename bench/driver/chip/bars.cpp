// SPDX-License-Identifier: BSD-3-Clause
// Computes our values for the cells of the table in the paper Coduin 2016 from the measured figures. Also decides if
// the bars hold: the conditions that the figures on the chip must meet.
#include "chip/chip.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skerry::bench {

namespace {

constexpr int all = 16;
constexpr double paper_dma_start = 500; // cycles; the paper Coduin 2016 says "slightly less than 500"
constexpr double allowed = 0.2;         // allowed relative difference from a paper's figure

bool near(double ratio) {
    return std::abs(ratio - 1) <= allowed;
}

std::string yes_or_no_list(const std::vector<std::string> &misses) {
    return misses.empty() ? "all" : fmt::format("not {}", fmt::join(misses, ", "));
}

double gigabytes(const ChipFigures &f, size_t bytes, double cycles) {
    return static_cast<double>(bytes) / f.nanoseconds(cycles);
}

// Returns the MB/s of each core. If all cores access external memory, some cores get less of its speed and end later
// than other cores. In this case returns the speed of the slowest core.
double megabytes(const ChipFigures &f, const std::string &name, int pes, size_t bytes) {
    const bool shared = pes == all && name.find("outside") != std::string::npos;
    const double cycles = shared ? f.slowest(name, pes, bytes) : f.mean(name, pes, bytes);
    return 1000 * gigabytes(f, bytes, cycles);
}

// Returns the speed in MB/s without the constant cost of starting a transfer. This speed is the inverse slope of a line
// fitted to the times of all sizes of at least 1 KB.
double asymptote(const ChipFigures &f, const std::string &name, int pes) {
    const bool shared = pes == all && name.find("outside") != std::string::npos;
    std::vector<Point> points;
    for (const size_t bytes : f.sizes(name, pes))
        if (bytes >= 1024)
            points.push_back({static_cast<double>(bytes),
                              f.nanoseconds(shared ? f.slowest(name, pes, bytes) : f.mean(name, pes, bytes))});
    const Fit fit = fit_line(points);
    return fit.valid ? 1000 / fit.beta : std::nan("");
}

struct Given {
    const char *what, *name, *best;
    int pes;
    double paper;
    const char *kind, *input;
};
// Lists the cells of the table in the paper Coduin 2016. The kind "fitted" means that a constant in the machine's
// description was chosen so that the simulation gives this cell.
constexpr Given given[] = {
    {"core, external read, busy", "outside_read", "best_dma_outside_read", all, 8.3, "predicted", nullptr},
    {"core, external write, busy", "outside_write", "best_outside_write", all, 14.1, "predicted", nullptr},
    {"core, core read, busy", "core_read", "best_core_read", all, 173, "predicted", nullptr},
    {"core, core write, busy", "core_write", "best_core_write", all, 509, "predicted", nullptr},
    {"core, external read, quiet", "outside_read", "best_dma_outside_read", 1, 8.9, "fitted", nullptr},
    {"core, external write, quiet, burst", "outside_write", "best_outside_write", 1, 270, "fitted", nullptr},
    {"the same without burst", "noburst_outside_write", nullptr, 1, 226, "fitted", nullptr},
    {"core, core read, quiet", "core_read", "best_core_read", 1, 171, "fitted", nullptr},
    {"core, core write, quiet", "core_write", "best_core_write", 1, 441, "predicted", nullptr},
    {"DMA, external read, busy", "dma_outside_read", "best_dma_outside_read", all, 11, "fitted", nullptr},
    {"DMA, external write, busy", "dma_outside_write", nullptr, all, 12.1, "predicted", nullptr},
    {"DMA, core read, busy", "dma_core_read", "best_dma_core_read", all, 250, "predicted", nullptr},
    {"DMA, core write, busy", "dma_core_write", "best_dma_core_write", all, 1000, "predicted", nullptr},
    {"DMA, external read, quiet", "dma_outside_read", "best_dma_outside_read", 1, 80, "fitted", nullptr},
    {"DMA, external write, quiet", "dma_outside_write", nullptr, 1, 230, "predicted", nullptr},
    {"DMA, core read, quiet", "dma_core_read", "best_dma_core_read", 1, 300, "fitted", nullptr},
    {"DMA, core write, quiet", "dma_core_write", "best_dma_core_write", 1, 1000, "fitted", nullptr},
    {"host, external read", "", nullptr, 0, 48, "input", "host.external_read_megabytes_per_second"},
    {"host, external write", "", nullptr, 0, 98, "input", "host.external_write_megabytes_per_second"},
    {"host, core read", "", nullptr, 0, 5.3, "input", "host.core_read_megabytes_per_second"},
    {"host, core write", "", nullptr, 0, 42.4, "input", "host.core_write_megabytes_per_second"},
};

ChipBar at_least(const std::string &what, double value, double bar, const std::string &unit) {
    return {what, fmt::format(">= {:.3g} {}", bar, unit), fmt::format("{:.3g} {}", value, unit), value >= bar};
}

ChipBar at_most(const std::string &what, double value, double bar, const std::string &unit) {
    return {what, fmt::format("<= {:.3g} {}", bar, unit), fmt::format("{:.3g} {}", value, unit), value <= bar};
}

double microseconds_a_call(const ChipFigures &f, const std::string &name, int pes) {
    const std::vector<size_t> calls = f.sizes(name, pes);
    if (calls.empty()) return std::nan("");
    return f.nanoseconds(f.slowest(name, pes, calls[0])) / static_cast<double>(calls[0]) / 1000;
}

void add_barriers(const ChipFigures &f, std::vector<ChipBar> &bars) {
    bars.push_back(at_most("dissemination barrier, 16 PEs (shmem_barrier_all where WAND cannot serve)",
                           microseconds_a_call(f, "no_wand_barrier_all", all), 0.23, "us"));
    bars.push_back(
        at_most("the same by shmem_team_sync", microseconds_a_call(f, "no_wand_team_sync", all), 0.23, "us"));
    bars.push_back(at_most("WAND barrier, all 16 cores (shmem_barrier_all)", microseconds_a_call(f, "barrier_all", all),
                           0.1, "us"));
    bars.push_back(
        at_most("the same without quiet (shmem_sync_all)", microseconds_a_call(f, "sync_all", all), 0.1, "us"));
    const auto add_slowest = [&](const std::string &what, const std::string &name) {
        std::vector<double> times;
        for (int pes = 9; pes <= all; ++pes) times.push_back(microseconds_a_call(f, name, pes));
        const bool is_complete = std::none_of(times.begin(), times.end(), [](double time) { return std::isnan(time); });
        bars.push_back(at_most(what, is_complete ? std::ranges::max(times) : std::nan(""), 0.23, "us"));
    };
    add_slowest("group barriers of 9 to 16 PEs, chip of 16 (shmem_barrier), the slowest", "group_barrier");
    add_slowest("whole jobs of 9 to 16 PEs (shmem_barrier), the slowest", "whole_group_barrier");
    add_slowest("whole jobs of 9 to 16 PEs (shmem_barrier_all), the slowest", "whole_barrier_all");
    // A barrier of n PEs must not be slower than a barrier of the next power of two. A PE can leave a barrier only at
    // the end of a turn of its polling loop. A difference of less than one turn therefore does not count.
    constexpr double turn = 6; // cycles
    for (const char *name : {"group_of_20_group_barrier", "group_of_20_team_sync"}) {
        std::vector<std::string> above;
        for (int pes = 2, power = 2; pes < all; ++pes) {
            while (power < pes) power *= 2;
            const double own = microseconds_a_call(f, name, pes), next = microseconds_a_call(f, name, power);
            if (!(own <= next + turn / f.megahertz)) above.push_back(fmt::format("{} ({:.2f}x)", pes, own / next));
        }
        bars.push_back({fmt::format("group barriers of 2 to 15 PEs ({})",
                                    std::string_view(name).ends_with("sync") ? "shmem_team_sync" : "shmem_barrier"),
                        "none above the next power of two's time by a turn of the polling loop (6 cycles)",
                        above.empty() ? "none" : fmt::format("above: {}", fmt::join(above, ", ")), above.empty()});
    }
}

void add_get(const ChipFigures &f, std::vector<ChipBar> &bars) {
    constexpr size_t large = 8192;
    const double put = f.mean("put", 1, large);
    bars.push_back(at_least("get, direct", gigabytes(f, large, f.mean("get_direct", 1, large)), 0.2, "GB/s"));
    bars.push_back(at_least("get by interrupt, 8 KB", put / f.mean("get", 1, large), 0.85, "of put"));
    // A get by interrupt interrupts the PE that owns the data, and that PE sends the data. `turnover` is the size in
    // bytes from which such a get takes less than 0.9 times a get by loads. Below this size a get by interrupt uses
    // loads too. It then takes longer than a get by loads only by the time of one function call.
    size_t turnover = 0;
    const std::vector<size_t> sizes = f.sizes("get", 1);
    for (auto size = sizes.rbegin();
         size != sizes.rend() && f.mean("get", 1, *size) < 0.9 * f.mean("get_direct", 1, *size); ++size)
        if (*size >= 64) turnover = *size;
    bars.push_back({"get by interrupt, turnover", "<= 96 bytes", turnover ? fmt::format("{} bytes", turnover) : "none",
                    turnover > 0 && turnover <= 96});
}

void add_broadcast(const ChipFigures &f, std::vector<ChipBar> &bars) {
    constexpr size_t large = 12288; // bytes; the largest size that fits into a core's memory
    for (const int pes : {2, 4, 8, 16}) {
        const double speed = gigabytes(f, large, f.slowest("broadcast64", pes, large));
        bars.push_back(
            at_least(fmt::format("broadcast64, 12 KB, {} PEs", pes), speed, 0.9 * 2.4 / std::log2(pes), "GB/s"));
    }
}

// Numbers of calls that each PE makes for one figure. They must be equal to the macros CALLS and MANY_TO_ONE_CALLS of
// bench/chip/rpc.c.
constexpr double symmetric_calls = 8, many_to_one_calls = 16;

double sum(const ChipFigures &f, const std::string &name, size_t bytes) {
    return f.mean(name, all, bytes) * all;
}

void add_calls(const ChipFigures &f, std::vector<ChipBar> &bars) {
    constexpr size_t large = 16384;
    bars.push_back(at_least("dot product, local data, 2048 floats", gigabytes(f, large, f.mean("dot_local", 1, large)),
                            4.5, "GB/s"));
    bars.push_back(
        at_least("the same through localize", gigabytes(f, large, f.mean("dot_localized", 1, large)), 4.5, "GB/s"));
    bars.push_back(at_least("the same by RPC, all 16 PEs each on the next", chip_symmetric(f, large), 2.95, "GB/s"));
    bars.push_back(at_most("RPC of an empty function on the neighbour, until it is answered", f.mean("rpc_empty", 1, 1),
                           300, "cycles"));
    ManyToOne best;
    for (const ManyToOne &row : many_to_one(f, "", 1024))
        if (row.gigabytes > best.gigabytes) best = row;
    bars.push_back({"dot product by RPC, all 16 PEs on PE 0, in total", "> 4.8 GB/s",
                    fmt::format("{:.3g} GB/s with {} calls queued", best.gigabytes, best.depth), best.gigabytes > 4.8});
}

void add_cells(const ChipFigures &f, std::vector<ChipBar> &bars) {
    std::vector<std::string> misses;
    for (const ChipCell &cell : chip_cells(f))
        if (cell.kind != "input" && cell.what.find("external") == std::string::npos &&
            cell.name.find("outside") == std::string::npos && !near(cell.ratio()))
            misses.push_back(fmt::format("{} ({:.2f})", cell.what, cell.ratio()));
    bars.push_back({"Coduin's on-chip cells", "within 20 %", yes_or_no_list(misses), misses.empty()});
    const double start = f.fit("dma_core_write", 1, 64).alpha * f.megahertz / 1000;
    bars.push_back({"Coduin's DMA start, its method", "within 20 % of 500 cycles", fmt::format("{:.0f} cycles", start),
                    near(start / paper_dma_start)});
}

void add_ratios(const ChipFigures &f, std::vector<ChipBar> &bars) {
    struct Ratio {
        const char *what, *above, *below;
        int above_pes, below_pes;
        double paper;
    };
    static constexpr Ratio ratios[] = {
        {"core reads, busy by quiet", "outside_read", "outside_read", all, 1, 8.3 / 8.9},
        {"core writes, busy by quiet without burst", "outside_write", "noburst_outside_write", all, 1, 14.1 / 226},
        {"burst by no burst", "outside_write", "noburst_outside_write", 1, 1, 270.0 / 226},
        {"DMA reads, busy by quiet", "dma_outside_read", "dma_outside_read", all, 1, 11.0 / 80},
        {"DMA writes, busy by quiet", "dma_outside_write", "dma_outside_write", all, 1, 12.1 / 230},
        {"quiet reads, DMA by core", "dma_outside_read", "outside_read", 1, 1, 80 / 8.9},
        {"quiet writes, DMA by core", "dma_outside_write", "outside_write", 1, 1, 230.0 / 270},
        {"quiet, core writes by reads", "outside_write", "outside_read", 1, 1, 270 / 8.9},
        {"quiet, DMA writes by reads", "dma_outside_write", "dma_outside_read", 1, 1, 230.0 / 80},
    };
    for (const Ratio &ratio : ratios) {
        const double ours =
            megabytes(f, ratio.above, ratio.above_pes, 2048) / megabytes(f, ratio.below, ratio.below_pes, 2048);
        bars.push_back({fmt::format("off chip: {}", ratio.what), fmt::format("{:.3g} within 20 %", ratio.paper),
                        fmt::format("{:.3g}", ours), near(ours / ratio.paper)});
    }
    if (const ChipCycles *shares = f.find("dma_outside_read", all, 2048)) {
        const double unequal = shares->most() / shares->least();
        bars.push_back({"off chip: busy DMA reads, fastest core by slowest", "unequal by position (> 1.5)",
                        fmt::format("{:.2f}", unequal), unequal > 1.5});
    }
}

} // namespace

std::vector<ChipCell> chip_cells(const ChipFigures &f) {
    std::vector<ChipCell> cells;
    for (const Given &one : given) {
        ChipCell cell{one.what, one.name, one.pes, one.paper, one.kind};
        if (one.input) {
            cell.at_2k = cell.asymptote = cell.low = cell.high = f.input(one.input);
        } else {
            cell.at_2k = cell.low = cell.high = megabytes(f, one.name, one.pes, 2048);
            cell.asymptote = asymptote(f, one.name, one.pes);
            for (const char *prefix : {"fast_", "small_"}) {
                const double other = megabytes(f, std::string(prefix) + one.name, one.pes, 2048);
                cell.low = std::min(cell.low, other);
                cell.high = std::max(cell.high, other);
            }
            if (one.best) cell.best = megabytes(f, one.best, one.pes, 2048);
        }
        // A cell that depends on the compiler's options is no prediction. The paper Coduin 2016 does not give its
        // options, and we chose ours so that such cells agree with the paper's cells.
        if (cell.kind == "predicted" && cell.high > 1.01 * cell.low) cell.kind = "options chosen";
        cells.push_back(cell);
    }
    return cells;
}

double chip_symmetric(const ChipFigures &f, size_t bytes) {
    return symmetric_calls * gigabytes(f, bytes, f.slowest("dot_symmetric", all, bytes));
}

std::vector<ManyToOne> many_to_one(const ChipFigures &f, const std::string &order, size_t floats) {
    const auto name = [&](const char *what) { return fmt::format("{}crowd_{}{}", order, what, floats); };
    std::vector<ManyToOne> rows;
    for (const size_t depth : f.sizes(name(""), all)) {
        const double calls = (all - 1) * many_to_one_calls;
        const double total = gigabytes(f, 8 * floats, f.slowest(name(""), all, depth)) * all * many_to_one_calls;
        rows.push_back({depth, total, sum(f, name("sent_"), depth) / calls, sum(f, name("run_here_"), depth) / calls,
                        sum(f, name("interrupting_"), depth)});
    }
    return rows;
}

std::vector<ChipBar> chip_bars(const ChipFigures &f) {
    std::vector<ChipBar> bars;
    if (f.compared == ChipFigures::Compared::calls) add_calls(f, bars);
    if (f.compared == ChipFigures::Compared::paths) {
        add_cells(f, bars);
        add_ratios(f, bars);
    }
    if (f.compared != ChipFigures::Compared::everything) return bars;
    bars.push_back(at_least("put, 8 KB, aligned", gigabytes(f, 8192, f.mean("put", 1, 8192)), 2.3, "GB/s"));
    add_barriers(f, bars);
    add_get(f, bars);
    bars.push_back(at_most("fetch-add on a neighbour", f.mean("fetch_add", 1, 32) / f.mean("by_hand", 1, 32), 1.3,
                           "of TESTSET, load, store, release"));
    add_broadcast(f, bars);
    bars.push_back(at_most("nbi: start-up, alpha of put_nbi until the channel is idle",
                           f.fit("put_nbi_fence", 1, 128).alpha * f.megahertz / 1000, paper_dma_start / 2, "cycles"));
    bars.push_back(at_least("aos_put of 8 KB with an event, behind a computation of its length",
                            100 * hidden_share(f, "begun_put", 8192), 85, "% hidden"));
    add_calls(f, bars);
    add_cells(f, bars);
    add_ratios(f, bars);
    return bars;
}

std::vector<ChipFit> chip_fits(const ChipFigures &f) {
    static constexpr struct {
        const char *name;
        int pes;
        size_t from;
    } curves[] = {{"put", 1, 8},          {"put", all, 8},           {"put_quiet", 1, 8},     {"put_unaligned", 1, 64},
                  {"get", 1, 64},         {"get", all, 64},          {"get_direct", 1, 8},    {"get_direct", all, 8},
                  {"put_nbi", 1, 128},    {"put_nbi", all, 128},     {"put_nbi_two", 1, 256}, {"get_nbi", 1, 128},
                  {"get_nbi", all, 128},  {"get_nbi_two", 1, 256},   {"broadcast64", 2, 8},   {"broadcast64", 4, 8},
                  {"broadcast64", 8, 8},  {"broadcast64", all, 8},   {"collect64", all, 8},   {"fcollect64", all, 8},
                  {"alltoall64", all, 8}, {"dma_core_write", 1, 64}, {"dma_core_read", 1, 64}};
    std::vector<ChipFit> fits;
    for (const auto &curve : curves) {
        const Fit fit = f.fit(curve.name, curve.pes, curve.from);
        if (fit.valid) fits.push_back({curve.name, curve.pes, fit});
    }
    return fits;
}

} // namespace skerry::bench
