// SPDX-License-Identifier: BSD-3-Clause
#include "ucx_files.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace skerry {

namespace {

namespace fs = std::filesystem;

using FileNumber = std::pair<dev_t, ino_t>; // identifies a file

// Returns the files that processes of this user have open.
std::set<FileNumber> open_files() {
    std::set<FileNumber> open;
    std::error_code error;
    for (const fs::directory_entry &process : fs::directory_iterator("/proc", error)) {
        std::error_code denied; // the process has ended, or belongs to another user
        for (const fs::directory_entry &descriptor : fs::directory_iterator(process.path() / "fd", denied)) {
            struct stat file;
            if (stat(descriptor.path().c_str(), &file) == 0) open.emplace(file.st_dev, file.st_ino);
        }
    }
    return open;
}

} // namespace

void remove_ucx_files(time_t since) {
    std::set<std::pair<FileNumber, std::string>> left;
    std::error_code error;
    for (const fs::directory_entry &entry : fs::directory_iterator("/dev/shm", error)) {
        if (!entry.path().filename().string().starts_with("ucx_shm_posix_")) continue;
        struct stat file;
        if (lstat(entry.path().c_str(), &file) != 0 || !S_ISREG(file.st_mode)) continue;
        if (file.st_size == 0 && file.st_uid == geteuid() && file.st_ctime >= since)
            left.emplace(FileNumber{file.st_dev, file.st_ino}, entry.path().string());
    }
    if (left.empty()) return; // the usual case: open_files() is slow
    const std::set<FileNumber> open = open_files();
    for (const auto &[number, path] : left)
        if (!open.contains(number)) unlink(path.c_str());
}

} // namespace skerry
