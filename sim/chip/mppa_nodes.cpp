// SPDX-License-Identifier: BSD-3-Clause
#include "chip/mppa_nodes.hpp"

#include <bit>

#include <fmt/format.h>

#include "dnoc/deadlock.hpp"

namespace skerry::sim {
namespace {

// The numbers by which the two masters of a DMA unit claim banks of a shared memory. The cores use their addresses, which
// are larger.
constexpr std::uint32_t reader_of(std::uint32_t unit) {
    return 2 * unit;
}
constexpr std::uint32_t writer_of(std::uint32_t unit) {
    return 2 * unit + 1;
}

std::string direction_name(dnoc::Direction d) {
    constexpr std::array<const char *, dnoc::directions> names = {"in", "north", "east", "south", "west", "I/O"};
    return names[static_cast<unsigned>(d)];
}

} // namespace

MppaNodes::MppaNodes(AddressMap &map, Scheduler &scheduler, const Observers &observers)
    : map_(map), scheduler_(scheduler), observers_(observers) {
    const Machine &m = map.machine();
    if (m.data_network.rows == 0) return;
    data_ = std::make_unique<dnoc::PacketNetwork>(m.data_network);
    control_ = std::make_unique<dnoc::PacketNetwork>(m.control_network);
    data_->on_change([this] { note(data_->next_at()); });
    control_->on_change([this] { note(control_->next_at()); });
    data_->on_use([this](const dnoc::PacketNetwork::Use &use) { observe(NodeNetwork::data, use); });
    control_->on_use([this](const dnoc::PacketNetwork::Use &use) { observe(NodeNetwork::control, use); });
    const std::uint32_t compute = m.data_network.clusters();
    for (std::uint32_t cluster = 0; cluster < m.clusters(); cluster++) {
        const auto first = static_cast<std::uint32_t>(units_.size());
        const std::uint32_t count = cluster < compute ? 1 : m.data_network.io_units;
        for (std::uint32_t k = 0; k < count; k++) {
            units_.push_back(std::make_unique<Unit>(*this, first + k, cluster));
            data_->attach(first + k, *units_.back());
            control_->attach(first + k, units_.back()->words);
        }
        registers_.push_back(std::make_unique<Registers>(*this, first, count));
    }
}

void MppaNodes::add(Core &core) {
    if (data_ != nullptr)
        core.attach_devices(*registers_[map_.machine().cluster_of(map_.place_for_core(core.id() << 20))]);
}

// -- registers --------------------------------------------------------------------------------------------------------

unsigned MppaNodes::Registers::load_cycles() const {
    return all_.map_.machine().node_dma.load;
}

// Returns the number of a core in its cluster.
std::uint32_t MppaNodes::Registers::number_of(const Core &core) const {
    return all_.map_.place_for_core(core.id() << 20) % all_.map_.machine().cluster.cores;
}

Access MppaNodes::Registers::load(const Core &core, std::uint32_t address, unsigned size, std::uint64_t &value,
                                  std::uint64_t now) {
    Unit &unit = unit_at(address);
    const std::uint32_t offset = (address - mppa::registers_base) % mppa::registers_bytes;
    if (offset - mppa::mailboxes_base < mppa::mailboxes * mppa::mailbox_bytes) {
        return unit.control.load_mailbox(offset - mppa::mailboxes_base, size, value, now);
    }
    if (offset - mppa::control_send_base < cnoc::senders * cnoc::sender_bytes) {
        return unit.control.load_sender(number_of(core), offset - mppa::control_send_base, size, value, now);
    }
    return unit.dma.load(number_of(core), offset, size, value, now);
}

Access MppaNodes::Registers::store(const Core &core, std::uint32_t address, unsigned size, std::uint64_t value,
                                   std::uint64_t now) {
    Unit &unit = unit_at(address);
    const std::uint32_t offset = (address - mppa::registers_base) % mppa::registers_bytes;
    if (offset - mppa::mailboxes_base < mppa::mailboxes * mppa::mailbox_bytes) {
        return unit.control.store_mailbox(offset - mppa::mailboxes_base, size, value, now);
    }
    if (offset - mppa::control_send_base < cnoc::senders * cnoc::sender_bytes) {
        return unit.control.store_sender(number_of(core), offset - mppa::control_send_base, size, value, now);
    }
    return unit.dma.store(number_of(core), offset, size, value, now);
}

// -- a unit's use of its node -----------------------------------------------------------------------------------------

MppaNodes::Unit::Unit(MppaNodes &all, std::uint32_t number, std::uint32_t cluster)
    : all_(all), number_(number), cluster_(cluster), shared_(all.map_.shared(cluster)),
      ddr_(cluster < all.map_.machine().data_network.clusters()
               ? nullptr
               : &all.map_.ddr(cluster - all.map_.machine().data_network.clusters())),
      dma({number, all.map_.machine().data_network.nodes(), all.map_.machine().data_network.clusters(),
           all.map_.machine().cluster.cores},
          all.map_.machine().node_dma, *this, *this),
      words(*this), control(number, all.map_.machine().cluster.cores, *this, words) {
}

Place MppaNodes::Unit::place(std::uint32_t address, std::uint32_t bytes) const {
    if (shared_.has(address, bytes)) return {&shared_.memory, shared_.offset_of(address)};
    if (ddr_ != nullptr && ddr_->has(address, bytes)) return {&ddr_->memory, ddr_->offset_of(address)};
    return {};
}

bool MppaNodes::Unit::can_read(std::uint32_t address, std::uint32_t bytes) const {
    return place(address, bytes).memory != nullptr;
}

bool MppaNodes::Unit::can_write(std::uint32_t address, std::uint32_t bytes) const {
    const Place to = place(address, bytes);
    return to.memory != nullptr && !to.memory->is_protected(to.offset, bytes);
}

bool MppaNodes::Unit::read(std::uint32_t address, std::span<std::uint8_t> to, std::uint64_t now) {
    const auto bytes = static_cast<std::uint32_t>(to.size());
    const Place from = place(address, bytes);
    const bool is_free = from.memory == &shared_.memory ? shared_.claim(address, now, reader_of(number_))
                                                        : ddr_reader_.read(*ddr_, address, bytes, now);
    if (!is_free) return false;
    from.memory->read_bytes(from.offset, to);
    if (from.memory != &shared_.memory) {
        ddr_->counters.read += bytes;
        all_.observers_.ddr(now, cluster_ - all_.map_.machine().data_network.clusters(), PacketWay::sent, bytes);
    }
    return true;
}

bool MppaNodes::Unit::write(std::uint32_t address, std::span<const std::uint8_t> from, std::uint64_t now) {
    const auto bytes = static_cast<std::uint32_t>(from.size());
    const Place to = place(address, bytes);
    const bool is_free =
        to.memory == &shared_.memory ? shared_.claim(address, now, writer_of(number_)) : ddr_->take(bytes, now);
    if (!is_free) return false;
    to.memory->write_bytes(to.offset, from);
    all_.observers_.written(cluster_, address, bytes);
    if (to.memory != &shared_.memory) {
        ddr_->counters.written += bytes;
        all_.observers_.ddr(now, cluster_ - all_.map_.machine().data_network.clusters(), PacketWay::received, bytes);
    }
    return true;
}

void MppaNodes::Unit::notify(std::uint32_t cores, std::uint64_t now) {
    const std::uint32_t first = cluster_ * all_.map_.machine().cluster.cores;
    for (; cores != 0; cores &= cores - 1) {
        const std::uint32_t index = first + static_cast<std::uint32_t>(std::countr_zero(cores));
        if (index >= first + all_.map_.machine().cluster.cores) return;
        all_.map_.core(index).signal(CoreEvent::message, now);
        all_.scheduler_.changed(index);
    }
}

void MppaNodes::Unit::fault(const MppaFault &fault, std::uint64_t) {
    all_.fail(text_of(fault));
}

void MppaNodes::Unit::fault(const ControlFault &fault, std::uint64_t) {
    all_.fail(text_of(fault));
}

void MppaNodes::Unit::changed(std::uint64_t) {
    if (!active) all_.active_.push_back(number_);
    active = true;
    all_.note(dma.ready_at());
}

bool MppaNodes::Unit::offer(std::uint64_t cycle, unsigned node, const dnoc::Packet &packet) {
    if (!all_.data_->offer(cycle, node, packet)) return false;
    observe(NodeNetwork::data, PacketWay::sent, cycle, packet);
    return true;
}

bool MppaNodes::Unit::accept(std::uint64_t cycle, const dnoc::Packet &packet) {
    if (!dma.accept(cycle, packet)) return false;
    observe(NodeNetwork::data, PacketWay::received, cycle, packet);
    return true;
}

bool MppaNodes::Unit::Words::offer(std::uint64_t cycle, unsigned node, const dnoc::Packet &packet) {
    if (!unit_.all_.control_->offer(cycle, node, packet)) return false;
    unit_.observe(NodeNetwork::control, PacketWay::sent, cycle, packet);
    return true;
}

bool MppaNodes::Unit::Words::accept(std::uint64_t cycle, const dnoc::Packet &packet) {
    if (!unit_.control.accept(cycle, packet)) return false;
    unit_.observe(NodeNetwork::control, PacketWay::received, cycle, packet);
    return true;
}

void MppaNodes::Unit::observe(NodeNetwork network, PacketWay way, std::uint64_t cycle,
                              const dnoc::Packet &packet) const {
    if (all_.observers_.empty()) return;
    const std::uint32_t to = way == PacketWay::received
                                 ? number_
                                 : all_.network(network).torus().destination(number_, packet.route).value_or(number_);
    all_.observers_.packet(cycle, {.network = network,
                                   .way = way,
                                   .from = way == PacketWay::sent ? number_ : packet.source,
                                   .to = to,
                                   .core = all_.core_of(number_),
                                   .sender = packet.sender,
                                   .job = packet.job,
                                   .tag = packet.tag,
                                   .flits = packet.flits(),
                                   .bytes = packet.bytes});
}

// Links from a unit into its router have as many packets as the unit sends, so they are left out.
void MppaNodes::observe(NodeNetwork network, const dnoc::PacketNetwork::Use &use) const {
    if (use.entry || observers_.empty()) return;
    observers_.link({network, use.node, use.output, use.first, use.last, use.flits});
}

void MppaNodes::fail(const std::string &text) {
    if (failure_.empty()) failure_ = text.substr(0, text.find_last_not_of('\n') + 1);
}

// -- the run of the units and networks --------------------------------------------------------------------------------

// The units run before the networks, so that a packet that a unit sends in this cycle is in the network when it advances.
// Among the units any order gives the same result: each has memory ports and an entry into the networks of its own, except
// the units of one I/O node, which share their memories in the order of their numbers.
void MppaNodes::step(std::uint64_t cycle) {
    steps_++;
    next_at_ = never;
    // Units become active while others run (by packets that arrive), so the list is complete only behind the networks.
    std::ranges::sort(active_);
    for (std::size_t k = 0; k < active_.size(); k++) {
        MppaDma &dma = units_[active_[k]]->dma;
        if (dma.ready_at() <= cycle) dma.run(cycle);
    }
    if (data_->next_at() <= cycle) data_->step(cycle);
    if (control_->next_at() <= cycle) control_->step(cycle);
    next_at_ = std::min(data_->next_at(), control_->next_at());
    std::erase_if(active_, [&](std::uint32_t number) {
        Unit &unit = *units_[number];
        next_at_ = std::min(next_at_, std::max(unit.dma.ready_at(), cycle + 1));
        unit.active = unit.dma.ready_at() != never;
        return !unit.active;
    });
    if (data_->is_stuck()) fail(dnoc::describe_deadlock(*data_, "data network"));
    if (control_->is_stuck()) fail(dnoc::describe_deadlock(*control_, "control network"));
}

void MppaNodes::find_deadlock() {
    if (data_ == nullptr) return;
    for (const auto &[network, name] : {std::pair{data_.get(), "data network"}, {control_.get(), "control network"}}) {
        if (const std::string text = dnoc::describe_deadlock(*network, name); !text.empty()) fail(text);
    }
}

bool MppaNodes::busy() const {
    if (data_ == nullptr) return false;
    const auto moves = [](const dnoc::PacketNetwork &network) { return !network.idle() && !network.is_stuck(); };
    return moves(*data_) || moves(*control_) ||
           std::ranges::any_of(units_, [](const auto &unit) { return unit->dma.busy(); });
}

MppaNodes::Traffic MppaNodes::traffic(std::uint32_t node, PacketWay way) const {
    const MppaDma::Counters c = units_[node]->dma.counters();
    if (way == PacketWay::sent) return {c.packets_sent, c.bytes_sent, data_->injection_counters(node).flits};
    return {c.packets_received, c.bytes_received, data_->counters(node, dnoc::Direction::local).flits};
}

std::uint32_t MppaNodes::core_of(std::uint32_t node) const {
    const Machine &m = map_.machine();
    const std::uint32_t compute = m.data_network.clusters();
    if (node < compute) return (node + 1) * m.cluster.cores - 1;
    const std::uint32_t unit = node - compute;
    return (compute + unit / m.data_network.io_units) * m.cluster.cores + unit % m.data_network.io_units;
}

std::optional<std::uint32_t> MppaNodes::io_node_of(std::uint32_t node) const {
    const dnoc::NetworkConfiguration &c = map_.machine().data_network;
    if (node < c.clusters()) return {};
    return (node - c.clusters()) / c.io_units;
}

std::string MppaNodes::name_of(std::uint32_t node) const {
    const dnoc::NetworkConfiguration &c = map_.machine().data_network;
    const auto io_node = io_node_of(node);
    return io_node ? fmt::format("I/O node {}, unit {}", *io_node, (node - c.clusters()) % c.io_units)
                   : fmt::format("cluster {}", node);
}

std::string MppaNodes::statistics(std::uint64_t cycles) const {
    if (data_ == nullptr) return {};
    std::string text;
    for (std::uint32_t k = 0; k < units_.size(); k++) {
        const MppaDma::Counters dma = units_[k]->dma.counters();
        const ControlUnit::Counters &control = units_[k]->control.counters();
        if (dma.packets_sent + dma.packets_received + control.sent + control.received == 0) continue;
        text += fmt::format(
            "node {}: sent {} packets of {} bytes, received {} of {}; {} jobs of micro-cores; control words: "
            "sent {}, received {}, {} events\n",
            k, dma.packets_sent, dma.bytes_sent, dma.packets_received, dma.bytes_received, dma.jobs, control.sent,
            control.received, control.events);
    }
    for (std::uint32_t k = 0; k < units_.size(); k++) {
        for (unsigned d = 1; d < dnoc::directions; d++) {
            const auto output = static_cast<dnoc::Direction>(d);
            const dnoc::PacketCounters &c = data_->counters(k, output);
            if (c.packets == 0) continue;
            text += fmt::format(
                "link {} -> {} ({}): {} packets, {:.1f} % of the cycles; headers waited {} cycles\n", k,
                *data_->torus().neighbour(k, output), direction_name(output), c.packets,
                100 * static_cast<double>(c.flits) / static_cast<double>(std::max<std::uint64_t>(cycles, 1)), c.waited);
        }
    }
    return text;
}

} // namespace skerry::sim
