// SPDX-License-Identifier: BSD-3-Clause
// Writes the report on a chip as Markdown. The report is printed on a terminal, and is also stored as a page in docs/.
#include "chip/chip.hpp"

#include "chip/paths.hpp"
#include "report/json_text.hpp"
#include "report/report.hpp"

#include <cmath>
#include <fmt/format.h>

namespace skerry::bench {

namespace {

constexpr int all = 16;

using Row = std::vector<std::string>;

std::string speed(const ChipFigures &f, size_t bytes, double cycles) {
    return std::isnan(cycles)
               ? ""
               : fmt::format("{:.0f} ({:.3g})", cycles, static_cast<double>(bytes) / f.nanoseconds(cycles));
}

std::string number(double value, int digits = 3) {
    if (std::isnan(value) || value == 0) return "";
    return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.{}g}", value, digits);
}

struct Column {
    const char *head, *name;
    int pes;
};

// Returns a table with cycles and, in brackets, GB/s. Both are computed from the mean cycles of all PEs. If `slowest`
// is true, they are computed from the cycles of the slowest PE instead.
std::string sizes_table(const ChipFigures &f, const std::vector<Column> &columns, bool slowest) {
    Row head{"bytes"};
    for (const Column &column : columns) head.push_back(column.head);
    std::vector<Row> rows;
    for (const size_t bytes : f.sizes(columns[0].name, columns[0].pes)) {
        rows.push_back({format_bytes(bytes)});
        for (const Column &column : columns)
            rows.back().push_back(
                speed(f, bytes,
                      slowest ? f.slowest(column.name, column.pes, bytes) : f.mean(column.name, column.pes, bytes)));
    }
    return markdown(head, rows);
}

std::vector<std::string> split(const std::string &text, char at) {
    std::vector<std::string> parts(1);
    for (const char letter : text)
        if (letter == at) parts.emplace_back();
        else parts.back() += letter;
    return parts;
}

std::string inputs_text(const ChipFigures &f) {
    std::vector<Row> rows;
    for (const ChipInput &input : f.inputs)
        rows.push_back({fmt::format("`{}`", input.name), input.value,
                        fmt::format("{}", fmt::join(split(input.note, '|'), "\\|"))});
    return "## Inputs\n\n" + markdown({"input", "value", "source"}, rows);
}

std::string copies_text(const ChipFigures &f) {
    return "## put and get\n\nCycles (GB/s for each core). In the columns \"16 PEs\" all 16 PEs copy to or from the "
           "next PE at once (mean). In the other columns only PE 0 does, while the others wait.\n\n" +
           sizes_table(f,
                       {{"put", "put", 1},
                        {"put, 16 PEs", "put", all},
                        {"put and quiet", "put_quiet", 1},
                        {"put, unaligned", "put_unaligned", 1},
                        {"get", "get", 1},
                        {"get, 16 PEs", "get", all},
                        {"get by loads", "get_direct", 1},
                        {"by loads, 16 PEs", "get_direct", all}},
                       false);
}

std::string nbi_text(const ChipFigures &f) {
    std::string text = "## Non-blocking transfers: the DMA channels\n\nCycles (GB/s). `call`: of the call alone. "
                       "`fence`: until the DMA channel is idle. `quiet`: until all data has arrived.\n\n" +
                       sizes_table(f,
                                   {{"call", "put_nbi_call", 1},
                                    {"put_nbi, fence", "put_nbi_fence", 1},
                                    {"put_nbi, quiet", "put_nbi", 1},
                                    {"on two channels", "put_nbi_two", 1},
                                    {"16 PEs", "put_nbi", all},
                                    {"get_nbi, quiet", "get_nbi", 1},
                                    {"on two channels", "get_nbi_two", 1},
                                    {"16 PEs", "get_nbi", all}},
                                   false);
    std::vector<Row> rows;
    for (const auto &[name, what] :
         {std::pair{"compute", "registers only"}, std::pair{"compute_memory", "loads from the same core's memory"}})
        for (const size_t bytes : f.sizes(std::string(name) + "_put", 1)) {
            const double transfer = f.mean("put_nbi", 1, bytes), alone = f.mean(std::string(name) + "_alone", 1, bytes),
                         both = f.mean(std::string(name) + "_put", 1, bytes);
            rows.push_back({what, format_bytes(bytes), fmt::format("{:.0f}", transfer), fmt::format("{:.0f}", alone),
                            fmt::format("{:.0f}", both),
                            fmt::format("{:.0f} %", 100 * (transfer + alone - both) / transfer)});
        }
    return text +
           "The part of a put_nbi and its quiet that is hidden behind a computation of at least the same length:\n\n" +
           markdown({"computation", "bytes", "transfer", "computation", "both", "hidden"}, rows);
}

std::string atomics_text(const ChipFigures &f) {
    static constexpr const char *names[] = {"by_hand", "fetch_add", "fetch_inc", "add",         "inc",
                                            "fetch",   "set",       "swap",      "compare_swap"};
    Row head{"PEs"};
    for (const char *name : names) head.push_back(name);
    std::vector<Row> rows;
    for (int pes = 1; pes <= all; ++pes) {
        rows.push_back({std::to_string(pes)});
        for (const char *name : names) rows.back().push_back(number(f.mean(name, pes, 32) / 32));
    }
    return "## Atomics\n\nCycles of one 32-bit atomic on the next PE, in a loop, by this number of PEs at once "
           "(mean).\n\n" +
           markdown(head, rows);
}

std::string barriers_text(const ChipFigures &f) {
    const std::string others = f.find("group_of_20_team_sync", 2, 16) != nullptr ? "group_of_20_" : "";
    std::vector<std::string> names{"whole_barrier_all", "whole_sync_all", others + "group_barrier",
                                   others + "group_sync", others + "team_sync"};
    Row head{"PEs", "barrier_all", "sync_all", "shmem_barrier", "shmem_sync", "shmem_team_sync"};
    if (!others.empty()) {
        names.insert(names.end(), {"group_barrier", "whole_group_barrier"});
        head.insert(head.end(), {"shmem_barrier, job of 16", "shmem_barrier, whole job"});
    }
    std::vector<Row> rows;
    for (int pes = 2; pes <= all; ++pes) {
        rows.push_back({std::to_string(pes)});
        for (const std::string &name : names)
            rows.back().push_back(number(f.nanoseconds(f.slowest(name, pes, 16)) / 16000));
    }
    return "## Barriers\n\nMicroseconds of one barrier in a row of many:\n\n* `barrier_all` and `sync_all`: all PEs of "
           "a job of this size.\n* The next three columns: the first PEs" +
           std::string(
               others.empty()
                   ? ""
                   : " of a job of 20 on a chip with a fifth row. (For all PEs of a job there are faster ways.)\n* The "
                     "last two columns: the first PEs of a job of 16, and all PEs of a job of this size") +
           ".\n\n" + markdown(head, rows);
}

std::string collectives_text(const ChipFigures &f) {
    return "## Collectives\n\nCycles of the slowest PE (GB/s for each core: one PE's bytes divided by this time). Ross "
           "and Richie "
           "(2016): broadcast64 has about 2.4/log2(N) GB/s.\n\n" +
           sizes_table(f,
                       {{"broadcast64, 2 PEs", "broadcast64", 2},
                        {"4 PEs", "broadcast64", 4},
                        {"8 PEs", "broadcast64", 8},
                        {"16 PEs", "broadcast64", all},
                        {"collect64", "collect64", all},
                        {"fcollect64", "fcollect64", all},
                        {"alltoall64", "alltoall64", all}},
                       true) +
           "All 16 PEs need the same data from external memory. Each PE fetches it, or PE 0 fetches and broadcasts "
           "it:\n\n" +
           sizes_table(f,
                       {{"each by loads", "fetch_each", all},
                        {"one by loads", "fetch_one", all},
                        {"each by DMA", "fetch_each_dma", all},
                        {"one by DMA", "fetch_one_dma", all}},
                       true);
}

std::string reductions_text(const ChipFigures &f) {
    std::vector<Row> rows;
    for (const size_t bytes : f.sizes("sum_int", all)) {
        const double nanoseconds = f.nanoseconds(f.slowest("sum_int", all, bytes));
        rows.push_back({std::to_string(bytes / 4), fmt::format("{:.0f}", f.slowest("sum_int", all, bytes)),
                        fmt::format("{:.2f}", nanoseconds / 1000), fmt::format("{:.0f}", 1e9 / nanoseconds)});
    }
    const std::vector<size_t> work = f.sizes("work_array", all);
    return fmt::format("## Reductions\n\nshmem_int_sum_to_all, 16 PEs. The smallest work array has {} bytes.\n\n",
                       work.empty() ? 0 : work[0]) +
           markdown({"ints", "cycles", "us", "reductions a second"}, rows);
}

std::string locks_text(const ChipFigures &f) {
    std::vector<Row> rows;
    for (const auto &[name, what, pes, turns] :
         {std::tuple{"lock_home", "PE 0, which holds the lock's word", 1, 16.0},
          std::tuple{"lock_next", "PE 1", 1, 16.0}, std::tuple{"lock_far", "PE 2", 1, 16.0},
          std::tuple{"lock_shared", "all 16 at once, for each turn", all, 256.0}}) {
        const double cycles = f.slowest(name, pes, 16) / turns;
        rows.push_back({what, number(cycles), number(f.nanoseconds(cycles))});
    }
    return "## Locks\n\nOne set_lock and one clear_lock.\n\n" + markdown({"by", "cycles", "ns"}, rows);
}

// Returns a sentence that gives the size from which a call is faster than loading all data from the other core.
std::string crossover_text(const ChipFigures &f) {
    size_t from = 0;
    const std::vector<size_t> sizes = f.sizes("dot_rpc", 1);
    for (auto size = sizes.rbegin();
         size != sizes.rend() && f.mean("dot_rpc", 1, *size) < f.mean("dot_remote", 1, *size); ++size)
        from = *size;
    return from ? fmt::format("A call is faster than remote loads from {} floats in each operand on.\n\n", from / 8)
                : "";
}

std::string many_to_one_text(const ChipFigures &f, size_t floats) {
    const std::vector<ManyToOne> oldest = many_to_one(f, "", floats), newest = many_to_one(f, "newest_", floats);
    std::vector<Row> rows;
    for (size_t i = 0; i < oldest.size(); ++i) {
        rows.push_back({std::to_string(oldest[i].depth)});
        for (const auto *order : {&oldest, &newest})
            if (i < order->size()) {
                const ManyToOne &row = (*order)[i];
                rows.back().insert(rows.back().end(),
                                   {fmt::format("{:.2f}", row.gigabytes), fmt::format("{:.0f} %", 100 * row.served),
                                    fmt::format("{:.0f} %", 100 * row.run_by_caller),
                                    fmt::format("{:.0f}", row.interrupting)});
            }
    }
    return fmt::format("{} floats:\n\n", floats) +
           markdown({"queued at most", "GB/s", "run by PE 0", "run by callers", "interrupts", "newest first: GB/s",
                     "run by PE 0", "run by callers", "interrupts"},
                    rows);
}

std::string calls_text(const ChipFigures &f) {
    std::string text =
        "## Remote procedure calls\n\nThe dot product of Ross and Richie (2018), in cycles (GB/s). `bytes` is the size "
        "of both operands together:\n\n* `local`: on local data;\n* `localize`: the same, with local addresses that "
        "`localize` makes from global ones;\n* `own, f_rpc`: by f_rpc on the PE's own data;\n* `remote loads`: on the "
        "next PE's data by remote loads;\n* `RPC`: on the next PE's data by a remote procedure call.\n\n" +
        sizes_table(f,
                    {{"local", "dot_local", 1},
                     {"localize", "dot_localized", 1},
                     {"own, f_rpc", "dot_own_rpc", 1},
                     {"remote loads", "dot_remote", 1},
                     {"RPC", "dot_rpc", 1}},
                    false);
    std::vector<Row> rows;
    for (const size_t bytes : f.sizes("dot_symmetric", all))
        rows.push_back({format_bytes(bytes), fmt::format("{:.2f}", chip_symmetric(f, bytes))});
    text += crossover_text(f) +
            fmt::format("RPC of an empty function on the next PE: {:.0f} cycles; in a loop of calls {:.0f} each.\n\n",
                        f.mean("rpc_empty", 1, 1), f.mean("rpc_empty", 1, 16) / 16) +
            "All 16 PEs call the next PE at once:\n\n" + markdown({"bytes", "GB/s a PE"}, rows) +
            "All 16 PEs call PE 0, 16 times each. PE 0's own calls are ordinary function calls. The columns:\n\n* "
            "`queued at most`: the number of calls that PE 0's queue holds;\n* `GB/s`: all bytes divided by the "
            "slowest PE's time;\n* `run by PE 0`, `run by callers`: the shares of the other PEs' calls that PE 0 ran, "
            "and that callers ran themselves;\n* `interrupts`: the number of interrupts;\n* the right half: "
            "the same with a queue that serves its newest call first, as in Ross and Richie (2018).\n\n";
    for (const size_t floats : many_to_one_floats) text += many_to_one_text(f, floats);
    return text;
}

std::string fits_text(const ChipFigures &f) {
    std::vector<Row> rows;
    for (const ChipFit &row : chip_fits(f)) {
        const double speed = 1 / row.fit.beta;
        rows.push_back({row.name, std::to_string(row.pes),
                        fmt::format("{:.1f} +- {:.1f}", row.fit.alpha, row.fit.alpha_deviation),
                        fmt::format("{:.3f} +- {:.3f}", speed, speed * row.fit.beta_deviation / row.fit.beta)});
    }
    return "## alpha + beta * L\n\nThe time of L bytes is alpha + beta * L. The table has alpha and 1/beta of fitted "
           "lines, with their standard deviations; for collectives, of the mean PE.\n\n" +
           markdown({"what", "PEs", "alpha, ns", "1/beta, GB/s"}, rows);
}

std::string cells_text(const ChipFigures &f) {
    std::vector<Row> rows;
    for (const ChipCell &cell : chip_cells(f))
        rows.push_back({cell.what, number(cell.paper, 4), number(cell.at_2k, 4), fmt::format("{:.2f}", cell.ratio()),
                        number(cell.asymptote, 4), fmt::format("{:.2f}", cell.asymptote / cell.paper),
                        cell.kind == "input" || cell.high < 1.005 * cell.low
                            ? ""
                            : fmt::format("{:.4g} to {:.4g}", cell.low, cell.high),
                        number(cell.best, 4), cell.kind});
    return "## Coduin's twenty cells\n\nMB/s for each core, measured as Coduin did. `busy`: all 16 cores at once, each "
           "with the next core; off the chip, the slowest core's speed. `quiet`: one core alone. The copy loop is "
           "compiled with -Os and takes 11 cycles. The DMA's start is compiled with -O0. The columns:\n\n* `2 KB`: one "
           "transfer of 2 KB, its start included;\n* `slope`: the speed between 1 and 4 KB without the start;\n* "
           "`compiled otherwise`: the range with -O2, and with -Os where the loop takes 12 cycles;\n* `our best`: our "
           "library's copy of 2 KB on the same path.\n\n" +
           markdown({"cell", "Coduin", "2 KB", "ratio", "slope", "ratio", "compiled otherwise", "our best", ""}, rows) +
           fmt::format(
               "DMA start (Coduin: slightly less than 500 cycles): {:.0f} cycles compiled with -O0, {:.0f} with -O2, "
               "{:.0f} with -Os.\n\n",
               f.fit("dma_core_write", 1, 64).alpha * f.megahertz / 1000,
               f.fit("fast_dma_core_write", 1, 64).alpha * f.megahertz / 1000,
               f.fit("small_dma_core_write", 1, 64).alpha * f.megahertz / 1000);
}

std::string shares_text(const ChipFigures &f) {
    const ChipCycles *shares = f.find("dma_outside_read", all, 2048);
    if (!shares) return "";
    std::vector<Row> rows;
    for (size_t pe = 0; pe < shares->of_pes.size(); ++pe) {
        if (pe % 4 == 0) rows.push_back({fmt::format("row {}", pe / 4)});
        rows.back().push_back(fmt::format("{:.1f}", 1000 * 2048 / f.nanoseconds(shares->of_pes[pe])));
    }
    return "MB/s of each core while all cores read 2 KB of external memory by DMA (as in Coduin's last graph of "
           "external memory):\n\n" +
           markdown({"", "column 0", "1", "2", "3"}, rows);
}

std::string bars_text(const ChipFigures &f) {
    std::vector<Row> rows;
    int held = 0;
    for (const ChipBar &bar : chip_bars(f)) {
        rows.push_back({bar.what, bar.must, bar.measured, bar.holds ? "yes" : "**no**"});
        held += bar.holds;
    }
    return "## Bars\n\n" + markdown({"figure", "bar", "measured", "holds"}, rows) +
           fmt::format("{} of {} hold.\n", held, rows.size());
}

std::string figures_text(const ChipFigures &f) {
    std::vector<Row> rows;
    for (const auto &[key, cycles] : f.cycles)
        rows.push_back({key.name, std::to_string(key.pes), std::to_string(key.bytes), number(cycles.mean(), 4),
                        number(cycles.most(), 4), number(f.nanoseconds(cycles.most()), 4)});
    return "## Figures\n\n" +
           markdown({"what", "PEs", "bytes or calls", "cycles, mean PE", "slowest PE", "its ns"}, rows);
}

} // namespace

std::string chip_text(const ChipFigures &f) {
    using enum ChipFigures::Compared;
    if (f.compared == nothing)
        return fmt::format("Skerry on {}, simulated: {} x {} cores, {} MHz; cycles are the same in every run.\n\n",
                           f.machine, f.input("chip.rows"), f.input("chip.columns"), f.megahertz) +
               inputs_text(f) + figures_text(f);
    const std::string title = fmt::format(
        "Skerry on {}, simulated: 16 cores, {} MHz; cycles are the same in every run.\n\n", f.machine, f.megahertz);
    if (f.compared == calls) return title + calls_text(f) + bars_text(f);
    if (f.compared == segments) return title + chip_segments_text(f);
    if (f.compared == paths) return title + cells_text(f) + shares_text(f) + chip_paths_text(f) + bars_text(f);
    return title + inputs_text(f) + copies_text(f) + nbi_text(f) + atomics_text(f) + barriers_text(f) +
           collectives_text(f) + reductions_text(f) + locks_text(f) + calls_text(f) + chip_segments_text(f) +
           fits_text(f) + cells_text(f) + shares_text(f) + chip_paths_text(f) + bars_text(f);
}

std::string chip_json(const ChipFigures &f) {
    std::vector<std::string> inputs, results, fits, cells, statements, bars;
    for (const ChipInput &input : f.inputs)
        inputs.push_back(fmt::format(R"({{"name": {}, "value": {}, "note": {}}})", json_string(input.name),
                                     json_string(input.value), json_string(input.note)));
    for (const auto &[key, cycles] : f.cycles)
        results.push_back(fmt::format(R"({{"name": {}, "pes": {}, "bytes": {}, "cycles": [{}]}})",
                                      json_string(key.name), key.pes, key.bytes, fmt::join(cycles.of_pes, ", ")));
    for (const ChipFit &row : chip_fits(f))
        fits.push_back(fmt::format(
            R"({{"name": {}, "pes": {}, "alpha": {}, "alpha_deviation": {}, "beta": {}, "beta_deviation": {}}})",
            json_string(row.name), row.pes, row.fit.alpha, row.fit.alpha_deviation, row.fit.beta,
            row.fit.beta_deviation));
    for (const ChipCell &cell : has_paths(f.compared) ? chip_cells(f) : std::vector<ChipCell>())
        cells.push_back(fmt::format(
            R"({{"cell": {}, "curve": {}, "pes": {}, "paper": {}, "at_2048": {}, "asymptote": {}, "low": {}, "high": {}, "best": {}, "kind": {}}})",
            json_string(cell.what), json_string(cell.name), cell.pes, cell.paper, json_number(cell.at_2k),
            json_number(cell.asymptote), json_number(cell.low), json_number(cell.high),
            cell.best > 0 ? json_number(cell.best) : "null", json_string(cell.kind)));
    for (const PathStatement &one : has_paths(f.compared) ? path_statements(f) : std::vector<PathStatement>())
        statements.push_back(fmt::format(R"({{"what": {}, "paper": {}, "here": {}, "ratio": {}, "kind": {}}})",
                                         json_string(one.what), json_string(one.paper), json_string(one.here),
                                         one.ratio > 0 ? json_number(one.ratio) : "null", json_string(one.kind)));
    for (const ChipBar &bar : f.compared != ChipFigures::Compared::nothing ? chip_bars(f) : std::vector<ChipBar>())
        bars.push_back(fmt::format(R"({{"what": {}, "must": {}, "measured": {}, "holds": {}}})", json_string(bar.what),
                                   json_string(bar.must), json_string(bar.measured), bar.holds));
    const auto list = [](const std::vector<std::string> &items) {
        return items.empty() ? "[]" : fmt::format("[\n    {}\n  ]", fmt::join(items, ",\n    "));
    };
    return fmt::format(
        "{{\n  \"machine\": {},\n  \"clock_megahertz\": {},\n  \"inputs\": {},\n  \"results\": {},\n  \"fits\": {},\n"
        "  \"cells\": {},\n  \"graphs\": {},\n  \"bars\": {}\n}}\n",
        json_string(f.machine), f.megahertz, list(inputs), list(results), list(fits), list(cells), list(statements),
        list(bars));
}

} // namespace skerry::bench
