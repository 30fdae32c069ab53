// SPDX-License-Identifier: BSD-3-Clause
// Machine descriptions that are whole, wrong in one place, or damaged anywhere: a machine or a list of mistakes, never a
// crash.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "chip/machine_file.hpp"
#include "rounds.hpp"

using namespace skerry::sim;

namespace {

std::string text_of(const std::string &name) {
    std::ifstream file(std::string(SKERRY_MACHINES) + name + ".toml");
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string errors(const std::string &text) {
    Machine m;
    return parse_machine(text, "my.toml", m);
}

// epiphany-iii's text with one piece exchanged.
std::string changed(const std::string &from, const std::string &to) {
    std::string text = text_of("epiphany-iii");
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return errors(text.replace(at, from.size(), to));
}

std::string based(const std::string &text) {
    return errors("based_on = \"epiphany-iii\"\n" + text);
}

TEST(Machines, KnownOnesAreWhole) {
    std::vector<std::string> files;
    for (const auto &file : std::filesystem::directory_iterator(SKERRY_MACHINES)) {
        if (file.path().extension() == ".toml") files.push_back(file.path().stem());
    }
    std::ranges::sort(files);
    EXPECT_EQ(machine_names(), files);
    EXPECT_GE(files.size(), 8u);
    for (const std::string &name : machine_names()) {
        Machine m;
        EXPECT_EQ(read_machine(name, m), "");
        EXPECT_EQ(m.name, name);
    }
}

TEST(Machines, SayWhatTheIssueSays) {
    const Machine three = find_machine("epiphany-iii").value();
    EXPECT_EQ(three.cores(), 16u);
    EXPECT_EQ(three.core_id(0), 0x808u);
    EXPECT_EQ(three.local_memory, 32768u);
    EXPECT_EQ(three.megahertz, 600u);
    EXPECT_EQ(three.external.size(), 3u);
    EXPECT_EQ(three.network().meshes[0].hop_half_cycles, 3u);
    EXPECT_EQ(three.network().first_row, 32u);
    EXPECT_EQ(three.link.outward_cycles, 21u);
    EXPECT_EQ(three.host.core_read, 5.3);
    const DmaTiming dma; // in two places, and the same
    EXPECT_EQ(three.dma.start, dma.start);
    EXPECT_EQ(three.dma.descriptor, dma.descriptor);
    EXPECT_EQ(three.dma.element_interval, dma.element_interval);
    EXPECT_EQ(three.dma.read_interval, dma.read_interval);
    EXPECT_EQ(three.dma.outstanding_reads, dma.outstanding_reads);
    const Machine four = find_machine("epiphany-iv").value();
    EXPECT_EQ(four.cores(), 64u);
    EXPECT_EQ(four.megahertz, 800u);
    EXPECT_EQ(four.local_memory, 32768u);
    const Machine many = find_machine("epiphany-1024").value();
    EXPECT_EQ(many.cores(), 1024u);
    EXPECT_EQ(many.local_memory, 65536u);
    EXPECT_EQ(many.network().rows, 32u);
}

TEST(Machines, AUsersOwnMayBeBasedOnOne) {
    Machine m;
    EXPECT_EQ(parse_machine(
                  "name = \"mine\"\nbased_on = \"epiphany-iii\"\n[chip]\ncolumns = 5\nabsent_cores = [[0, 4], [3, 0]]\n"
                  "[network.read_requests]\nhop_half_cycles = 5\n",
                  "my.toml", m),
              "");
    EXPECT_EQ(m.cores(), 20u);
    EXPECT_EQ(m.present_cores(), 18u);
    EXPECT_TRUE(m.is_absent(4));
    EXPECT_TRUE(m.is_absent(15));
    EXPECT_FALSE(m.is_absent(5));
    EXPECT_EQ(m.network().meshes[1].hop_half_cycles, 5u);
    EXPECT_EQ(m.network().meshes[1].buffer_depth, 3u);
    EXPECT_EQ(m.network().columns, 5u);
}

TEST(Machines, UnknownNamesAreAnswered) {
    Machine m;
    const std::string text = read_machine("epiphany-ii", m);
    EXPECT_TRUE(
        text.starts_with("no machine is called epiphany-ii; did you mean epiphany-iii?; there are epiphany-1024, "))
        << text;
    EXPECT_TRUE(text.ends_with("smp-16, or give a file as ./my.toml")) << text;
    EXPECT_EQ(read_machine("./nowhere.toml", m), "./nowhere.toml: No such file or directory");
    EXPECT_EQ(find_machine("epiphany-v"), std::nullopt);
}

TEST(Machines, MistakesHavePlaceKeyAndRule) {
    EXPECT_EQ(based("[chip]\nrows = 0"), "my.toml:3:8: chip.rows: must be a whole number from 1 to 64, not 0");
    EXPECT_EQ(based("[chip]\nrows = \"4\""), "my.toml:3:8: chip.rows: must be a whole number from 1 to 64, not \"4\"");
    EXPECT_EQ(based("[chip]\nrow = 4"), "my.toml:3:1: chip.row: there is no such key; did you mean rows?");
    EXPECT_EQ(based("[chip]\nclock = 4"),
              "my.toml:3:1: chip.clock: there is no such key; did you mean clock_megahertz?");
    EXPECT_EQ(based("[cip]"), "my.toml:2:2: cip: there is no such key; did you mean chip?");
    EXPECT_EQ(based("[chip]\nzzzz = 4"), "my.toml:3:1: chip.zzzz: there is no such key");
    EXPECT_EQ(based("chip = 3"), "my.toml:2:8: chip: must be a section, not 3");
    EXPECT_EQ(
        based("[network]\ndefault_exit = \"est\""),
        "my.toml:3:16: network.default_exit: must be one of \"north\", \"east\", \"south\", \"west\", not \"est\"; did "
        "you mean east?");
    EXPECT_EQ(based("[link]\nburst_of_dma = 1"), "my.toml:3:16: link.burst_of_dma: must be true or false, not 1");
    EXPECT_EQ(based("[host]\ncore_read_megabytes_per_second = nan"),
              "my.toml:3:34: host.core_read_megabytes_per_second: must be a number from 0.001 to 1000000, not nan");
    EXPECT_EQ(based("[dma]\nstart_cycles = 1.5"),
              "my.toml:3:16: dma.start_cycles: must be a whole number from 1 to 1000000, not 1.5");
    EXPECT_EQ(based("[chip]\nabsent_cores = [3]"),
              "my.toml:3:17: chip.absent_cores: each must be [row, column], not 3");
    EXPECT_EQ(based("[chip]\nabsent_cores = [[0, 64]]"),
              "my.toml:3:21: chip.absent_cores: must be a whole number from 0 to 63, not 64");
    EXPECT_EQ(errors("based_on = \"./my.toml\""), "my.toml:1:12: based_on: ./my.toml: No such file or directory");
    EXPECT_EQ(errors("based_on = 3"), "my.toml:1:12: based_on: must be the name of a machine or a file, not 3");
    EXPECT_EQ(changed("rows = 4", ""), "my.toml:7:1: chip.rows: is missing");
    EXPECT_NE(errors("").find("my.toml:1:1: chip: is missing"), std::string::npos);
    EXPECT_EQ(based("\n[#"), "my.toml:3:1: this line cannot be read");
    EXPECT_NE(errors("rows = ").find("my.toml:1:"), std::string::npos);
}

TEST(Machines, RulesTieValuesTogether) {
    EXPECT_EQ(based("[chip]\nfirst_row = 62"),
              "my.toml:3:13: chip.first_row: the last of 4 rows would lie beyond row 63");
    EXPECT_EQ(based("[chip]\nlocal_memory_bytes = 33000"),
              "my.toml:3:22: chip.local_memory_bytes: local memory is a power of two from 4 KB to 512 KB");
    EXPECT_EQ(
        based("[chip]\nfirst_row = 0\nfirst_column = 0"),
        "my.toml:4:16: chip.first_column: no core can be at row 0, column 0, because its addresses mean a core's own "
        "memory");
    EXPECT_EQ(based("[chip]\nabsent_cores = [[4, 0]]"),
              "my.toml:3:16: chip.absent_cores: [4, 0] is not within 4 x 4 cores");
    EXPECT_EQ(based("[chip]\nabsent_cores = [[1, 0], [1, 0]]"),
              "my.toml:3:16: chip.absent_cores: [1, 0] is listed twice");
    EXPECT_EQ(based("[chip]\nrows = 1\ncolumns = 1\nabsent_cores = [[0, 0]]\n[network]\neast_link_row = 0"),
              "my.toml:5:16: chip.absent_cores: no core is left");
    EXPECT_EQ(based("[chip]\nrows = 2"), "my.toml:1:1: network.east_link_row: must be a row from 0 to 1");
    EXPECT_EQ(based("[network]\ndefault_exit = \"west\""),
              "my.toml:3:16: network.default_exit: must be an edge with a link, and network.west_link_row is missing");
    EXPECT_EQ(based("[chip]\ncolumns = 24"), ""); // beside the last window
    EXPECT_EQ(based("[chip]\ncolumns = 25"),
              "my.toml:1:1: external_memory: the last range, at 0x8e000000, contains addresses of core (35,32)");
    EXPECT_EQ(based("[[external_memory]]\nfirst_address = 0x80000000\nsize_bytes = 1"),
              "my.toml:2:1: external_memory: 0x1 bytes at 0x80000000 are not pages of 4 KB within 4 GB");
    EXPECT_EQ(based("[[external_memory]]\nfirst_address = 0x80000000\nsize_bytes = 0x2000\n"
                    "[[external_memory]]\nfirst_address = 0x80001000\nsize_bytes = 0x1000"),
              "my.toml:2:1: external_memory: the range at 0x80001000 overlaps the range at 0x80000000");
    EXPECT_EQ(based("[network]\ntopology = \"crossbar\""),
              "my.toml:3:12: network.topology: a crossbar has no multicast, which Epiphany's cores use");
    const std::string shared = "[shared_memory]\nfirst_address = ";
    EXPECT_EQ(based(shared + "0x8f000000\nsize_bytes = 0x1000"),
              "my.toml:2:1: shared_memory: it overlaps external memory at 0x8e000000");
    EXPECT_EQ(based(shared + "0x80900000\nsize_bytes = 0x1000"),
              "my.toml:2:1: shared_memory: core (32,9) has addresses in this memory");
    EXPECT_EQ(based(shared + "0x1000\nsize_bytes = 0x1000"),
              "my.toml:2:1: shared_memory: addresses below 1 MB mean a core's own memory");
    EXPECT_EQ(based(shared + "0x40000000\nsize_bytes = 0x1000\nbanks = 3"),
              "my.toml:2:1: shared_memory: the number of banks must be a power of two");
    EXPECT_EQ(based(shared + "0x40000000\nsize_bytes = 0x1000\nbanks = 4"), "");
    const std::string cluster = shared + "0x40000000\nsize_bytes = 0x1000\nbanks = 4\n[cluster]\ncores = ";
    EXPECT_EQ(based(cluster + "8\nmanager_cores = 1"), "");
    EXPECT_EQ(based(cluster + "5"), "my.toml:7:9: cluster.cores: 16 cores are not a multiple of 5");
    EXPECT_EQ(based(cluster + "4\nmanager_cores = 4"),
              "my.toml:8:17: cluster.manager_cores: must be less than the number of cores");
    EXPECT_EQ(based("[cluster]\ncores = 4"), "my.toml:2:1: cluster: the cores of a cluster need shared_memory");
    const std::string global = cluster + "4\nglobal_address = ";
    const std::string wrong = "my.toml:8:18: cluster.global_address: ";
    EXPECT_EQ(based(global + "0xa0000000"), "");
    EXPECT_EQ(based(global + "0xfffff000"), wrong + "0x4000 bytes at 0xfffff000 are not pages of 4 KB within 4 GB");
    EXPECT_EQ(based(global + "0x8effe000"), wrong + "it overlaps external memory at 0x8e000000");
    EXPECT_EQ(based(global + "0x3fffd000"), wrong + "it overlaps the shared memory");
    EXPECT_EQ(based(global + "0x70000000"), wrong + "cores have addresses in this range");
    const std::string cache = shared + "0x40000000\nsize_bytes = 0x1000\nbanks = 4\n[instruction_cache]\n";
    EXPECT_EQ(based(cache + "size_bytes = 4096\nways = 4"), "");
    EXPECT_EQ(based(cache + "size_bytes = 5000"), "my.toml:7:14: instruction_cache.size_bytes: must be a power of two");
    EXPECT_EQ(based(cache + "size_bytes = 4096\nline_bytes = 24"),
              "my.toml:8:14: instruction_cache.line_bytes: must be a power of two");
    EXPECT_EQ(based(cache + "size_bytes = 64\nways = 2"),
              "my.toml:7:14: instruction_cache.size_bytes: must be at least one set of lines");
    EXPECT_EQ(based("[instruction_cache]\nsize_bytes = 4096"),
              "my.toml:2:1: instruction_cache: is for code in shared_memory");
    const std::string mutexes = "[mutexes]\nfirst_address = 0x40000000\nsize_bytes = ";
    EXPECT_EQ(based(mutexes + "0x1000\nservice_cycles = 3"), "");
    EXPECT_EQ(based(mutexes + "0x10"),
              "my.toml:2:1: mutexes: 0x10 bytes at 0x40000000 are not pages of 4 KB within 4 GB");
    EXPECT_EQ(based(mutexes + "0x1000\n" + shared + "0x50000000\nsize_bytes = 0x1000\nbanks = 4"),
              "my.toml:2:1: mutexes: a machine with shared_memory has its mutexes there");
    EXPECT_EQ(based("[rdma]\ncopies_under_way = 4"),
              "my.toml:3:20: rdma.copies_under_way: only command lines can start copies: events.lines must not be 0");
}

TEST(Machines, MayHaveNetworksBetweenClusters) {
    const Machine mppa = find_machine("mppa").value();
    EXPECT_EQ(mppa.clusters(), 18u);
    EXPECT_EQ(mppa.compute_clusters(), 16u);
    EXPECT_EQ(mppa.job_cores().size(), 256u); // neither managers nor cores of I/O nodes
    EXPECT_EQ(mppa.present_cores(), 16u * 17 + 2 * 8);
    EXPECT_EQ(mppa.data_network.nodes(), 24u);
    EXPECT_EQ(mppa.control_network.nodes(), 24u);
    const auto changed_mppa = [](const std::string &text) { return errors("based_on = \"mppa\"\n" + text); };
    EXPECT_EQ(changed_mppa(""), "");
    EXPECT_EQ(changed_mppa("[data_network]\nrows = 5"),
              "my.toml:3:8: data_network.rows: 5 x 4 clusters and 2 I/O nodes are not the machine's 18 clusters");
    EXPECT_EQ(changed_mppa("[data_network]\nbuffer_flits = 1"),
              "my.toml:3:16: data_network.buffer_flits: must be a whole number from 2 to 4096, not 1");
    EXPECT_EQ(changed_mppa("[io]\ndma_units = 5"),
              "my.toml:1:1: data_network: an I/O node has at least one DMA unit, and at "
              "most one for each column of clusters");
    EXPECT_EQ(changed_mppa("[io]\nnodes = 3"), "my.toml:3:9: io.nodes: must be a whole number from 0 to 2, not 3");
    EXPECT_EQ(changed_mppa("[[external_memory]]\nfirst_address = 0xa0000000\nsize_bytes = 0x1000"),
              "my.toml:1:1: io.nodes: each I/O node has a DDR memory: the first ranges of external_memory");
    EXPECT_EQ(changed_mppa("[shared_memory]\nfirst_address = 0x60000000"),
              "my.toml:2:1: shared_memory: it overlaps the registers of the networks' nodes");
    EXPECT_EQ(changed_mppa("[[external_memory]]\nfirst_address = 0x60080000\nsize_bytes = 0x1000\n"
                           "[[external_memory]]\nfirst_address = 0x8e000000\nsize_bytes = 0x1000"),
              "my.toml:2:1: external_memory: the range at 0x60080000 overlaps the registers of the networks' nodes");
    EXPECT_EQ(changed_mppa("[chip]\nfirst_row = 17\nfirst_column = 0"),
              "my.toml:3:13: chip.first_row: cores have the addresses of the registers of the networks' nodes");
    EXPECT_EQ(based("[data_network]\nrows = 4\ncolumns = 4"),
              "my.toml:2:1: data_network: is between clusters, and the section cluster is missing");
}

TEST(Machines, MayHaveACrossbar) {
    const Machine four = find_machine("sarc-4").value();
    EXPECT_EQ(four.cores(), 4u);
    EXPECT_EQ(four.kind, CoreKind::riscv);
    EXPECT_EQ(four.local_memory, 65536u);
    EXPECT_EQ(four.network().topology, Topology::crossbar);
    EXPECT_EQ(four.network().crossbar.one_way, 30u);
    EXPECT_EQ(four.network().crossbar.turn, 7u);
    EXPECT_EQ(find_machine("sarc-16").value().cores(), 16u);
    EXPECT_EQ(find_machine("sarc-64").value().cores(), 64u);
    EXPECT_EQ(find_machine("riscv-16").value().network().topology, Topology::mesh);
}

TEST(Machines, HaveCoresOfAKnownKind) {
    EXPECT_EQ(based("[core]\nkind = \"arm\""),
              "my.toml:3:8: core.kind: must be one of \"epiphany\", \"riscv\", not \"arm\"");
    EXPECT_EQ(based("[core]\ndivide_cycles = 0"),
              "my.toml:3:17: core.divide_cycles: must be a whole number from 1 to 255, not 0");
    const Machine riscv = find_machine("riscv-16").value();
    EXPECT_EQ(riscv.kind, CoreKind::riscv);
    EXPECT_TRUE(riscv.riscv.extensions.double_float);
    EXPECT_EQ(find_machine("epiphany-iv").value().kind, CoreKind::epiphany);
    EXPECT_EQ(find_machine("smp-16").value().shared.size, 1U << 26);
}

// Each mistake has a line of its own, in the order of the file.
TEST(Machines, AllMistakesAreTold) {
    EXPECT_EQ(based("[chip]\ncolumns = -1\nrows = 65\n"),
              "my.toml:3:11: chip.columns: must be a whole number from 1 to 64, not -1\n"
              "my.toml:4:8: chip.rows: must be a whole number from 1 to 64, not 65");
}

TEST(Machines, ABaseWithoutEndIsSeen) {
    const std::string path = testing::TempDir() + "skerry_endless.toml";
    std::ofstream(path) << "based_on = \"" << path << "\"\n";
    Machine m;
    EXPECT_NE(read_machine(path, m).find("the descriptions are based on each other in a circle"), std::string::npos);
    std::remove(path.c_str());
}

// Every prefix, and many texts with bytes changed, lines left out or doubled, numbers exchanged.
TEST(Machines, SurvivesDamage) {
    const std::string whole = text_of("epiphany-iii");
    for (std::size_t length = 0; length < whole.size(); length += 3) (void)errors(whole.substr(0, length));
    std::mt19937 random(1);
    const std::vector<std::string> pieces = {
        "-1",  "0",     "9223372036854775807", "1e999", "nan",  "[", "]", "{", "}", "\"",
        "'''", "= = =", "[[chip]]\n",          "\xff",  "\n\n", ".", "#", ",", "0x"};
    int whole_ones = 0;
    for (unsigned round = 0; round < rounds(4000); round++) {
        std::string text = round % 2 == 0 ? whole : text_of("epiphany-1024");
        for (auto changes = 1 + random() % 3; changes != 0; changes--) {
            const std::size_t at = random() % text.size();
            const std::size_t length = std::min<std::size_t>(random() % 12, text.size() - at);
            switch (random() % 4) {
            case 0: text[at] = static_cast<char>(random()); break;
            case 1: text.insert(at, text.substr(random() % text.size(), 40)); break;
            case 2: text.erase(at, length + 1); break;
            default: text.replace(at, length, pieces[random() % pieces.size()]); break;
            }
            if (text.empty()) text = "\n";
        }
        Machine m;
        const std::string error = parse_machine(text, "my.toml", m);
        if (error.empty()) whole_ones++;
        else EXPECT_TRUE(error.starts_with("my.toml:")) << error;
        EXPECT_EQ(error.empty() && problem_of(m).has_value(), false);
    }
    EXPECT_GT(whole_ones, 100); // changed comments at least
}

// Brackets within brackets and keys of many parts must not use up the stack.
TEST(Machines, SurvivesDepth) {
    for (const char *bracket : {"[", "{", "[\n", "{\n", "{a=", "[{a=\n"}) {
        std::string text = "a = ";
        for (int k = 0; k < 100'000; k++) text += bracket;
        EXPECT_NE(errors(text), "");
    }
    EXPECT_EQ(errors("\n" + std::string(1001, 'a')), "my.toml:2:1: this line has more than 1000 characters");
    std::string path = "a";
    while (path.size() < 990) path += ".a";
    EXPECT_NE(errors("[" + path + "]\n" + path + " = 1\n[[" + path + ".b]]\n" + path + " = 1"), "");
}

} // namespace
