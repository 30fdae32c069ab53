// SPDX-License-Identifier: BSD-3-Clause
// Counts the cycles of a run for each function of each core, for each address, and for each interval of time. Also
// counts the accesses of each core to each other core.
//
// The chip calls before() before each cycle in which a core acts. before() adds the cycles since its previous call to
// the instruction at which the core was then. Therefore the cycles of a wait count for the instruction that waits.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "chip/chip.hpp"
#include "trace/functions.hpp"
#include "trace/timeline.hpp"

namespace skerry::sim {

struct FunctionCycles {
    Categories own{};
    std::uint64_t instructions = 0;
    std::uint64_t calls = 0;
    std::uint64_t with_callees = 0; // cycles from call to return, summed over all calls except recursive ones
};

// Index of the destination of a multicast, which goes to several cores. (Observer::external is the index for external
// memory.)
constexpr std::uint32_t everyone = 0xfffffffe;

struct Accesses {
    std::uint64_t reads = 0;
    std::uint64_t read_bytes = 0;
    std::uint64_t writes = 0;
    std::uint64_t write_bytes = 0;
    std::uint64_t testsets = 0;
};

// The call stack of a core. This class derives the stack from the link register and from the addresses that the core
// executes. The result can be wrong if a program does not follow the calling convention.
class CallStack {
  public:
    struct Frame {
        std::uint32_t function;
        std::uint64_t since;
    };
    // The result of change(). First the `ended` innermost frames have ended. Then a new function was entered if
    // `entered` is true.
    struct Change {
        bool entered;
        std::size_t ended;
    };
    Change change(const Functions &functions, std::uint32_t to, std::uint32_t pc, std::uint32_t link);
    std::vector<Frame> frames;

  private:
    static constexpr std::size_t deepest = 256;
};

class Profile final : public Observer {
  public:
    Profile(Chip &chip, const ElfImage &image);

    bool before(std::uint32_t index, Core &core, std::uint64_t cycle) override;
    void sent(std::uint64_t cycle, std::uint32_t to, const Transaction &transaction) override;
    void landed(std::uint64_t, std::uint32_t, const Transaction &) override {
    }
    void dma(std::uint64_t cycle, std::uint32_t index) override;
    void program_starts(std::uint32_t index, Core &core, std::uint64_t cycle, const StartedProgram &program) override;
    void packet(std::uint64_t cycle, const PacketEvent &event) override;
    // A function of this type is called for each frame that has ended. If several frames end at once, the innermost is
    // first.
    using Returned = std::function<void(std::uint32_t core, const CallStack::Frame &frame, std::uint64_t cycle)>;
    void on_return(Returned returned) {
        returned_ = std::move(returned);
    }
    // Counts the cycles after each core's last call of before(), and ends all frames (calls that have not returned).
    // Must be called exactly one time, after the run.
    void finish();

    const Functions &functions() const {
        return functions_;
    }
    const Timeline &timeline() const {
        return timeline_;
    }
    // The cycles of functions over time in which cores of a cluster were not idle, all cores of the cluster together. (A
    // machine without clusters has one cluster.)
    const CycleTimeline &functions_over_time() const {
        return functions_over_time_;
    }
    std::uint32_t function_of_cluster(std::uint32_t cluster, std::uint32_t function) const {
        return function * chip_.machine().clusters() + cluster;
    }
    // Returns the counts of one core, by function. The vector is empty if the core never ran.
    const std::vector<FunctionCycles> &of(std::uint32_t core) const {
        return cores_[core].functions;
    }
    using Matrix = std::map<std::pair<std::uint32_t, std::uint32_t>, Accesses>;
    Matrix traffic() const;
    // Returns the number of the program that a core has executed last (StartedProgram).
    std::uint32_t program_of(std::uint32_t core) const {
        return cores_[core].program;
    }
    // Returns the cycles of all cores together in a program, by address. For an address in a core's own memory, the key is the
    // offset in this memory (without_core). Therefore the result has one sum over all cores for each offset.
    std::map<std::uint32_t, std::uint64_t> addresses(std::uint32_t program = 0) const;

  private:
    static constexpr std::uint32_t page_size = 256; // bytes
    using Page = std::array<std::uint64_t, page_size / 2>;
    struct Watched {
        bool seen = false;
        std::uint32_t program = 0;
        std::uint32_t pc = 0; // in the form of without_core(); the cycles from `since` on count for this address
        std::uint64_t since = 0;
        Functions::Range range{1, 1, 0}; // at first only address 1, which no instruction has
        Categories flushed{};
        std::uint64_t flushed_instructions = 0;
        Categories drawn{}; // cycles that the timeline already contains
        std::uint64_t draw_at = 0;
        Categories noted{}; // cycles that functions_over_time_ already contains, until cycle noted_at
        std::uint64_t noted_at = 0;
        Page *page = nullptr;
        std::uint32_t page_base = 1;
        CallStack stack;
        std::vector<FunctionCycles> functions;
        std::unordered_map<std::uint32_t, Accesses> traffic;
        std::array<DmaCounters, dma_channels> dma;
    };
    void charge(Watched &w, std::uint64_t cycle);
    void flush(Watched &w, Core &core, std::uint64_t cycle);
    void draw(std::uint32_t index, Core &core, std::uint64_t cycle);
    void note(std::uint32_t index, Core &core, std::uint64_t cycle);
    void enter(std::uint32_t index, Core &core, std::uint32_t pc, std::uint64_t cycle);
    void end_frames(std::uint32_t index, std::size_t count, std::uint64_t cycle);

    Chip &chip_;
    Returned returned_;
    Functions functions_;
    Timeline timeline_;
    CycleTimeline functions_over_time_;
    std::vector<Watched> cores_;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_; // by program (upper half) and address
};

// Returns the offset of an address that is in the core's own memory. The offset is the same for all cores. Returns any
// other address unchanged.
inline std::uint32_t without_core(const Core &core, std::uint32_t address) {
    return address >> 20 == core.id() ? address & (core_space - 1) : address;
}

} // namespace skerry::sim
