// SPDX-License-Identifier: BSD-3-Clause
// Lists the keys of a machine description (a TOML file), section by section, with the values that each key allows.
#include "chip/machine_keys.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

namespace skerry::sim {
namespace {

void take_absent(Section &chip, Machine &m) {
    const toml::array *list = chip.list("absent_cores", "[row, column]");
    if (list == nullptr) return;
    m.absent.clear();
    for (const toml::node &node : *list) {
        const toml::array *pair = node.as_array();
        if (pair == nullptr || pair->size() != 2) {
            chip.wrong(node, "absent_cores", "each must be [row, column]");
            continue;
        }
        Position p;
        const bool row = chip.take_number((*pair)[0], "absent_cores", p.row, 0, 63);
        if (chip.take_number((*pair)[1], "absent_cores", p.column, 0, 63) && row) m.absent.push_back(p);
    }
}

void take_chip(Section chip, Machine &m) {
    constexpr std::int64_t any = std::numeric_limits<std::uint32_t>::max();
    chip.number("rows", m.rows, 1, 64);
    chip.number("columns", m.columns, 1, 64);
    chip.number("first_row", m.first_row, 0, 63);
    chip.number("first_column", m.first_column, 0, 63);
    chip.number("local_memory_bytes", m.local_memory, 0, any);
    chip.number("clock_megahertz", m.megahertz, 1, 1'000'000);
    take_absent(chip, m);
    chip.end();
}

void take_external(Section &file, Machine &m) {
    constexpr std::int64_t any = std::numeric_limits<std::uint32_t>::max();
    const toml::array *list = file.list("external_memory", "sections");
    if (list == nullptr) return;
    m.external.clear();
    for (const toml::node &node : *list) {
        if (!node.is_table()) {
            file.wrong(node, "external_memory", "each must be a section");
            continue;
        }
        Section one = file.element("external_memory", *node.as_table());
        Window w;
        one.number("first_address", w.base, 0, any);
        one.number("size_bytes", w.size, 1, any);
        one.end();
        m.external.push_back(w);
    }
}

// Reads the section [shared_memory], the memory that all cores share. The section is optional, because most machines
// have no such memory.
void take_shared(Section shared, SharedMemoryConfiguration &s) {
    constexpr std::int64_t any = std::numeric_limits<std::uint32_t>::max();
    shared.number("first_address", s.base, 0, any);
    shared.number("size_bytes", s.size, 1, any);
    shared.number("banks", s.banks, 1, 65536);
    shared.number("extra_cycles", s.extra_cycles, 0, 255);
    shared.end();
}

// Reads the section [cluster]. The section is optional, because most machines have at most one shared memory.
void take_cluster(Section cluster, ClusterConfiguration &c) {
    cluster.number("cores", c.cores, 1, 4096);
    cluster.number_or_none("manager_cores", c.managers, 0, 4096);
    cluster.number_or_none("global_address", c.global, 0, std::numeric_limits<std::uint32_t>::max());
    cluster.end();
}

// Reads the section [instruction_cache]. Without this optional section a fetch from the shared memory takes no time.
void take_instruction_cache(Section cache, InstructionCacheConfiguration &c) {
    constexpr std::int64_t most = 1 << 24; // bytes
    cache.number("size_bytes", c.size, 64, most);
    cache.number("line_bytes", c.line, 8, 4096);
    cache.number("ways", c.ways, 1, 64);
    cache.number("miss_cycles", c.miss, 0, 1000);
    cache.end();
}

// Reads the section [mutexes], an optional memory of one bank. `service_cycles` is the time of one access in the bank,
// and `answer_cycles` the additional time of a core that waits for the answer.
void take_mutexes(Section section, SharedMemoryConfiguration &s) {
    constexpr std::int64_t any = std::numeric_limits<std::uint32_t>::max();
    section.number("first_address", s.base, 0, any);
    section.number("size_bytes", s.size, 0, any);
    section.number_or_none("service_cycles", s.service, 1, 255);
    section.number_or_none("answer_cycles", s.extra_cycles, 0, 255);
    section.end();
}

void take_mesh(Section mesh, MeshConfiguration &m) {
    constexpr std::int64_t longest = 100'000; // half cycles
    constexpr std::int64_t deepest = 128;     // the largest depth that sim/noc supports
    mesh.number("hop_half_cycles", m.hop_half_cycles, 2, longest);
    mesh.number("injection_half_cycles", m.injection_half_cycles, 2, longest);
    mesh.number("link_interval_half_cycles", m.link_interval_half_cycles, 2, longest);
    mesh.number("buffer_depth_transactions", m.buffer_depth, 1, deepest);
    mesh.number("injection_depth_transactions", m.injection_depth, 1, deepest);
    mesh.end();
}

// Reads the section [network.crossbar]. The section is optional, because the network of most machines is a mesh
// (routers in rows and columns).
void take_crossbar(Section crossbar, CrossbarConfiguration &c) {
    constexpr std::int64_t longest = 100'000; // cycles
    crossbar.number_or_none("one_way_cycles", c.one_way, 2, longest);
    crossbar.number_or_none("turn_cycles", c.turn, 1, longest);
    crossbar.number_or_none("buffer_depth_transactions", c.buffer_depth, 1, 128);
    crossbar.end();
}

void take_network(Section network, NetworkConfiguration &n) {
    constexpr std::array<std::pair<std::string_view, Topology>, 2> topologies = {
        {{"mesh", Topology::mesh}, {"crossbar", Topology::crossbar}}};
    constexpr std::array<std::pair<std::string_view, Port>, 4> edges = {
        {{"north", Port::north}, {"east", Port::east}, {"south", Port::south}, {"west", Port::west}}};
    const auto link = [&](std::string_view key, Port edge) {
        network.number_or_none(key, n.link_position[static_cast<unsigned>(edge)], 0, 63);
    };
    network.choice("topology", n.topology, topologies, true);
    network.choice("default_exit", n.default_exit, edges);
    link("north_link_column", Port::north);
    link("east_link_row", Port::east);
    link("south_link_column", Port::south);
    link("west_link_row", Port::west);
    network.yes_or_no("reads_wait_for_writes", n.reads_wait_for_writes);
    network.number("history_interval_cycles", n.history_interval, 0, 1'000'000'000);
    network.number("history_intervals", n.history_length, 2, 65536);
    take_crossbar(network.section("crossbar", true), n.crossbar);
    take_mesh(network.section("on_chip_writes"), n.meshes[0]);
    take_mesh(network.section("read_requests"), n.meshes[1]);
    take_mesh(network.section("off_chip_writes"), n.meshes[2]);
    network.end();
}

constexpr std::int64_t longest_time = 1'000'000; // cycles

// Reads the section [core]. The section and all its keys are optional. Without the section, the cores are Epiphany
// cores.
void take_core(Section core, Machine &m) {
    constexpr std::array<std::pair<std::string_view, CoreKind>, 2> kinds = {
        {{"epiphany", CoreKind::epiphany}, {"riscv", CoreKind::riscv}}};
    constexpr std::array<std::pair<std::string_view, RiscvExtensions>, 3> extensions = {
        {{"imac", {}}, {"imafc", {.single_float = true}}, {"imafdc", {.single_float = true, .double_float = true}}}};
    constexpr std::int64_t longest_latency = 255; // cycles
    RiscvTiming &t = m.riscv.timing;
    core.choice("kind", m.kind, kinds, true);
    core.choice("extensions", m.riscv.extensions, extensions, true);
    core.number_or_none("load_result_cycles", t.load_result, 1, longest_latency);
    core.number_or_none("atomic_result_cycles", t.atomic_result, 1, longest_latency);
    core.number_or_none("taken_branch_cycles", t.taken_branch, 1, longest_latency);
    core.number_or_none("multiply_result_cycles", t.multiply_result, 1, longest_latency);
    core.number_or_none("divide_cycles", t.divide, 1, longest_latency);
    core.number_or_none("float_result_cycles", t.float_result, 1, longest_latency);
    core.number_or_none("float_divide_cycles", t.float_divide, 1, longest_latency);
    core.number_or_none("double_divide_cycles", t.float_divide_long, 1, longest_latency);
    core.number_or_none("interrupt_entry_cycles", t.interrupt_entry, 1, longest_latency);
    core.end();
}

void take_link(Section link, LinkConfiguration &l) {
    link.number("outward_cycles", l.outward_cycles, 1, longest_time);
    link.number("burst_cycles", l.burst_cycles, 1, longest_time);
    link.yes_or_no("burst_of_dma", l.burst_of_dma);
    link.number("inward_cycles", l.inward_cycles, 1, longest_time);
    link.number("memory_cycles", l.memory_cycles, 1, longest_time);
    link.number("writes_buffered_transactions", l.writes_buffered, 1, 65536);
    link.number("reads_under_way_transactions", l.reads_under_way, 1, 65536);
    link.end();
}

void take_host(Section host, HostAccess &h) {
    constexpr double least = 0.001;
    constexpr double most = 1e6;
    host.measure("external_read_megabytes_per_second", h.external_read, least, most);
    host.measure("external_write_megabytes_per_second", h.external_write, least, most);
    host.measure("core_read_megabytes_per_second", h.core_read, least, most);
    host.measure("core_write_megabytes_per_second", h.core_write, least, most);
    host.end();
}

void take_dma(Section dma, DmaTiming &d) {
    dma.number("start_cycles", d.start, 1, longest_time);
    dma.number("descriptor_cycles", d.descriptor, 1, longest_time);
    dma.number("element_interval_cycles", d.element_interval, 1, longest_time);
    dma.number("read_interval_cycles", d.read_interval, 1, longest_time);
    dma.number("outstanding_reads", d.outstanding_reads, 1, 65536);
    dma.end();
}

// Reads the section [events]. The section is optional, because most machines have no event units (counters and queues
// in hardware).
void take_events(Section section, EventConfiguration &e) {
    section.number("lines", e.lines, 2, events::most_lines);
    section.number_or_none("initiate_cycles", e.initiate, 1, longest_time);
    section.number_or_none("enqueue_cycles", e.enqueue, 1, longest_time);
    section.number_or_none("retry_cycles", e.retry, 1, longest_time);
    section.number_or_none("commands_under_way_messages", e.commands, 2, events::most_messages);
    section.number_or_none("responses_under_way_messages", e.responses, 1, events::most_messages);
    section.end();
}

// Reads the section [rdma]. The section is optional, because most machines have no copy units.
void take_copies(Section section, CopyConfiguration &c) {
    section.number("copies_under_way", c.copies, 0, copies::most_copies);
    section.number_or_none("reads_under_way_transactions", c.reads, 1, 65536);
    section.number_or_none("acknowledge_cycles", c.acknowledge, 0, longest_time);
    section.end();
}

void take_packets(Section &section, dnoc::NetworkConfiguration &n) {
    section.number_or_none("hop_cycles", n.hop_cycles, 1, 1000);
    section.number_or_none("buffer_flits", n.buffer_flits, 2, 4096);
    section.number_or_none("send_packets", n.send_packets, 1, 4096);
    section.number_or_none("receive_packets", n.receive_packets, 1, 4096);
}

// Reads the sections [data_network], [control_network] and [io]: the networks between clusters, and their I/O nodes. They
// are optional, because most machines have no such networks. Both networks have the same nodes.
void take_cluster_networks(Section data, Section control, Section io, Machine &m) {
    data.number("rows", m.data_network.rows, 1, 64);
    data.number("columns", m.data_network.columns, 1, 64);
    take_packets(data, m.data_network);
    data.end();
    take_packets(control, m.control_network);
    control.end();
    io.number("nodes", m.data_network.io_nodes, 0, dnoc::most_io_nodes);
    io.number_or_none("dma_units", m.data_network.io_units, 1, 64);
    io.number_or_none("memory_bytes_per_cycle", m.ddr.bytes_per_cycle, 1, 4096);
    io.number_or_none("memory_latency_cycles", m.ddr.latency, 0, longest_time);
    io.number_or_none("pcie_message_cycles", m.pcie_message_cycles, 0, longest_time);
    io.end();
    m.control_network.rows = m.data_network.rows;
    m.control_network.columns = m.data_network.columns;
    m.control_network.io_nodes = m.data_network.io_nodes;
    m.control_network.io_units = m.data_network.io_units;
}

// Reads the section [node_dma], the DMA units of the networks' nodes.
void take_node_dma(Section section, MppaDmaConfiguration &d) {
    section.number_or_none("start_cycles", d.start, 1, longest_time);
    section.number_or_none("read_cycles", d.read, 1, longest_time);
    section.number_or_none("send_cycles", d.send, 1, longest_time);
    section.number_or_none("receive_cycles", d.receive, 1, longest_time);
    section.number_or_none("jobs", d.jobs, 1, mppa::most_jobs);
    section.number_or_none("load_cycles", d.load, 0, 255);
    section.end();
}

} // namespace

void take_keys(Section &file, Machine &m) {
    file.text("name", m.name);
    take_chip(file.section("chip"), m);
    take_core(file.section("core", true), m);
    take_external(file, m);
    take_shared(file.section("shared_memory", true), m.shared);
    take_cluster(file.section("cluster", true), m.cluster);
    take_instruction_cache(file.section("instruction_cache", true), m.instruction_cache);
    take_mutexes(file.section("mutexes", true), m.mutexes);
    take_network(file.section("network"), m.network_part);
    take_link(file.section("link"), m.link);
    take_host(file.section("host"), m.host);
    take_dma(file.section("dma"), m.dma);
    take_events(file.section("events", true), m.events);
    take_copies(file.section("rdma", true), m.copies);
    take_cluster_networks(file.section("data_network", true), file.section("control_network", true),
                          file.section("io", true), m);
    take_node_dma(file.section("node_dma", true), m.node_dma);
    file.end();
}

} // namespace skerry::sim
