// SPDX-License-Identifier: BSD-3-Clause
// Creates the job's memory as a sealed memfd, a file without a name in memory. If the kernel has no memfd_create,
// creates a file and unlinks it. An unlinked file works too, but is slower if it lies on a disk.
#include "job_memory.hpp"

#include "../src/machine/linux/unnamed_file.h"
#include "message.hpp"
#include "variables.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

namespace skerry {

namespace {

// Lowest number that the descriptor of the memory file gets. Shells and scripts use lower numbers for their own files.
// The kernel gives every process a table of at least 64 descriptors, so the number 60 needs no larger table.
constexpr int lowest_descriptor = 60;

// Raises the soft limit on file size to the hard limit if the soft limit is too low for the memory file. The limit
// holds for files in memory too. The kernel sends SIGXFSZ to a process that exceeds the limit. Ends oshrun if the hard
// limit is too low.
void lift_file_size_limit(off_t bytes) {
    struct rlimit limit {};
    getrlimit(RLIMIT_FSIZE, &limit);
    const auto needed = static_cast<rlim_t>(bytes);
    if (limit.rlim_cur >= needed) return;
    if (limit.rlim_max < needed)
        stop(exit_failure, fmt::format("the file size limit (ulimit -f) is {} KB, and the job's memory file needs {} "
                                       "KB, most of which are never used: raise the limit",
                                       limit.rlim_max >> 10, needed >> 10));
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
}

// Ends oshrun if the limit on address space (ulimit -v) is too low for a PE. Without this check, each PE would fail and
// print an error message of its own.
void check_address_space(uint64_t needed) {
    struct rlimit limit {};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur >= needed) return;
    stop(exit_failure,
         fmt::format("the limit on address space (ulimit -v) is {} KB, and each PE of this job needs {} KB; "
                     "most of this is never used: raise the limit",
                     limit.rlim_cur >> 10, needed >> 10));
}

off_t control_place(int pe) {
    return static_cast<off_t>((static_cast<uint64_t>(pe) << SKERRY_PARTITION_SHIFT) + SKERRY_CONTROL_OFFSET);
}

// Returns the number of partitions (parts of the memory file that belong to one PE each). A job of one PE gets
// SKERRY_PROGRAMS_MAX more partitions, for programs that this PE can start (src/machine/linux/pe/programs.c). Unused
// partitions take no memory, only file size and address space. The hard limit on file size can forbid the additional
// partitions. Then the file has one partition, and the PE can start no programs.
uint64_t partitions_of(int pes) {
    struct rlimit limit {};
    getrlimit(RLIMIT_FSIZE, &limit);
    const uint64_t roomy = 1 + SKERRY_PROGRAMS_MAX;
    return pes == 1 && limit.rlim_max >> SKERRY_PARTITION_SHIFT >= roomy ? roomy : static_cast<uint64_t>(pes);
}

} // namespace

void leave_outer_job() {
    const char *description = std::getenv(SKERRY_JOB_VARIABLE);
    if (description == nullptr || std::strncmp(description, "fd=", 3) != 0) return;
    int file = -1;
    std::from_chars(description + 3, description + std::strlen(description), file);
    struct stat status {};
    // The user can have set SKERRY_JOB to the descriptor of any file. The file is closed only if it can be the memory
    // of a job: a regular file without a name, at least as large as a partition (one PE's part of the memory).
    const bool is_memory = file > STDERR_FILENO && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                           status.st_nlink == 0 && static_cast<uint64_t>(status.st_size) >= SKERRY_PARTITION_BYTES;
    if (is_memory) close(file);
    unsetenv(SKERRY_JOB_VARIABLE);
}

JobMemory::JobMemory(const std::vector<NodeRange> &nodes, uint64_t heap_bytes, int wire_up) : wire_up_(wire_up) {
    int most = 0;
    for (const NodeRange &node : nodes) most = std::max(most, node.count);
    // A PE maps two parts of every partition (one PE's memory) of its node: the heap and the system area (layout.h). A
    // PE maps these two parts of its own partition a second time.
    check_address_space((static_cast<uint64_t>(most) + 1) * (heap_bytes + SKERRY_SYSTEM_BYTES) + SKERRY_SHARED_BYTES);
    for (const NodeRange &node : nodes) nodes_.push_back({create(node.count), node.first, node.count});
    if (nodes.size() > 1 && wire_up < 0) own_wire_up_ = std::make_unique<WireUp>(nodes);
}

// Returns the descriptor of a new file with the partitions (the memory) of `pes` PEs.
int JobMemory::create(int pes) {
    const auto bytes = static_cast<off_t>(partitions_of(pes) << SKERRY_PARTITION_SHIFT);
    lift_file_size_limit(bytes);
    errno = ENOSYS;
    int file = is_switched_on("SKERRY_NO_MEMFD") ? -1 : skerry_make_memfd(static_cast<uint64_t>(bytes));
    std::string tried = fmt::format("memfd: {}", std::strerror(errno));
    const char *temporary = std::getenv("TMPDIR");
    for (const char *folder : {"/dev/shm", temporary, "/tmp"}) {
        if (file >= 0) break;
        if (folder == nullptr) continue;
        file = skerry_make_unnamed_file(folder, static_cast<uint64_t>(bytes),
                                        SKERRY_ROOM_OF_A_PE * static_cast<uint64_t>(pes));
        folder_ = folder;
        tried += fmt::format("; {}: {}", folder, std::strerror(errno));
    }
    if (file < 0) stop(exit_failure, fmt::format("cannot make the memory file for {} PEs ({})", pes, tried));
    const int moved = fcntl(file, F_DUPFD, lowest_descriptor);
    if (moved >= 0) {
        close(file);
        return moved;
    }
    // F_DUPFD has failed, because the limit on descriptors is below lowest_descriptor. The file keeps its current
    // descriptor.
    return fcntl(file, F_SETFD, 0) == 0 ? file : -1;
}

const JobMemory::Node &JobMemory::node_of(int pe) const {
    const auto above = std::upper_bound(nodes_.begin(), nodes_.end(), pe,
                                        [](int rank, const Node &node) { return rank < node.first; });
    return *std::prev(above);
}

skerry_control JobMemory::control(int pe) const {
    skerry_control control{};
    const Node &node = node_of(pe);
    if (pread(node.descriptor, &control, offsetof(skerry_control, crash), control_place(pe - node.first)) < 0)
        control = {};
    return control;
}

skerry_crash JobMemory::crash(int pe) const {
    skerry_crash crash{};
    const Node &node = node_of(pe);
    const off_t place = control_place(pe - node.first) + static_cast<off_t>(offsetof(skerry_control, crash));
    if (pread(node.descriptor, &crash, sizeof crash, place) != static_cast<ssize_t>(sizeof crash)) return {};
    // The counts can be wrong: the PE can have died while it wrote the record, or a wrong store can have overwritten
    // the record.
    crash.frame_count = std::min<uint32_t>(crash.frame_count, SKERRY_CRASH_FRAMES);
    crash.module_count = std::min<uint32_t>(crash.module_count, std::size(crash.modules));
    for (auto &module : crash.modules) module[sizeof module - 1] = '\0';
    return crash;
}

std::string JobMemory::full_folder() const {
    struct statfs status {};
    if (folder_.empty() || fstatfs(nodes_.front().descriptor, &status) != 0 || status.f_bavail > 0) return {};
    return folder_;
}

} // namespace skerry
