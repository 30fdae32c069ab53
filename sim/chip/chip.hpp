// SPDX-License-Identifier: BSD-3-Clause
// The whole chip in one loop: from cycle to cycle, only the cores that are ready are moved on, always in the same
// order, so the same program takes the same cycles everywhere. As long as one core alone is ready it runs on by itself.
// The network and what lies behind its edge move on after the cores of a cycle, and only while anything is under way.
// chip.cpp has the loop and the wires, traffic.cpp what goes over the network.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chip/machine.hpp"
#include "chip/observer.hpp"
#include "chip/poll_watch.hpp"
#include "chip/write_order.hpp"
#include "core/core.hpp"
#include "dma/dma.hpp"
#include "host/elf_image.hpp"
#include "host/semihost.hpp"
#include "link/link.hpp"
#include "noc/network.hpp"

namespace skerry::sim {

constexpr std::uint32_t vectors_end = 4 * interrupt_count;

// Who gets replies that are not the core's own.
class ReplyPort {
  public:
    virtual ~ReplyPort() = default;
    // False: not in this cycle. It must be possible soon, whatever its owner wants to send.
    virtual bool reply(std::uint64_t cycle, const Transaction &reply) = 0;
};

// Who offers to a node's way into the network.
enum class Sender : std::uint8_t { core, dma, reply };
// Tags of transactions tell whose they are, and a reply has its request's: the core's own, and from here on its DMA's.
constexpr std::uint16_t core_tag = 0;
constexpr std::uint16_t first_dma_tag = 1;

enum class EndKind : std::uint8_t { exited, stopped, deadlock, polling, max_cycles, interrupted, observer };

struct Ending {
    EndKind kind = EndKind::exited;
    int status = 0;         // the first that is not zero, by core
    std::uint32_t core = 0; // that stopped, or was to be stopped
};

class Chip final : public CorePort, private FarMemory {
  public:
    explicit Chip(const Machine &machine, std::vector<std::string> arguments = {},
                  std::vector<std::string> environment = {});

    // The PE that ended a job by its exit code, if one did.
    std::optional<std::uint32_t> failed_pe() const;

    // The cores of a job, in the order of its PEs: of these the first. All that are there, row by row, unless said otherwise.
    void place(std::vector<std::uint32_t> members) {
        members_ = std::move(members);
    }
    const std::vector<std::uint32_t> &members() const {
        return members_;
    }
    // Loads an image: addresses below 1 MB into each of the first `cores` members, and tells it of its job
    // (host/job.hpp). Its code is protected from being written, unless that is allowed, and where it defines
    // __stack_limit the stack pointer must not go below. Empty, or what does not fit.
    std::string load(const ElfImage &image, std::uint32_t cores, bool may_write_code = false);
    void start(std::uint32_t cores, std::uint32_t entry);
    // `interrupted` may become true at any time.
    Ending run(std::uint64_t max_cycles = never, const std::atomic<bool> *interrupted = nullptr);

    // Lines of output begin with the core's row and column, or with the PE's number.
    void label_output(bool by_pe = false);
    // Called now and then while it runs, and before anything is printed.
    void on_progress(std::function<void()> show, std::function<void()> wipe);
    std::uint64_t instructions() const;
    // It stays until the end, and must live as long.
    void add_observer(Observer &observer) {
        observers_.push_back(&observer);
    }

    // A debugger has changed registers or memory: cores open and remove no files from now on, unless that is allowed.
    void changed_by_debugger() {
        if (!debugger_may_use_files_) semihost_.refuse_names();
    }
    void allow_files_to_debugger() {
        debugger_may_use_files_ = true;
    }

    // Prints what cores have begun to print.
    void flush() {
        semihost_.flush();
    }

    const Machine &machine() const {
        return machine_;
    }
    std::uint64_t now() const {
        return now_;
    }
    std::uint32_t core_count() const {
        return static_cast<std::uint32_t>(cores_.size());
    }
    const Core &core(std::uint32_t index) const {
        return *cores_[index];
    }
    Core &core(std::uint32_t index) {
        return *cores_[index];
    }
    const Dma &dma(std::uint32_t index) const {
        return engines_[index]->dma;
    }
    bool read(const Core &by, std::uint32_t address, std::span<std::uint8_t> to);
    bool write(const Core &by, std::uint32_t address, std::span<const std::uint8_t> from);
    // Memory that a core may not write.
    bool is_protected(const Core &by, std::uint32_t address, std::uint32_t bytes);

    // Into the network at a node, with address, data, kind, size and tag. False: no room, or another sender's turn; try
    // again in the next cycle. Whoever was refused goes first then.
    bool inject(std::uint64_t cycle, std::uint32_t node, Mesh mesh, Transaction transaction, Sender sender);
    void attach_replies(std::uint32_t node, ReplyPort &port) {
        reply_ports_[node] = &port;
    }
    // The mesh on which a write or a request goes to an address.
    Mesh mesh_for(Transaction::Kind kind, std::uint32_t address) const;
    template <class Function> void for_each_memory(Function &&f) {
        for (const auto &core : cores_) f(core->memory);
        for (const External &e : external_) f(*e.memory);
    }
    // No store is on its way, and nothing but cores will store anything.
    bool settled() const;
    const PollWatch &poll_watch() const {
        return poll_watch_;
    }
    // Whether cores that poll for ever end a run: not where somebody outside may change memory.
    void find_polling(bool on) {
        find_polling_ = on;
    }
    const Network &network() const {
        return network_;
    }
    const Link &link() const {
        return link_;
    }

    // ---- what cores ask ----
    Acceptance offer(Core &core, const RemoteAccess &access, std::uint64_t now) override;
    Place locate(std::uint32_t address) override;
    std::uint64_t trap(Core &core, unsigned number) override;
    void wand(Core &core) override;
    void sync(Core &core) override;
    void multicore_breakpoint(Core &core) override;
    Access read_device(Core &core, SpecialRegister which, std::uint32_t &value) override;
    Access write_device(Core &core, SpecialRegister which, std::uint32_t value) override;
    void pause_dma(Core &core, bool paused) override;
    void stopped(Core &core) override;

  private:
    struct External {
        std::uint32_t base;
        std::unique_ptr<Memory> memory;
    };
    // What the network hands to a core and its memory.
    class Node final : public Sink {
      public:
        Node(Chip &chip, std::uint32_t index) : chip_(chip), index_(index) {
        }
        bool accept(std::uint64_t cycle, const Transaction &transaction) override {
            return chip_.arrive(index_, cycle, transaction);
        }

      private:
        Chip &chip_;
        std::uint32_t index_;
    };
    // What leaves the chip.
    class Exit final : public Sink {
      public:
        explicit Exit(Chip &chip) : chip_(chip) {
        }
        bool accept(std::uint64_t cycle, const Transaction &transaction) override {
            return chip_.leave(cycle, transaction);
        }

      private:
        Chip &chip_;
    };
    // A core's DMA, and what it reaches.
    class Engine final : public DmaPort, public ReplyPort {
      public:
        Engine(Chip &chip, std::uint32_t index)
            : dma(chip.machine_.core_id(index), *this, chip.machine_.dma), chip_(chip), index_(index) {
        }
        Access read_own(std::uint32_t offset, unsigned size, std::uint64_t &value, std::uint64_t now) override;
        Access write_own(std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t now) override;
        Acceptance send_write(std::uint32_t address, unsigned size, std::uint64_t value, std::uint64_t now) override;
        Acceptance send_read(std::uint32_t address, unsigned size, std::uint16_t tag, std::uint64_t now) override;
        bool is_core(std::uint32_t address) const override;
        void interrupt(Interrupt which, std::uint64_t now) override;
        void dma_stopped(unsigned channel) override;
        bool reply(std::uint64_t cycle, const Transaction &reply) override;

        Dma dma;
        bool moving = false; // stands in Chip::moving_

      private:
        Acceptance send(const Transaction &transaction, RemoteKind kind, std::uint64_t now);

        Chip &chip_;
        std::uint32_t index_;
    };
    struct Turn {
        std::uint64_t cycle = never;
        Sender sender = Sender::core;
    };

    std::uint32_t place_for_core(std::uint32_t address) const;
    std::uint32_t index_of(std::uint32_t address) const;
    std::uint32_t index_of(const Core &core) const;
    Place place_of(const Core &by, std::uint32_t address, std::size_t bytes);
    void changed(std::uint32_t index);
    std::string misfit(const ElfImage &image, std::uint32_t cores) const;
    void protect(const ElfImage &image, std::uint32_t cores);

    // chip.cpp
    std::uint32_t look(std::uint64_t cycle);
    std::uint32_t step_observed(std::uint64_t cycle, std::uint64_t limit);
    void step_cores(std::uint64_t cycle, std::uint64_t limit);
    void step_outside(std::uint64_t cycle);
    std::uint64_t outside_at() const {
        return std::min(network_at_, link_.next_at());
    }
    void find_ready();
    void deliver_wand();
    void serve_trap(std::uint32_t index, std::uint64_t cycle);
    std::optional<Ending> over() const;
    std::string tell_job(const ElfImage &image, std::uint32_t cores);

    // engine.cpp
    void step_dma(std::uint64_t cycle);
    void dma_changed(std::uint32_t index);

    // traffic.cpp
    bool reachable(const RemoteAccess &access) const;
    std::uint16_t multicast_group(const Core &by, const RemoteAccess &access) const;
    std::uint32_t order_place(std::uint32_t address) const;
    // Whether a request may be answered: the writes that it must not pass have arrived at its place.
    bool may_read(const Transaction &request, unsigned place) const;
    bool may_inject(std::uint64_t cycle, std::uint32_t node, Mesh mesh, Sender sender);
    bool arrive(std::uint32_t node, std::uint64_t cycle, const Transaction &transaction);
    bool takes(std::uint32_t node, std::uint32_t offset, unsigned size) const;
    bool arrive_write(std::uint32_t node, std::uint64_t cycle, const Transaction &transaction);
    bool arrive_request(std::uint32_t node, std::uint64_t cycle, const Transaction &transaction);
    bool leave(std::uint64_t cycle, const Transaction &transaction);
    std::uint64_t access(std::uint64_t cycle, const Transaction &transaction) override;
    void landed(std::uint64_t cycle, const Transaction &write);
    void give_room(std::uint64_t cycle);

    Machine machine_;
    std::vector<std::unique_ptr<Core>> cores_; // one for each place, also where none is present
    std::vector<std::uint32_t> present_;       // in order
    std::vector<std::uint32_t> members_;
    std::vector<std::uint64_t> ready_; // of each core, side by side
    std::uint64_t first_ready_ = never;
    std::uint64_t second_ready_ = never; // the same, of all cores but first_
    std::uint32_t first_ = 0;
    std::vector<External> external_;
    std::vector<std::array<std::uint32_t, 192>> devices_; // registers 64 to 255 of each core
    std::vector<std::string> arguments_;
    std::vector<std::string> environment_;
    std::vector<Observer *> observers_;
    Semihost semihost_;
    bool debugger_may_use_files_ = false;
    std::uint64_t now_ = 0;
    std::uint64_t look_up_ = 0;     // when run() sees whether it was interrupted
    std::uint64_t wand_at_ = never; // when all cores get the WAND interrupt
    std::uint32_t running_ = none;  // the core whose instruction is being executed
    std::uint32_t started_ = 0;
    std::uint32_t exited_ = 0;
    std::uint32_t broken_ = none; // a core that stopped for another reason
    std::vector<int> statuses_;
    bool is_job_ = false;         // of the image: one PE's failure ends it for all
    std::uint32_t failed_ = none; // the core whose exit code was not 0
    PollWatch poll_watch_{*this};
    bool find_polling_ = true;
    std::function<void()> show_progress_;

    std::vector<std::unique_ptr<Engine>> engines_;
    std::vector<std::uint32_t> moving_; // engines that will do something by themselves
    std::uint64_t dma_at_ = never;      // the first of them

    Exit exit_;
    std::vector<Node> nodes_;
    std::vector<ReplyPort *> reply_ports_;
    Network network_;
    Link link_;
    std::uint64_t network_at_ = never; // its next cycle
    WriteOrder order_;
    std::vector<std::array<Turn, mesh_count>> turns_; // by node: whose the way into each mesh is in which cycle
    std::vector<std::pair<std::uint32_t, Mesh>> want_room_;
    std::vector<std::uint32_t> posted_;              // by core: its stores that have not arrived
    std::vector<std::optional<unsigned>> late_trap_; // by core: a trap that waits for these

    static constexpr std::uint32_t none = 0xffffffff;
};

// One paragraph on why a run ended, with core, place and registers; for a deadlock, what each core waits for.
std::string describe(Chip &chip, const Ending &ending, const ElfImage &image);
// Where a core is, and its registers.
std::string describe_core(Chip &chip, const Core &core, const ElfImage &image);
std::string statistics(Chip &chip);

} // namespace skerry::sim
