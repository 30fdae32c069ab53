// SPDX-License-Identifier: BSD-3-Clause
// What gdb is answered, without a wire: registers, memory, threads, stops of all kinds, and packets that make no sense.
#include <gtest/gtest.h>

#include <random>

#include <fmt/format.h>

#include "../core/fixture.hpp"
#include "gdb/packet.hpp"
#include "gdb/registers.hpp"
#include "gdb/stub.hpp"

using namespace skerry::sim;
using namespace skerry::sim::gdb;

namespace {

class Debugged {
  public:
    explicit Debugged(const char *name, std::uint32_t cores = 1) : bench(name) {
        for (std::uint32_t k = 1; k < cores; k++) {
            bench.put(name, code_base, k);
            epiphany(bench.chip, k).state.r[40] = data_base;
        }
        bench.begin(cores);
        stub.emplace(bench.chip);
    }
    // The answer, after running if it says so.
    std::string ask(const std::string &packet) {
        const Answer answer = stub->answer(packet);
        if (answer.then != Answer::Then::run) return answer.packet;
        stub->stops().resume();
        return stub->stopped(bench.chip.run(1'000'000));
    }
    std::uint32_t pc(const std::string &number = "42") {
        return static_cast<std::uint32_t>(std::stoul(swapped(ask("p" + number)), nullptr, 16));
    }
    static std::string swapped(const std::string &word) {
        return word.substr(6, 2) + word.substr(4, 2) + word.substr(2, 2) + word.substr(0, 2);
    }

    Bench bench;
    std::optional<Stub> stub;
};

TEST(Gdb, SaysWhatItCan) {
    Debugged d("integers");
    EXPECT_NE(d.ask("qSupported:swbreak+").find("qXfer:features:read+"), std::string::npos);
    EXPECT_EQ(d.ask("vCont?"), "vCont;c;C;s;S");
    EXPECT_EQ(d.ask("vMustReplyEmpty"), "");
    EXPECT_EQ(d.ask("?"), "T05thread:1;core:0;");
    EXPECT_EQ(d.ask("QStartNoAckMode"), "OK");
    EXPECT_FALSE(d.stub->acknowledges());
}

TEST(Gdb, TargetDescriptionComesInPieces) {
    Debugged d("integers");
    std::string text;
    for (;;) {
        const std::string part = d.ask("qXfer:features:read:target.xml:" + fmt::format("{:x}", text.size()) + ",100");
        ASSERT_FALSE(part.empty());
        text += part.substr(1);
        if (part.front() == 'l') break;
        ASSERT_EQ(part.front(), 'm');
    }
    EXPECT_EQ(text, target_description(d.bench.core.debug_registers()));
    EXPECT_NE(text.find("name=\"pc\" bitsize=\"32\" regnum=\"66\""), std::string::npos);
    EXPECT_EQ(d.ask("qXfer:features:read:other.xml:0,100"), "E00");
}

TEST(Gdb, ReadsAndWritesRegisters) {
    Debugged d("integers");
    EXPECT_EQ(d.ask("P1=78563412"), "OK");
    EXPECT_EQ(d.bench.core.state.r[1], 0x12345678u);
    EXPECT_EQ(d.ask("p1"), "78563412");
    EXPECT_EQ(d.pc(), code_base);
    const std::string all = d.ask("g");
    EXPECT_EQ(all.size(), 8u * d.bench.core.debug_registers().count());
    EXPECT_EQ(all.substr(8, 8), "78563412");
    EXPECT_EQ(d.ask("G" + all), "OK");
    EXPECT_EQ(d.ask("g"), all);
    EXPECT_EQ(d.ask("G00"), "E02");
    EXPECT_EQ(d.ask("pff"), "E01");
    EXPECT_EQ(d.ask("P1=78"), "E02");
}

TEST(Gdb, ReadsAndWritesMemory) {
    Debugged d("integers", 2);
    EXPECT_EQ(d.ask("M2000,4:01020304"), "OK");
    EXPECT_EQ(d.ask("m2000,4"), "01020304");
    EXPECT_EQ(d.ask("m80802000,2"), "0102"); // the same place as all cores see it
    EXPECT_EQ(d.ask("Hg2"), "OK");
    EXPECT_EQ(d.ask("m2000,4"), "00000000"); // the other core's
    EXPECT_EQ(d.ask(std::string("X2000,3:a\0b", 11)), "OK");
    EXPECT_EQ(d.ask("m2000,3"), "610062");
    EXPECT_EQ(d.ask("X0,0:"), "OK");
    EXPECT_EQ(d.ask("m7fff,4"), "E01");
    EXPECT_EQ(d.ask("M2000,4:0102"), "E02");
    EXPECT_EQ(d.ask("mf0408,4"), "00010000"); // pc, where registers are mapped
}

TEST(Gdb, BreaksOnceAtEachPlace) {
    Debugged d("integers");
    EXPECT_EQ(d.ask("Z0,104,2"), "OK");
    EXPECT_EQ(d.ask("c"), "T05swbreak:;thread:1;core:0;");
    EXPECT_EQ(d.pc(), 0x104u);
    EXPECT_EQ(d.bench.core.state.r[1], 1u);
    EXPECT_EQ(d.ask("z0,104,2"), "OK");
    const std::string end = d.ask("vCont;c"); // BKPT at the end
    EXPECT_EQ(end, "T05thread:1;core:0;");
}

// `dual` has pairs that issue in one cycle: each instruction is seen all the same, and the result is the same.
TEST(Gdb, StepsOneInstructionEvenOfAPair) {
    Debugged d("dual");
    std::vector<std::uint32_t> seen;
    std::uint64_t before = 0;
    for (int k = 0; k < 6; k++) {
        EXPECT_EQ(d.ask("vCont;s:1;c"), "T05thread:1;core:0;");
        EXPECT_EQ(d.bench.core.counters.instructions(), before + 1);
        before = d.bench.core.counters.instructions();
        seen.push_back(d.pc());
    }
    EXPECT_EQ(seen, (std::vector<std::uint32_t>{0x104, 0x108, 0x10c, 0x110, 0x114, 0x118}));
    EXPECT_EQ(d.bench.core.state.r[1], 1u);
}

TEST(Gdb, BreaksAtTheSecondOfAPair) {
    Debugged d("dual");
    EXPECT_EQ(d.ask("Z0,104,4"), "OK");
    EXPECT_EQ(d.ask("c"), "T05swbreak:;thread:1;core:0;");
    EXPECT_EQ(d.pc(), 0x104u);
    EXPECT_EQ(d.bench.core.state.r[1], 0u);
}

TEST(Gdb, CoresAreThreads) {
    Debugged d("integers", 3);
    EXPECT_EQ(d.ask("qfThreadInfo"), "m1,2,3");
    EXPECT_EQ(d.ask("qsThreadInfo"), "l");
    EXPECT_EQ(d.ask("T3"), "OK");
    EXPECT_EQ(d.ask("T4"), "E01"); // never started
    EXPECT_EQ(d.ask("Hg3"), "OK");
    EXPECT_EQ(d.ask("qC"), "QC3");
    EXPECT_EQ(d.ask("Hg11"), "E01");
    EXPECT_EQ(from_hex(d.ask("qThreadExtraInfo,2")), "core (32,9), runs");
    EXPECT_NE(d.ask("qXfer:threads:read::0,1000").find("name=\"core (32,10)\""), std::string::npos);
    EXPECT_EQ(d.ask("Z0,104,2"), "OK");
    for (const char *core : {"1;core:0;", "2;core:1;", "3;core:2;"}) {
        EXPECT_EQ(d.ask("c"), std::string("T05swbreak:;thread:") + core);
    }
}

TEST(Gdb, WatchesWhatIsAccessed) {
    Debugged d("watched");
    EXPECT_EQ(d.ask("Z2,2004,4"), "OK");
    EXPECT_EQ(d.ask("Z3,2008,4"), "OK");
    EXPECT_EQ(d.ask("c"), "T05watch:2004;thread:1;core:0;");
    EXPECT_EQ(d.bench.core.memory.read<std::uint32_t>(0x2004), 7u);
    EXPECT_EQ(d.ask("c"), "T05rwatch:2008;thread:1;core:0;");
    EXPECT_EQ(d.ask("z3,2008,4"), "OK");
    EXPECT_EQ(d.ask("Z4,2008,1"), "OK");
    EXPECT_EQ(d.ask("c"), "T05awatch:2008;thread:1;core:0;");
}

TEST(Gdb, EndsAreTold) {
    Debugged exits("exits");
    EXPECT_EQ(exits.ask("c"), "W07");
    EXPECT_EQ(exits.ask("?"), "W07");
    Debugged spins("spin");
    EXPECT_EQ(spins.ask("c"), "T02thread:1;core:0;");
    EXPECT_EQ(spins.stub->answer("D").then, Answer::Then::detach);
    EXPECT_EQ(spins.stub->answer("k").then, Answer::Then::kill);
    EXPECT_EQ(spins.stub->answer("vKill;1").packet, "OK");
}

TEST(Gdb, MonitorCommands) {
    Debugged d("integers");
    const auto command = [&](std::string_view text) { return *from_hex(d.ask("qRcmd," + to_hex(text))); };
    EXPECT_EQ(command("cycle"), "cycle 0\n");
    EXPECT_NE(command("stats").find("cycles"), std::string::npos);
    EXPECT_NE(command("?").find("monitor"), std::string::npos);
    EXPECT_EQ(d.ask("qRcmd,6"), "E02");
}

// Whatever is asked, there is an answer and the simulator lives.
TEST(Gdb, PacketsThatMakeNoSense) {
    std::mt19937 random(1);
    const std::vector<std::string> seeds = {"g",
                                            "p42",
                                            "P1=00000000",
                                            "m2000,4",
                                            "M2000,4:01020304",
                                            "X2000,1:a",
                                            "Z0,104,2",
                                            "z0,104,2",
                                            "Z2,2000,4",
                                            "z2,2000,4",
                                            "Hg1",
                                            "Hc-1",
                                            "T1",
                                            "qfThreadInfo",
                                            "qThreadExtraInfo,1",
                                            "vCont;c",
                                            "vCont;s:1;c",
                                            "s",
                                            "c100",
                                            "qXfer:features:read:target.xml:0,10",
                                            "qRcmd,73",
                                            "qXfer:threads:read::0,fff",
                                            "?",
                                            "G00",
                                            "vKill;1",
                                            "D"};
    Debugged d("spin");
    for (int k = 0; k < 30'000; k++) {
        std::string packet = seeds[random() % seeds.size()];
        for (auto n = random() % 4; n > 0 && !packet.empty(); n--) {
            const std::size_t at = random() % packet.size();
            switch (random() % 3) {
            case 0: packet[at] = static_cast<char>(random()); break;
            case 1: packet.erase(at, 1 + random() % 3); break;
            case 2: packet.insert(at, std::string(1 + random() % 9, ",:;=0f-"[random() % 7])); break;
            }
        }
        const Answer answer = d.stub->answer(packet);
        if (answer.then != Answer::Then::run) continue;
        d.stub->stops().resume();
        d.stub->stopped(d.bench.chip.run(d.bench.chip.now() + 20));
    }
}

} // namespace
