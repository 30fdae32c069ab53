// SPDX-License-Identifier: BSD-3-Clause
// Detects a deadlock by polling /proc: all PEs that still run wait for a PE that has ended. A PE waits for other PEs if
// its main thread sleeps in a futex of the job's memory and each of its other threads sleeps in any futex. Then only
// another PE can wake it. If every PE that still runs waits in this way for several seconds, and a PE has ended, no
// running PE will continue. A waiting PE sleeps for at most 32 ms at a time (docs/design/waiting.md), so a poll can
// find it awake. Such a poll counts as a miss, and a few misses do not matter.
#include "stranded.hpp"

#include <algorithm>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace skerry {

namespace {

constexpr double calm_interval = 1;       // seconds between polls before a PE has ended
constexpr double watchful_interval = 0.2; // seconds between polls after a PE has ended
constexpr int looks_wanted = 15;          // a PE whose counter (waiting_) is this or more counts as waiting
constexpr int miss_weight = 4;            // subtracted from the counter by a poll that finds the PE not waiting

// Returns the address of the futex in which a thread sleeps. Returns 0 if the thread does something else, or if this
// process is not allowed to read the thread's state.
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

bool waits_for_others(int process, int pes) {
    const std::string folder = fmt::format("/proc/{}/task", process);
    const uint64_t main_futex = futex_of(fmt::format("{}/{}", folder, process));
    if (main_futex < SKERRY_BASE || main_futex >= SKERRY_BASE + (static_cast<uint64_t>(pes) << SKERRY_PARTITION_SHIFT))
        return false;
    DIR *threads = opendir(folder.c_str());
    if (threads == nullptr) return false;
    bool all = true;
    while (const dirent *entry = readdir(threads))
        if (entry->d_name[0] != '.' && futex_of(folder + "/" + entry->d_name) == 0) all = false;
    closedir(threads);
    return all;
}

} // namespace

StrandedWatch::StrandedWatch(const std::vector<Pe> &pes, const JobMemory &memory)
    : pes_(pes), memory_(memory), waiting_(pes.size()) {
}

// Polls each PE that runs. Returns true if at least one PE runs and all running PEs have waited in enough recent polls.
// The state SKERRY_PE_EXITING means: the program exits without shmem_finalize, and its library finalizes in its place.
// Such a PE can wait too, for PEs that have called another collective routine, possibly at their own end.
bool StrandedWatch::all_wait(const std::vector<skerry_control> &controls) {
    bool any = false, all = true;
    for (size_t pe = 0; pe < pes_.size(); ++pe) {
        int &waiting = waiting_[pe];
        if (!pes_[pe].running) {
            waiting = 0;
            continue;
        }
        any = true;
        const bool is_in_job = controls[pe].state == SKERRY_PE_RUNNING || controls[pe].state == SKERRY_PE_EXITING;
        const bool waits = is_in_job && waits_for_others(controls[pe].process_id, static_cast<int>(pes_.size()));
        waiting = waits ? std::min(waiting + 1, looks_wanted + miss_weight) : std::max(waiting - miss_weight, 0);
        all = all && waiting >= looks_wanted;
    }
    return any && all;
}

bool StrandedWatch::has_ended(size_t pe, const skerry_control &control) const {
    return control.state == SKERRY_PE_EXITING ||
           (pes_[pe].process != 0 && !pes_[pe].running && control.state == SKERRY_PE_FINALIZED);
}

std::optional<int> StrandedWatch::look(double &interval) {
    std::vector<skerry_control> controls;
    bool any_ended = false;
    for (size_t pe = 0; pe < pes_.size(); ++pe) {
        controls.push_back(memory_.control(static_cast<int>(pe)));
        any_ended = any_ended || has_ended(pe, controls.back());
    }
    interval = any_ended ? watchful_interval : calm_interval;
    if (!any_ended || !all_wait(controls)) return std::nullopt;
    std::optional<int> cause;
    for (size_t pe = 0; pe < pes_.size(); ++pe) {
        const bool others_wait =
            std::ranges::count_if(waiting_, [](int waiting) { return waiting > 0; }) > (waiting_[pe] > 0);
        if (!has_ended(pe, controls[pe]) || !others_wait) continue;
        // Prefers a PE that has omitted shmem_finalize (`unfinished`), because it is the more likely cause.
        if (!cause ||
            (controls[pe].unfinished[0] != '\0' && controls[static_cast<size_t>(*cause)].unfinished[0] == '\0'))
            cause = static_cast<int>(pe);
    }
    return cause;
}

} // namespace skerry
