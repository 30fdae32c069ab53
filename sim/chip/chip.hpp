// SPDX-License-Identifier: BSD-3-Clause
// Simulates the whole chip in one loop over cycles. In each cycle the loop advances only the ready cores, always in the
// same order, so the same program takes the same number of cycles on every host. While only one core is ready, that
// core runs on without returning to the loop. In each cycle the network and the off-chip link advance after the cores,
// and only while they hold transactions. chip.cpp has the loop and the signals WAND and SYNC; traffic.cpp has the
// accesses over the network.
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

// A receiver of the replies to requests that a node's DMA has sent. (Replies to the requests of the node's core go to
// Core::complete.)
class ReplyPort {
  public:
    virtual ~ReplyPort() = default;
    // Accepts a reply. Returns false if the receiver is busy in this cycle; the network then offers the reply again.
    // The receiver must accept the reply within a bounded time. It must not refuse the reply because it waits to send
    // something itself: otherwise the meshes could deadlock.
    virtual bool reply(std::uint64_t cycle, const Transaction &reply) = 0;
};

// The three senders that share a node's entry into the network.
enum class Sender : std::uint8_t { core, dma, reply };
// The tag of a transaction names its sender: core_tag for the core, first_dma_tag and above for its DMA. A reply has
// the tag of its request.
constexpr std::uint16_t core_tag = 0;
constexpr std::uint16_t first_dma_tag = 1;

enum class EndKind : std::uint8_t { exited, stopped, deadlock, polling, max_cycles, interrupted, observer };

struct Ending {
    EndKind kind = EndKind::exited;
    int status = 0;         // exit code of the run, as Chip::over() determines it
    std::uint32_t core = 0; // index of the core that stopped or failed, or at which an observer ended the run
};

class Chip final : public CorePort, private FarMemory {
  public:
    explicit Chip(const Machine &machine, std::vector<std::string> arguments = {},
                  std::vector<std::string> environment = {});

    // Returns the PE whose exit code, other than 0, ended the job, or nothing if no PE failed.
    std::optional<std::uint32_t> failed_pe() const;

    // Sets the cores that a job can use: their indices, in the order of the job's PEs. A job of n PEs uses the first n
    // of these cores. The default is all cores that are present, row by row.
    void place(std::vector<std::uint32_t> members) {
        members_ = std::move(members);
    }
    const std::vector<std::uint32_t> &members() const {
        return members_;
    }
    // Loads an image. A segment at an address below 1 MB is copied into the memory of each of the first `cores` cores
    // of members(); any other segment is copied to one place. Writes the description of the job (host/job.hpp) into the
    // memory of each of these cores. Write-protects the image's code unless `may_write_code`. If the image defines
    // __stack_limit, a core stops when its stack pointer goes below that address. Returns an empty string, or the
    // reason why the image does not fit this machine.
    std::string load(const ElfImage &image, std::uint32_t cores, bool may_write_code = false);
    void start(std::uint32_t cores, std::uint32_t entry);
    // Runs the chip until the program ends, deadlocks or is stopped, or until cycle `max_cycles`. Ends the run soon
    // after `*interrupted` becomes true; a signal handler or another thread can set it at any time.
    Ending run(std::uint64_t max_cycles = never, const std::atomic<bool> *interrupted = nullptr);

    // Begins each line of the program's output with the core's row and column, or with the PE's number if `by_pe`.
    void label_output(bool by_pe = false);
    // Sets two functions: the run calls `show` about every million cycles to print a progress line, and calls `wipe`
    // before it prints output of the program.
    void on_progress(std::function<void()> show, std::function<void()> wipe);
    std::uint64_t instructions() const;
    // Adds an observer for all further runs. The observer must live as long as the chip runs.
    void add_observer(Observer &observer) {
        observers_.push_back(&observer);
    }

    // Records that a debugger has changed registers or memory. From now on the program cannot open or remove files of
    // the host, unless allow_files_to_debugger() was called before.
    void changed_by_debugger() {
        if (!debugger_may_use_files_) semihost_.refuse_names();
    }
    void allow_files_to_debugger() {
        debugger_may_use_files_ = true;
    }

    // Prints the lines of output that cores have begun and not yet ended.
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
    // Returns true if at least one byte of a range is write-protected. `address` is the address that core `by` uses.
    bool is_protected(const Core &by, std::uint32_t address, std::uint32_t bytes);
    // Returns true if a store of core `by` is a multicast and a core that receives it has write-protected at least one
    // of the bytes.
    bool is_protected_multicast(const Core &by, std::uint32_t address, std::uint8_t bytes) const;

    // Sends a transaction into the network at a node. The caller sets address, data, kind, size and tag. Returns false
    // if the buffer is full or if this cycle is reserved for another sender of the node: the caller must then try again
    // in the next cycle. If the buffer was full, the next cycle is reserved for the refused sender, unless it is
    // already reserved.
    bool inject(std::uint64_t cycle, std::uint32_t node, Mesh mesh, Transaction transaction, Sender sender);
    void attach_replies(std::uint32_t node, ReplyPort &port) {
        reply_ports_[node] = &port;
    }
    // Returns the mesh that carries a write or a request to this address.
    Mesh mesh_for(Transaction::Kind kind, std::uint32_t address) const;
    template <class Function> void for_each_memory(Function &&f) {
        for (const auto &core : cores_) f(core->memory);
        for (const External &e : external_) f(*e.memory);
    }
    // Returns true if no write is on its way, no DMA channel is busy and no WAND signal is due. In this state, memory
    // changes only if a core executes another instruction that writes.
    bool settled() const;
    const PollWatch &poll_watch() const {
        return poll_watch_;
    }
    // If `on`, a run ends when all cores poll for ever. The check must be off if something outside the chip, such as a
    // debugger, can change memory.
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
    // The receiver of all transactions that arrive at one core's node.
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
    // The receiver of transactions that leave the chip, and of transactions to absent cores.
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
    // The DMA of one core, with its access to the core's memory and to the network.
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
        bool moving = false; // true while Chip::moving_ has this engine's index

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
    bool group_protects(std::uint16_t group, std::uint32_t address, std::uint8_t bytes) const;
    void late_protection(const Transaction &multicast);
    std::uint32_t order_place(std::uint32_t address) const;
    // Returns true if a request can be answered now: all writes that the request must not overtake have arrived at the
    // request's destination.
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
    std::vector<std::unique_ptr<Core>> cores_; // one object for each place, even if its core is absent
    std::vector<std::uint32_t> present_;       // indices of the cores that are present, ascending
    std::vector<std::uint32_t> members_;
    std::vector<std::uint64_t> ready_; // copies of each core's ready_at, contiguous for find_ready()
    std::uint64_t first_ready_ = never;
    std::uint64_t second_ready_ = never; // minimum of ready_ over all cores except core first_
    std::uint32_t first_ = 0;
    std::vector<External> external_;
    std::vector<std::array<std::uint32_t, 192>> devices_; // by core: special registers 64 to 255, without DMA
    std::vector<std::string> arguments_;
    std::vector<std::string> environment_;
    std::vector<Observer *> observers_;
    Semihost semihost_;
    bool debugger_may_use_files_ = false;
    std::uint64_t now_ = 0;
    std::uint64_t look_up_ = 0;     // cycle in which run() checks next if the user has interrupted the run
    std::uint64_t wand_at_ = never; // cycle in which all cores receive the WAND interrupt
    std::uint32_t running_ = none;  // index of the core whose instruction is being executed
    std::uint32_t started_ = 0;
    std::uint32_t exited_ = 0;
    std::uint32_t broken_ = none; // index of a core that stopped without an exit
    std::vector<int> statuses_;
    bool is_job_ = false;         // true if the image is an OpenSHMEM job: the failure of one PE ends all PEs
    std::uint32_t failed_ = none; // index of the core whose exit code was not 0
    PollWatch poll_watch_{*this};
    bool find_polling_ = true;
    std::function<void()> show_progress_;

    std::vector<std::unique_ptr<Engine>> engines_;
    std::vector<std::uint32_t> moving_; // indices of the DMA engines that have a next cycle (ready_at)
    std::uint64_t dma_at_ = never;      // the earliest cycle in which an engine of moving_ acts

    Exit exit_;
    std::vector<Node> nodes_;
    std::vector<ReplyPort *> reply_ports_;
    Network network_;
    Link link_;
    std::uint64_t network_at_ = never; // next cycle in which the network advances
    WriteOrder order_;
    std::vector<std::array<Turn, mesh_count>> turns_; // by node and mesh: the cycle that is reserved for one sender
    std::vector<std::pair<std::uint32_t, Mesh>> want_room_;
    std::vector<std::uint32_t> posted_;              // by core: number of stores under way, without multicasts
    std::vector<std::optional<unsigned>> late_trap_; // by core: trap that waits until the core's stores have arrived

    static constexpr std::uint32_t none = 0xffffffff;
};

} // namespace skerry::sim
