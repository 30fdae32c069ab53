// SPDX-License-Identifier: BSD-3-Clause
// Implements the services of the host, each as one function. Errors are reported as in the C library: the result is -1,
// and the error number is returned in errno. An invalid pointer gives EFAULT. Sources:
// * numbers of traps and system calls: libgloss/epiphany/epiphany-syscalls.c and libgloss/syscall.h;
// * structures: newlib's sys/stat.h.
#include "host/semihost.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace skerry::sim {
namespace {

enum Trap : unsigned { trap_write, trap_read, trap_open, trap_exit, trap_pass, trap_fail, trap_close, trap_other };
enum SystemCall : std::uint32_t {
    call_lseek = 6,
    call_unlink = 7,
    call_fstat = 10,
    call_stat = 15,
    call_time = 18,
    call_gettimeofday = 19,
    call_times = 20,
    call_argc = 22,
    call_argnlen = 23,
    call_argn = 24,
    call_end_job = 0x5b01, // Skerry's own call (src/machine/epiphany/host.c): ends all cores with the status in r0
};

constexpr std::uint32_t failed = 0xffffffff;
constexpr std::uint32_t largest_transfer = 1 << 20; // bytes; longer transfers are cut, as POSIX permits

std::uint32_t fail(int error) {
    errno = error;
    return failed;
}

// Returns the number that newlib (the C library of the simulated program) has for an error of Linux. The numbers up to
// 34 (ERANGE) are the same in both. All other errors become EIO.
std::uint32_t target_errno(int error) {
    return static_cast<std::uint32_t>(error <= ERANGE ? error : EIO);
}

int host_flags(std::uint32_t flags) {
    constexpr std::array<std::pair<std::uint32_t, int>, 4> bits = {
        {{0x8, O_APPEND}, {0x200, O_CREAT}, {0x400, O_TRUNC}, {0x800, O_EXCL}}};
    int result = static_cast<int>(flags & 3) | O_CLOEXEC;
    for (const auto &[target, host] : bits) result |= (flags & target) != 0 ? host : 0;
    return result;
}

template <class Value> void put(std::span<std::uint8_t> to, std::size_t at, Value value) {
    std::memcpy(&to[at], &value, sizeof value);
}

std::uint32_t give(TargetMemory &memory, std::uint32_t address, std::span<const std::uint8_t> bytes) {
    return memory.write(address, bytes) ? 0 : fail(EFAULT);
}

std::uint32_t give_string(TargetMemory &memory, std::uint32_t address, const std::string &text) {
    const auto *begin = reinterpret_cast<const std::uint8_t *>(text.c_str());
    return give(memory, address, {begin, text.size() + 1});
}

// Writes a file's status to the program's memory, as newlib's struct stat (88 bytes; newlib is the program's C
// library).
std::uint32_t give_status(const struct stat &from, std::uint32_t to, TargetMemory &memory) {
    std::array<std::uint8_t, 88> bytes{};
    put(bytes, 4, static_cast<std::uint32_t>(from.st_mode));
    put(bytes, 8, static_cast<std::uint16_t>(from.st_nlink));
    put(bytes, 16, static_cast<std::uint32_t>(std::min<std::int64_t>(from.st_size, 0x7fffffff)));
    put(bytes, 72, static_cast<std::uint32_t>(from.st_blksize));
    return give(memory, to, bytes);
}

} // namespace

bool read_string(TargetMemory &memory, std::uint32_t address, std::string &text) {
    constexpr std::size_t longest = 4096;
    for (text.clear(); text.size() < longest; address++) {
        std::uint8_t c = 0;
        if (!memory.read(address, {&c, 1})) return false;
        if (c == 0) return true;
        text.push_back(static_cast<char>(c));
    }
    return false;
}

Semihost::Semihost(std::uint32_t cores, std::vector<std::string> arguments)
    : output_(cores), arguments_(std::move(arguments)) {
}

Semihost::~Semihost() {
    for (std::size_t k = 3; k < files_.size(); k++) {
        if (files_[k] >= 0) ::close(files_[k]);
    }
}

void Semihost::flush() {
    output_.flush();
}

int Semihost::host_descriptor(std::uint32_t descriptor) const {
    return descriptor < files_.size() ? files_[descriptor] : -1;
}

std::optional<int> Semihost::trap(HostWords &words, unsigned number, TargetMemory &memory, std::uint32_t core,
                                  std::uint64_t microseconds) {
    errno = 0;
    std::uint32_t result = 0;
    switch (number) {
    case trap_write: result = write(words, memory, core); break;
    case trap_read: result = read(words, memory); break;
    case trap_open: result = open(words, memory); break;
    case trap_exit: output_.flush(core); return static_cast<int>(words[0] & 0xff);
    case trap_pass: output_.flush(core); return 0;
    case trap_fail: output_.flush(core); return 1;
    case trap_close: result = close(words[0]); break;
    case trap_other:
        if (words[3] == call_end_job) {
            job_status_ = static_cast<int>(words[0] & 0xff);
            return job_status_;
        }
        result = other(words, memory, microseconds);
        break;
    default: result = fail(ENOSYS); break;
    }
    words[0] = result;
    words[3] = result == failed ? target_errno(errno) : 0;
    return std::nullopt;
}

std::uint32_t Semihost::write(HostWords &words, TargetMemory &memory, std::uint32_t core) {
    const int fd = host_descriptor(words[0]);
    if (fd < 0) return fail(EBADF);
    std::vector<std::uint8_t> bytes(std::min(words[2], largest_transfer));
    if (!memory.read(words[1], bytes)) return fail(EFAULT);
    constexpr std::string_view message = "skerry: PE ";
    if (fd == 2)
        job_told_ =
            job_told_ || std::ranges::equal(message, std::span(bytes).first(std::min(message.size(), bytes.size())));
    if (fd == 1 || fd == 2) return output_.write(core, fd, bytes) ? static_cast<std::uint32_t>(bytes.size()) : failed;
    return static_cast<std::uint32_t>(::write(fd, bytes.data(), bytes.size()));
}

std::uint32_t Semihost::read(HostWords &words, TargetMemory &memory) {
    const int fd = host_descriptor(words[0]);
    if (fd < 0) return fail(EBADF);
    std::vector<std::uint8_t> bytes(std::min(words[2], largest_transfer));
    const ssize_t got = ::read(fd, bytes.data(), bytes.size());
    interrupted_ = got < 0 && errno == EINTR;
    if (got < 0) return failed;
    bytes.resize(static_cast<std::size_t>(got));
    return memory.write(words[1], bytes) ? static_cast<std::uint32_t>(got) : fail(EFAULT);
}

// Reads the name of a file from memory. Returns false and sets errno in two cases:
// * EFAULT: there is no string at the address.
// * EACCES: the program must not name files (refuse_names).
bool Semihost::read_name(TargetMemory &memory, std::uint32_t address, std::string &name) {
    if (!names_refused_) {
        errno = EFAULT;
        return read_string(memory, address, name);
    }
    if (!std::exchange(refusal_told_, true)) {
        output_.flush();
        std::fputs("skerry-sim: gdb has changed the program: it opens and removes no files any more; --gdb-files "
                   "allows it\n",
                   stderr);
    }
    errno = EACCES;
    return false;
}

std::uint32_t Semihost::open(HostWords &words, TargetMemory &memory) {
    std::string path;
    if (!read_name(memory, words[0], path)) return failed;
    const int fd = ::open(path.c_str(), host_flags(words[1]), 0666); // 0666, because libgloss passes no mode
    if (fd < 0) return failed;
    const auto free = std::find(files_.begin() + 3, files_.end(), -1);
    const auto place = static_cast<std::uint32_t>(free - files_.begin());
    if (free == files_.end()) files_.push_back(fd);
    else *free = fd;
    return place;
}

// Closes a descriptor of the program. All cores share descriptors 0 to 2; for these it returns success and closes
// nothing.
std::uint32_t Semihost::close(std::uint32_t descriptor) {
    const int fd = host_descriptor(descriptor);
    if (fd < 0) return fail(EBADF);
    if (descriptor < 3) return 0; // shared by all cores
    files_[descriptor] = -1;
    return static_cast<std::uint32_t>(::close(fd));
}

std::uint32_t Semihost::seek(const HostWords &words) {
    const int fd = host_descriptor(words[0]);
    if (fd < 0) return fail(EBADF);
    if (words[2] > 2) return fail(EINVAL);
    return static_cast<std::uint32_t>(::lseek(fd, static_cast<std::int32_t>(words[1]), static_cast<int>(words[2])));
}

std::uint32_t Semihost::status_of(std::uint32_t descriptor, std::uint32_t to, TargetMemory &memory) {
    struct stat status {};
    const int fd = host_descriptor(descriptor);
    if (fd < 0) return fail(EBADF);
    return ::fstat(fd, &status) != 0 ? failed : give_status(status, to, memory);
}

// Executes a system call about the program's arguments. The register r3 has the number of the call:
// * call_argc returns the number of arguments;
// * call_argnlen returns the length of one argument;
// * call_argn copies one argument to memory.
std::uint32_t Semihost::argument(const HostWords &words, TargetMemory &memory) {
    if (words[3] == call_argc) return static_cast<std::uint32_t>(arguments_.size());
    if (words[0] >= arguments_.size()) return fail(EINVAL);
    const std::string &text = arguments_[words[0]];
    if (words[3] == call_argnlen) return static_cast<std::uint32_t>(text.size());
    return give_string(memory, words[1], text);
}

std::uint32_t Semihost::other(HostWords &words, TargetMemory &memory, std::uint64_t microseconds) {
    std::string text;
    switch (words[3]) {
    case call_lseek: return seek(words);
    case call_unlink:
        if (!read_name(memory, words[0], text)) return failed;
        return static_cast<std::uint32_t>(::unlink(text.c_str()));
    case call_fstat: return status_of(words[0], words[1], memory);
    case call_stat: {
        struct stat status {};
        if (!read_name(memory, words[0], text)) return failed;
        return ::stat(text.c_str(), &status) != 0 ? failed : give_status(status, words[1], memory);
    }
    case call_argc:
    case call_argnlen:
    case call_argn: return argument(words, memory);
    case call_time: return static_cast<std::uint32_t>(microseconds / 1'000'000);
    case call_gettimeofday: {
        std::array<std::uint8_t, 16> bytes{};
        put(bytes, 0, microseconds / 1'000'000);
        put(bytes, 8, static_cast<std::uint32_t>(microseconds % 1'000'000));
        return give(memory, words[0], bytes);
    }
    case call_times: {
        std::array<std::uint8_t, 16> bytes{};
        put(bytes, 0, static_cast<std::uint32_t>(microseconds));
        return words[0] == 0 || give(memory, words[0], bytes) == 0 ? static_cast<std::uint32_t>(microseconds) : failed;
    }
    default: return fail(ENOSYS);
    }
}

std::string place_environment(const ElfImage &image, const std::vector<std::string> &environment,
                              TargetMemory &memory) {
    const Symbol *list = image.find("environ");
    const Symbol *heap_end = image.find("__heap_end");
    if (list == nullptr) return {}; // the program does not use its environment
    if (heap_end == nullptr) return "the program has no symbol __heap_end, after which its environment is stored";
    const auto strings_at = static_cast<std::uint32_t>(heap_end->address + 4 * (environment.size() + 1));
    std::vector<std::uint8_t> block(4 * (environment.size() + 1));
    for (std::size_t k = 0; k < environment.size(); k++) {
        const auto offset = static_cast<std::uint32_t>(block.size() - 4 * (environment.size() + 1));
        put(std::span(block), 4 * k, strings_at + offset);
        block.insert(block.end(), environment[k].begin(), environment[k].end());
        block.push_back(0);
    }
    std::array<std::uint8_t, 4> pointer{};
    put(std::span(pointer), 0, heap_end->address);
    const bool placed = memory.write(heap_end->address, block) && memory.write(list->address, pointer);
    return placed ? std::string() : "the environment does not fit after __heap_end";
}

} // namespace skerry::sim
