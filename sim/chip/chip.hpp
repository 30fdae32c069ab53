// SPDX-License-Identifier: BSD-3-Clause
// The whole chip in one loop: from cycle to cycle, only the cores that are ready are moved on, always in the same
// order, so the same program takes the same cycles everywhere. As long as one core alone is ready it runs on by itself.
// Remote accesses are served here by the memories themselves, a fixed time after they were asked.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "chip/machine.hpp"
#include "core/core.hpp"
#include "host/elf_image.hpp"
#include "host/semihost.hpp"

namespace skerry::sim {

// How long a remote access takes where no network is simulated: a round trip of a read, in cycles. Taken from S2 at 600
// MHz: a core that reads 8 bytes a time from another gets 171 MB/s, from external memory 8.9 MB/s.
namespace flat_network {
constexpr std::uint64_t core_read = 28;
constexpr std::uint64_t external_read = 540;
} // namespace flat_network

enum class EndKind : std::uint8_t { exited, stopped, deadlock, max_cycles, interrupted };

struct Ending {
    EndKind kind = EndKind::exited;
    int status = 0;         // the first that is not zero, by core
    std::uint32_t core = 0; // that stopped
};

class Chip final : public CorePort {
  public:
    explicit Chip(const Machine &machine, std::vector<std::string> arguments = {});

    // Loads an image: addresses below 1 MB into each of the first `cores` cores. Empty, or what does not fit.
    std::string load(const ElfImage &image, std::uint32_t cores);
    void start(std::uint32_t cores, std::uint32_t entry);
    // `interrupted` may become true at any time.
    Ending run(std::uint64_t max_cycles = never, const std::atomic<bool> *interrupted = nullptr);

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
    Core &core(std::uint32_t index) {
        return *cores_[index];
    }
    bool read(const Core &by, std::uint32_t address, std::span<std::uint8_t> to);
    bool write(const Core &by, std::uint32_t address, std::span<const std::uint8_t> from);

    // ---- what cores ask ----
    Offer offer(Core &core, const RemoteAccess &access, std::uint64_t now) override;
    Place locate(std::uint32_t address) override;
    std::uint64_t trap(Core &core, unsigned number) override;
    void wand(Core &core) override;
    void sync(Core &core) override;
    void multicore_breakpoint(Core &core) override;
    Access read_device(Core &core, SpecialRegister which, std::uint32_t &value) override;
    Access write_device(Core &core, SpecialRegister which, std::uint32_t value) override;
    void stopped(Core &core) override;

  private:
    struct External {
        std::uint32_t base;
        std::unique_ptr<Memory> memory;
    };
    std::uint32_t index_of(std::uint32_t address) const;
    std::uint32_t index_of(const Core &core) const;
    Place place_of(const Core &by, std::uint32_t address, std::size_t bytes);
    Offer offer_registers(Core &by, Core &owner, const RemoteAccess &access, std::uint64_t now);
    void changed(std::uint32_t index);
    void step_all(std::uint64_t cycle);
    void deliver_wand();
    std::optional<Ending> over() const;

    Machine machine_;
    std::vector<std::unique_ptr<Core>> cores_;
    std::vector<std::uint64_t> ready_; // of each core, side by side
    std::vector<External> external_;
    std::vector<std::array<std::uint32_t, 192>> devices_; // registers 64 to 255 of each core
    Semihost semihost_;
    std::uint64_t now_ = 0;
    std::uint64_t wand_at_ = never; // when all cores get the WAND interrupt
    std::uint32_t running_ = none;  // the core whose instruction is being executed
    std::uint32_t started_ = 0;
    std::uint32_t exited_ = 0;
    std::uint32_t broken_ = none; // a core that stopped for another reason
    std::vector<int> statuses_;

    static constexpr std::uint32_t none = 0xffffffff;
};

// One paragraph on why a run ended, with core, place and registers; for a deadlock, what each core waits for.
std::string describe(Chip &chip, const Ending &ending, const ElfImage &image);
std::string statistics(Chip &chip);

} // namespace skerry::sim
