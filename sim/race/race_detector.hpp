// SPDX-License-Identifier: BSD-3-Clause
// Finds data races of a program on RISC-V cores that share a memory (option --check-races): two accesses to the same byte by two cores, of
// which at least one is a plain store, that no synchronisation orders. Uses the happens-before relation of the machine,
// with vector clocks as in FastTrack (Flanagan and Freund 2009). So a race is found even if the accesses were far apart
// in this run.
//
// The memory model (docs/design/riscv.md, section "Order"), and how the detector follows it:
// * A core's stores have arrived when a `fence` that orders writes ends, and before an atomic operation with the bit
//   rl. Everything before that moment is *released* by the core's later stores to words of synchronisation, and by its
//   later atomic operations.
// * A load, and an atomic operation, end before the next instruction begins. So each of them acquires what was released
//   to its word. All of this has arrived, so the core's later stores release it again, without a fence.
// * Stores to words of synchronisation are: those of the library's code, and the first store after a fence in the
//   program's own code (a store release).
//
// Only accesses by the program's own code are checked, and those by functions of libraries that copy, fill and compare
// bytes, if the program calls them. Other code of libraries is trusted, and only creates order.
//
// The runtime combines the atomic additions with which threads end their parts of a region. The program's code calls a function
// for such an addition, and this call counts as the program's access.
//
// A task has a clock of its own (task_clocks.hpp), where each core runs one thread. The clock of the core then only serves the
// calls after which everything is ordered, such as a barrier.
//
// Packets of an MPPA order cores too (arrivals.hpp). The reads and writes of a DMA unit are not checked.
//
// A copy unit (RDMA) accesses memory beside its core. So each counter of copies has an element of its own in the vector
// clocks, as if it were a core. The copy happens after what its core did before, and before a load of the counter: the
// detector does not see the value of the counter, so the first such load counts as the end of the copy.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "chip/chip.hpp"
#include "host/elf_image.hpp"
#include "race/access_history.hpp"
#include "race/arrivals.hpp"
#include "race/task_clocks.hpp"
#include "race/word_clocks.hpp"
#include "riscv/riscv_core.hpp"

namespace skerry::sim {

// Two accesses that race. `earlier` came first in this run.
struct Race {
    std::uint32_t address = 0; // global address of the first byte that both access
    unsigned bytes = 0;
    PastAccess earlier;
    PastAccess later;
};

class RaceDetector {
  public:
    // Returns true if the image says which of its code is the program's own.
    static bool knows_code(const ElfImage &image);

    // Checks the program `image` on `count` cores of the chip, from core `first` on. The image must say which code is the
    // program's own.
    RaceDetector(Chip &chip, const ElfImage &image, std::uint32_t first, std::uint32_t count);

    // Follows an instruction of one of these cores, as Observer::before. Returns true.
    bool before(std::uint32_t core_index, Core &core, std::uint64_t cycle);
    // Handles a write of the cluster's DMA unit to an address of its memory.
    void written(std::uint32_t address, std::uint32_t bytes) {
        arrivals_.written(address, bytes);
    }

    // Returns one race for each pair of instructions, in the order in which they were found.
    const std::vector<Race> &races() const {
        return races_;
    }
    // Returns the index of the core that made an access, by itself or by its copy unit.
    std::uint32_t core_of(const PastAccess &access) const {
        return first_ + access.by;
    }
    // Returns true if a copy unit made the access.
    static bool is_of_copy(const PastAccess &access) {
        return access.is_of_copy;
    }
    // Returns the name of the construct for whose code the compiler has made the function at this address, such as
    // "parallel". Returns an empty string if there is none.
    std::string_view construct_of(std::uint32_t function) const {
        const auto found = constructs_.find(function);
        return found == constructs_.end() ? std::string_view() : found->second;
    }

  private:
    enum class Effect : std::uint8_t { unknown, none, load, store, atomic, fence, sleep };

    // Functions of the runtime that matter to the detector: for an atomic addition and for a reduction at the end of a region,
    // and for the sections that the compiler makes of other reductions and atomic constructs.
    enum class Entry : std::uint8_t { none, addition, reduction, section_begin, section_end, thread_number };

    // An instruction with the properties that the detector needs.
    struct Code {
        Effect effect = Effect::unknown;
        bool is_library = false;
        bool releases = false;     // an atomic operation with the bit rl, or a fence that orders earlier writes
        std::uint8_t size = 0;     // bytes that it accesses
        std::uint8_t base = 0;     // register with the address
        std::uint8_t operand = 0;  // integer register with the value that a store stores
        std::int32_t distance = 0; // added to the address
        std::int8_t outliner = -1; // index in the table of functions that begin a construct; -1: another instruction
        Entry entry = Entry::none; // the function of which this is the first instruction
        TaskCall call = TaskCall::none; // the function of which this is the first instruction handles tasks
        bool begins_copy = false;       // the first instruction of a function that copies, fills or compares bytes
    };
    static constexpr std::uint32_t page_bytes = 256;
    using CodePage = std::array<Code, page_bytes / 2>;

    // A core and the instruction that it tries to execute.
    struct Watched {
        VectorClock clock;    // what has happened before the core's next instruction
        VectorClock released; // the part of it that the core's later stores and atomic operations release
        std::uint64_t instructions = 0;
        Code code;            // effect `none` if no instruction with an effect is being tried
        std::uint32_t pc = 1; // no instruction has this address
        std::uint32_t address = 0;
        bool is_checked = false; // the access is one of the program
        bool in_section = false; // between GOMP_atomic_start and GOMP_atomic_end
        // Inside a function that copies bytes for the program: the address to which the function returns. Otherwise 1.
        std::uint32_t returns_to = 1;
        std::uint32_t called_at = 1; // address of the call of this function
        bool store_releases = false; // the program's code has executed a fence, and no store or atomic operation since
        std::uint64_t fenced_at = 0; // number of instructions before this fence
        std::uint32_t page_base = 1;
        CodePage *page = nullptr;
        // The tasks that the core has begun and not ended, the last of which runs. The first one stands for all its implicit
        // tasks. Empty if tasks are not followed: `clock` and `released` are then those of the task too.
        std::vector<std::shared_ptr<Task>> tasks;
    };

    // A counter of copies, and the period in which its next copy takes place.
    struct Copier {
        std::uint32_t counter; // global address
        std::uint32_t core;    // index
        std::uint32_t element; // of the clocks
        std::uint32_t period;
    };

    std::uint32_t address_of(const Core &core, std::uint32_t address) const;
    const Code &code_at(Watched &watched, const Core &core, std::uint32_t pc);
    void decode(const Core &core, std::uint32_t pc, Code &code) const;
    void tried(std::uint32_t index, const RiscvCore &core, std::uint64_t cycle);
    void start_copy(std::uint32_t index, const Copy &copy, std::uint64_t cycle);
    void acquire_arrivals(Watched &watched, std::uint32_t address);
    void done(std::uint32_t index, std::uint64_t cycle);
    void enter_functions(Watched &watched, const RiscvCore &core, std::uint32_t previous);
    void enter_runtime(std::uint32_t index, const RiscvCore &core, std::uint32_t previous, std::uint64_t cycle);
    void release_section(std::uint32_t index);
    void acquire(Watched &watched, std::uint32_t address, unsigned size);
    void publish(Watched &watched, std::uint32_t value);
    void fence(std::uint32_t index);
    void release_all(std::uint32_t index);
    void next_period(std::uint32_t index);
    void join_machine(Watched &watched);
    void join_sections(Watched &watched);
    void follow_tasks(std::uint32_t index, const RiscvCore &core, std::uint32_t previous);
    void begin_call(std::uint32_t index, const RiscvCore &core);
    void end_call(Watched &watched);
    bool begin_task(std::uint32_t index, const RiscvCore &core);
    void end_task(std::uint32_t index);
    void forget_stack(std::uint32_t core_id, std::uint32_t stack);
    std::vector<Dependence> dependences_at(const Core &core, std::uint32_t address);
    std::vector<std::uint8_t> bytes_at(const Core &core, std::uint32_t address, std::uint32_t size);
    std::uint32_t element_of(std::uint32_t index) const;
    static VectorClock &clock_of(Watched &watched) {
        return watched.tasks.empty() ? watched.clock : watched.tasks.back()->clock;
    }
    static const VectorClock &released_of(const Watched &watched) {
        return watched.tasks.empty() ? watched.released : watched.tasks.back()->released;
    }
    bool is_of_thread(const Watched &watched, std::uint32_t core_id, std::uint32_t address) const;
    void check(std::uint32_t index, AccessKind kind, std::uint64_t cycle);
    void check(PastAccess access, std::uint32_t address, std::uint32_t size, const VectorClock &clock);
    void found(std::uint32_t word, const PastAccess &earlier, const PastAccess &later);

    Chip &chip_;
    std::uint32_t first_;   // index of the first core, which has number 0 in this class and its clocks
    bool has_packets_;      // the cores have the registers of a DMA unit of an MPPA
    std::uint32_t library_; // address from which on the code is the library's
    std::unordered_map<std::uint32_t, std::int8_t> outliners_; // by the address of the function
    std::unordered_map<std::uint32_t, std::string_view> constructs_;
    std::unordered_set<std::uint32_t> copies_;         // addresses of the functions that copy, fill or compare bytes
    std::unordered_map<std::uint32_t, Entry> entries_; // by the address of the function
    std::unordered_map<std::uint32_t, TaskCall> task_calls_;      // by the address of the function
    bool follows_tasks_ = false;                                  // tasks can be followed in this program
    bool has_tasks_ = false;                                      // the program has made a task
    std::uint32_t stack_limit_ = 0, tls_begin_ = 0, tls_end_ = 0; // offsets in a core's memory
    VectorClock sections_; // what has happened before the ends of the sections and reductions until now
    std::unordered_map<std::uint32_t, std::unique_ptr<CodePage>> pages_;
    std::vector<Watched> cores_;
    std::vector<Copier> copiers_;
    TaskClocks tasks_;
    WordClocks words_;
    WordClocks task_words_; // the same with the clocks of tasks, if tasks are followed
    Arrivals arrivals_;
    AccessHistory history_;
    std::vector<Race> races_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> known_; // the addresses of each two instructions in races_
};

} // namespace skerry::sim
