// SPDX-License-Identifier: BSD-3-Clause
// Decides how a PE ended. There are two sources:
// * the exit status, which the kernel reports;
// * the control block (src/machine/linux/job.h), a record in shared memory that the PE's library has written.
//
// Both are needed. For example, only the control block shows that a PE with exit status 0 has not called
// shmem_finalize. Other PEs possibly wait for such a PE.
#include "ending.hpp"

#include "message.hpp"
#include "where.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <sys/wait.h>

namespace skerry {

namespace {

// Returns words that tell to which PE an address of the global address space belongs, and the offset in that PE's
// memory. An address near the PEs' memory that belongs to no PE of this job probably comes from a wrong PE number; the
// words then name that number. Returns an empty text for an address that is far from the PEs' memory.
std::string name_global_address(uint64_t address, int pes) {
    const int64_t pe = static_cast<int64_t>(address - SKERRY_BASE) >> SKERRY_PARTITION_SHIFT;
    if (pe < -SKERRY_PES_MAX / 2 || pe >= SKERRY_PES_MAX) return {};
    if (pe < 0 || pe >= pes)
        return fmt::format(", where the memory of PE {} would be, but the job has PEs 0 to {}", pe, pes - 1);
    const uint64_t offset = address & SKERRY_PARTITION_MASK;
    if (offset >= SKERRY_HEAP_OFFSET && offset < SKERRY_CONTROL_OFFSET)
        return fmt::format(", PE {}'s heap + {:#x}", pe, offset - SKERRY_HEAP_OFFSET);
    return fmt::format(", PE {}'s partition + {:#x}", pe, offset);
}

std::string describe_signal(const Ending &ending, const skerry_crash &crash, const JobMemory &memory, int pes) {
    std::string text = strsignal(ending.signal);
    if (crash.signal == 0) return text;
    if (ending.signal == SIGFPE && crash.code == FPE_INTDIV) text += ": integer division by zero";
    // crash.code is the si_code of the signal. If it is above 0, the kernel sent the signal because of a fault. Only a
    // signal of a fault has an address.
    const bool is_fault = crash.code > 0;
    if (is_fault && (ending.signal == SIGSEGV || ending.signal == SIGBUS))
        text += fmt::format(": address {:#x}{}", crash.address, name_global_address(crash.address, pes));
    const std::string full = ending.signal == SIGBUS ? memory.full_folder() : std::string{};
    if (!full.empty()) text += fmt::format(", no space left in {}", full);
    return text;
}

std::string describe_killed(const Ending &ending, const JobMemory &memory, int pes) {
    skerry_crash crash = memory.crash(ending.pe);
    if (static_cast<int>(crash.signal) != ending.signal) crash = {};
    return fmt::format("was killed by signal {} ({}){}{}", ending.signal, describe_signal(ending, crash, memory, pes),
                       find_where(crash), ending.killer);
}

} // namespace

// Returns control.unfinished (see ending.hpp). Returns an empty text if control.unfinished has a character that the
// library never writes there. Such a character shows that the PE has overwritten its control block by mistake.
std::string unfinished_of(const skerry_control &control) {
    const std::string text(control.unfinished, strnlen(control.unfinished, sizeof control.unfinished));
    const auto is_expected = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == ' ';
    };
    return std::all_of(text.begin(), text.end(), is_expected) ? text : std::string{};
}

Ending judge(int pe, pid_t process, int status, const JobMemory &memory) {
    const skerry_control control = memory.control(pe);
    Ending ending;
    ending.pe = pe;
    ending.process = process;
    ending.after_finalize = control.state == SKERRY_PE_FINALIZED;
    ending.code = WIFSIGNALED(status) ? exit_signal + WTERMSIG(status) : WEXITSTATUS(status);
    if (control.state == SKERRY_PE_GLOBAL_EXIT) {
        ending.kind = Ending::global_exit;
        ending.code = control.exit_code & 0xff;
    } else if (control.state == SKERRY_PE_ABORTED) {
        ending.kind = Ending::reported;
        ending.code = ending.code == 0 ? exit_failure : ending.code;
    } else if (ending.code != 0) {
        // If a shell ran the program, the shell exits with 128 plus the number of the signal that killed the program. A
        // program can also choose an exit code above 128 itself. The crash record (which the library writes when a
        // signal kills the PE) tells these two cases apart.
        const bool crashed =
            WIFSIGNALED(status) ||
            (ending.code > exit_signal && static_cast<int>(memory.crash(pe).signal) + exit_signal == ending.code);
        ending.kind = crashed ? Ending::killed : Ending::failed;
        ending.signal = crashed ? ending.code - exit_signal : 0;
    } else if (control.state == SKERRY_PE_RUNNING || control.state == SKERRY_PE_EXITING) {
        ending.kind = Ending::not_finalized;
        ending.code = exit_failure;
        ending.unfinished = unfinished_of(control);
    } else if (control.state != SKERRY_PE_FINALIZED) {
        ending.kind = Ending::not_initialized;
        ending.code = exit_failure;
    }
    return ending;
}

std::string describe(const Ending &ending, const JobMemory &memory, int pes) {
    std::string what;
    switch (ending.kind) {
    case Ending::well:
    case Ending::reported: return {};
    case Ending::killed: what = describe_killed(ending, memory, pes); break;
    case Ending::failed:
        what = fmt::format("exited with code {}", ending.code);
        // The killed process can be a child of the PE. Example: the PE is a shell script that runs the program.
        if (!ending.killer.empty()) what += " after a process was killed" + ending.killer;
        break;
    case Ending::not_initialized: what = "exited without shmem_init while other PEs wait for it"; break;
    case Ending::not_finalized:
        what = "exited " + (ending.unfinished.empty() ? "without shmem_finalize" : ending.unfinished);
        break;
    case Ending::global_exit:
        if (ending.code == 0) return {};
        what = fmt::format("called shmem_global_exit with status {}", ending.code);
        break;
    }
    return fmt::format("PE {} (process {}) {}; job stopped", ending.pe, ending.process, what);
}

} // namespace skerry
