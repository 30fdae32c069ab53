// SPDX-License-Identifier: BSD-3-Clause
// Detects a deadlock by polling /proc: all PEs that still run wait for a PE that has ended. A PE *waits* if its main
// thread sleeps in a futex of the job's memory, and its other threads sleep in any futex. Only another PE can wake such
// a PE. If every PE that still runs waits for several seconds, and a PE has ended, no running PE will continue.
//
// Exceptions and details:
// * A waiting PE sleeps for at most 32 ms at a time (docs/design/waiting.md), so a poll can find a waiting PE awake. A
//   few such polls do not reset the count of polls in which the PE waited.
// * In a job of several nodes a record (a message of Skerry's network module) can wake a PE too. Therefore the numbers
//   of sent and executed records must also stay the same.
// * The threads of the network module only execute records, so their state does not matter.
// * A PE that has called shmem_finalize for the last time stays until all PEs have called it. Other nodes possibly need
//   its network port. Such a PE counts as ended, because it starts nothing by itself any more.
#include "stranded.hpp"

#include "ending.hpp"
#include "ranks.hpp"
#include "text_file.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace skerry {

namespace {

constexpr int looks_wanted = 15; // a PE whose counter (waiting_) is this or more counts as waiting
constexpr int miss_weight = 4;   // subtracted from the counter by a poll that finds the PE not waiting

// Returns the address of the futex in which a thread sleeps. Returns 0 if the thread does something else, or if the
// kernel does not allow this process to read the thread's state.
uint64_t futex_of(const std::string &thread_folder) {
    const int file = open((thread_folder + "/syscall").c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    char text[256];
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return 0;
    text[length] = '\0';
    long call = 0;
    unsigned long address = 0;
    return std::sscanf(text, "%ld %lx", &call, &address) == 2 && call == SYS_futex ? address : 0;
}

// Returns true if a thread belongs to the network: to Skerry's network module, or to UCX, whose thread has the name
// "async". Threads of both kinds block all signals. A thread of the program can have one of these names by chance, but
// probably does not block all signals.
bool is_network_thread(const std::string &thread_folder) {
    const std::string name = read_text(thread_folder + "/comm"); // ends with a newline
    if (name != SKERRY_NETWORK_THREAD "\n" && name != "async\n") return false;
    const std::string status = read_text(thread_folder + "/status");
    const size_t blocked = status.find("SigBlk:");
    if (blocked == std::string::npos) return false;
    // Four of the 64 signals cannot be blocked: SIGKILL, SIGSTOP and two signals of the C library.
    constexpr int all_but_a_few = 60;
    return std::popcount(std::strtoull(status.c_str() + blocked + 7, nullptr, 16)) >= all_but_a_few;
}

// Returns true if the process sleeps until another PE wakes it. `end` is 1 plus the rank of the last PE of this node.
bool waits_for_others(int process, int end) {
    const std::string folder = fmt::format("/proc/{}/task", process);
    const uint64_t main_futex = futex_of(fmt::format("{}/{}", folder, process));
    if (main_futex < SKERRY_BASE || main_futex >= SKERRY_BASE + (static_cast<uint64_t>(end) << SKERRY_PARTITION_SHIFT))
        return false;
    DIR *threads = opendir(folder.c_str());
    if (threads == nullptr) return false;
    bool all = true;
    while (const dirent *entry = readdir(threads))
        if (const std::string thread = folder + "/" + entry->d_name;
            entry->d_name[0] != '.' && futex_of(thread) == 0 && !is_network_thread(thread))
            all = false;
    closedir(threads);
    return all;
}

} // namespace

std::string describe_stranded(const std::string &ended, const std::string &waiting) {
    RankList list;
    list.add(waiting);
    return fmt::format("{}, and {} {}; job stopped", ended, list.describe(),
                       list.count() == 1 ? "still waits for it" : "still wait for it");
}

StrandedWatch::StrandedWatch(const std::vector<Pe> &pes, int first, const JobMemory &memory)
    : pes_(pes), first_(first), memory_(memory), waiting_(pes.size()) {
}

std::vector<skerry_control> StrandedWatch::read_controls() const {
    std::vector<skerry_control> controls;
    for (size_t pe = 0; pe < pes_.size(); ++pe) controls.push_back(memory_.control(first_ + static_cast<int>(pe)));
    return controls;
}

// Polls each PE that runs. Returns true if all running PEs have waited in enough recent polls. A PE in the state
// SKERRY_PE_EXITING can wait too, for PEs that have called another collective routine or that also exit. In this state
// the program exits without shmem_finalize, and its library finalizes in its place.
bool StrandedWatch::all_wait(const std::vector<skerry_control> &controls) {
    bool all = true;
    for (size_t pe = 0; pe < pes_.size(); ++pe) {
        int &waiting = waiting_[pe];
        if (!pes_[pe].running || controls[pe].leaving != 0) {
            waiting = 0;
            continue;
        }
        const bool is_in_job = controls[pe].state == SKERRY_PE_RUNNING || controls[pe].state == SKERRY_PE_EXITING;
        const bool waits =
            is_in_job && waits_for_others(controls[pe].process_id, first_ + static_cast<int>(pes_.size()));
        waiting = waits ? std::min(waiting + 1, looks_wanted + miss_weight) : std::max(waiting - miss_weight, 0);
        all = all && waiting >= looks_wanted;
    }
    return all;
}

bool StrandedWatch::has_ended(size_t pe, const skerry_control &control) const {
    return control.state == SKERRY_PE_EXITING || (pes_[pe].running && control.leaving != 0) ||
           (pes_[pe].process != 0 && !pes_[pe].running && control.state == SKERRY_PE_FINALIZED);
}

bool StrandedWatch::has_any_ended() const {
    const std::vector<skerry_control> controls = read_controls();
    for (size_t pe = 0; pe < pes_.size(); ++pe)
        if (has_ended(pe, controls[pe])) return true;
    return false;
}

// Returns the rank of the ended PE for which the other PEs most probably wait. Prefers a PE that has omitted
// shmem_finalize (`unfinished`). Avoids an exiting PE that is itself the only PE that waits.
std::optional<int> StrandedWatch::choose_ended(const std::vector<skerry_control> &controls) const {
    const auto waiters = std::ranges::count_if(waiting_, [](int waiting) { return waiting > 0; });
    int best = -1, best_value = -1;
    for (size_t pe = 0; pe < pes_.size(); ++pe) {
        if (!has_ended(pe, controls[pe])) continue;
        const int value = (waiters > (waiting_[pe] > 0) ? 2 : 0) + (controls[pe].unfinished[0] != '\0' ? 1 : 0);
        if (value > best_value) best = static_cast<int>(pe);
        best_value = std::max(value, best_value);
    }
    return best < 0 ? std::nullopt : std::optional(first_ + best);
}

std::optional<StrandedWatch::Standstill> StrandedWatch::look() {
    const std::vector<skerry_control> controls = read_controls();
    uint64_t sent = 0, executed = 0;
    for (const skerry_control &control : controls) {
        sent += control.far_sent;
        executed += control.far_landed;
    }
    unchanged_ = sent == sent_ && executed == executed_ ? std::min(unchanged_ + 1, looks_wanted) : 0;
    sent_ = sent;
    executed_ = executed;
    const bool any_runs = std::ranges::any_of(pes_, &Pe::running);
    if (!all_wait(controls) || (any_runs && unchanged_ < looks_wanted)) return std::nullopt;
    Standstill found{sent, executed, choose_ended(controls), {}};
    RankList waiting;
    for (size_t pe = 0; pe < pes_.size(); ++pe)
        if (const int rank = first_ + static_cast<int>(pe); waiting_[pe] > 0 && found.ended != rank) waiting.add(rank);
    found.waiting = waiting.ranks();
    return found;
}

std::string StrandedWatch::describe_ended(int rank) const {
    const Pe &pe = pes_[static_cast<size_t>(rank - first_)];
    const skerry_control control = memory_.control(rank);
    const std::string unfinished = unfinished_of(control);
    return fmt::format("PE {} (process {}) {}", rank, pe.process,
                       !unfinished.empty()    ? "exited " + unfinished
                       : control.leaving != 0 ? "has finalized"
                                              : "has ended");
}

} // namespace skerry
