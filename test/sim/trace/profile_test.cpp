// SPDX-License-Identifier: BSD-3-Clause
// A profile's sums are the cores' own counters, and a run that is looked at is the same run.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../core/fixture.hpp"
#include "trace/report.hpp"
#include "trace/trace.hpp"

using namespace skerry::sim;
using nlohmann::json;

namespace {

ElfImage one_function() {
    ElfImage image;
    image.segments.push_back({code_base, 0x100, true, {}});
    image.symbols = {{code_base, 0x100, "_all</script>"}}; // a name that a page must not take for its own
    return image;
}

struct Profiled {
    explicit Profiled(const char *name, std::uint32_t cores = 1)
        : bench(name), image(one_function()), profile(bench.chip, image), traffic(bench.chip),
          trace(bench.chip, profile, traffic) {
        bench.chip.add_observer(profile);
        bench.chip.add_observer(traffic);
        bench.chip.add_observer(trace);
        for (std::uint32_t k = 1; k < cores; k++) bench.put(name, code_base, k);
        bench.begin(cores);
        for (std::uint32_t k = 0; k < cores; k++) ending = bench.chip.run(1'000'000);
        profile.finish();
    }
    Run run() {
        return {bench.chip, image, lines, profile, traffic, "folder/program.elf", ending};
    }
    Bench bench;
    ElfImage image;
    LineTable lines;
    Profile profile;
    NodeTraffic traffic;
    Trace trace;
    Ending ending;
};

class Sequences : public testing::TestWithParam<const char *> {};

TEST_P(Sequences, CountsWhatTheCoreCounts) {
    Profiled p(GetParam());
    Bench alone(GetParam());
    alone.run();
    const Counters &c = p.bench.core.counters;
    EXPECT_EQ(c.cycles(), alone.core.counters.cycles());
    EXPECT_EQ(c.stalls, alone.core.counters.stalls);
    EXPECT_EQ(c.dual, alone.core.counters.dual);
    Categories sum{};
    std::uint64_t instructions = 0;
    for (const FunctionCycles &f : p.profile.of(0)) {
        for (unsigned k = 0; k < category_count; k++) sum[k] += f.own[k];
        instructions += f.instructions;
    }
    EXPECT_EQ(sum, categories_of(c));
    EXPECT_EQ(instructions, c.instructions());
    Categories drawn{};
    for (const Timeline::Count &count : p.profile.timeline().of(0)) {
        for (unsigned k = 0; k < category_count; k++) drawn[k] += count[k];
    }
    EXPECT_EQ(drawn, categories_of(c));
    std::uint64_t over_time = 0;
    for (std::uint32_t f = 0; f < p.profile.functions().size(); f++) {
        for (const CycleTimeline::Count &count : p.profile.functions_over_time().of(f)) over_time += count[0];
    }
    EXPECT_EQ(over_time, c.cycles() - c.idle);
    std::uint64_t at_addresses = 0;
    for (const auto &[address, cycles] : p.profile.addresses()) at_addresses += cycles;
    EXPECT_EQ(at_addresses, c.cycles());
}

INSTANTIATE_TEST_SUITE_P(Profile, Sequences, testing::Values("integers", "dual", "float_to_float", "exits", "watched"),
                         [](const auto &which) { return std::string(which.param); });

TEST(Json, HasEveryCounter) {
    Profiled p("exits", 3);
    const json all = to_json(p.run(), false);
    EXPECT_EQ(all["format"], json_format);
    EXPECT_EQ(all["cores"].size(), 3u);
    EXPECT_EQ(all["cores"][1]["cycles"], p.bench.chip.core(1).counters.cycles());
    EXPECT_EQ(all["cores"][0]["cycles_by_cause"].size(), category_count);
    EXPECT_EQ(all["functions"][0]["name"], "all</script>");
    EXPECT_EQ(all["ending"], "exited");
    for (const char *name : {"machine", "accesses", "links", "dma", "off_chip"})
        EXPECT_TRUE(all.contains(name)) << name;
    EXPECT_EQ(json::parse(to_text(all)), all);
}

TEST(Report, IsOnePageWithTheData) {
    Profiled p("exits");
    const std::string page = report_page(p.run());
    EXPECT_EQ(page.find("RUN_DATA"), std::string::npos);
    EXPECT_EQ(page.find("http"), page.find("http://www.w3.org/2000/svg")); // a name, not a place to fetch from
    const std::string open = "id=\"data\">";
    const std::size_t begin = page.find(open) + open.size();
    const json data = json::parse(page.substr(begin, page.find("</script>", begin) - begin));
    EXPECT_EQ(data, to_json(p.run(), true));
    EXPECT_EQ(data["functions"][0]["name"], "all</script>");
}

TEST(Trace, SlicesOfARowHoldEachOtherOrLieApart) {
    Profiled p("exits", 2);
    const json trace = json::parse(p.trace.text());
    std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> rows;
    for (const json &e : trace["traceEvents"]) {
        if (e["ph"] == "X")
            rows[{e["pid"], e["tid"]}].emplace_back(e["ts"], e["ts"].get<double>() + e["dur"].get<double>());
    }
    EXPECT_EQ(rows.size(), 2u);
    for (const auto &[row, slices] : rows) {
        for (const auto &a : slices) {
            for (const auto &b : slices) {
                const bool apart = a.second <= b.first || b.second <= a.first;
                const bool inside =
                    (a.first <= b.first && b.second <= a.second) || (b.first <= a.first && a.second <= b.second);
                EXPECT_TRUE(apart || inside);
            }
        }
    }
}

// The timeline has the bytes of DMA as tracks beside the categories of cycles. These bytes are no cycles of the core.
TEST(Trace, DmaIsNoPartOfTheCoresCycles) {
    Bench bench("spin");
    const ElfImage image = one_function();
    Profile profile(bench.chip, image);
    const NodeTraffic traffic(bench.chip);
    Trace trace(bench.chip, profile, traffic);
    bench.chip.add_observer(profile);
    bench.chip.add_observer(trace);
    const auto set = [&](SpecialRegister which, std::uint32_t value) {
        ASSERT_EQ(bench.core.write_register(address_of(which), 4, value, 0), Access::done);
    };
    set(SpecialRegister::dma0_stride, 8 << 16 | 8);
    set(SpecialRegister::dma0_count, 1 << 16 | 256);
    set(SpecialRegister::dma0_source, data_base);
    set(SpecialRegister::dma0_destination, 2 * data_base);
    set(SpecialRegister::dma0_config, dma_config::enable | dma_config::master | 3 << dma_config::data_size_shift);
    bench.begin();
    ASSERT_EQ(bench.chip.run(6400).kind, EndKind::max_cycles);
    profile.finish();
    ASSERT_EQ(bench.chip.dma(0).counters(0, bench.chip.now()).bytes, 2048u);
    const json all = json::parse(trace.text());
    unsigned intervals = 0;
    for (const json &e : all["traceEvents"]) {
        if (e["name"] != "cycles, %") continue;
        intervals++;
        double sum = 0;
        for (const char *part : {"issue", "stall", "idle"}) sum += e["args"][part].get<double>();
        EXPECT_NEAR(sum, 100, 5) << e["ts"]; // the wait after a branch can be in the next interval
    }
    EXPECT_EQ(intervals, 100u);
}

} // namespace
