// SPDX-License-Identifier: BSD-3-Clause
// Open MPI 4 makes the folder BASE/ompi.HOST.USER/pid.PROCESS for each mpirun. HOST is the name of this machine, possibly
// without its domain. BASE is the first of some variables that is set, or /tmp. A base from a file of parameters is not
// found; then the folder stays.
#include "mpirun_folder.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/utsname.h>
#include <unistd.h>

namespace skerry {

namespace {

std::filesystem::path base_folder() {
    constexpr std::array<const char *, 5> variables = {"OMPI_MCA_orte_tmpdir_base", "OMPI_MCA_orte_local_tmpdir_base",
                                                       "TMPDIR", "TEMP", "TMP"};
    for (const char *variable : variables)
        if (const char *value = std::getenv(variable); value != nullptr && *value != 0) return value;
    return "/tmp";
}

} // namespace

void remove_mpirun_folder(pid_t process) {
    struct utsname machine;
    if (uname(&machine) != 0) return;
    const std::string name = machine.nodename, user = std::to_string(geteuid());
    std::error_code ignored;
    for (const std::string &host : {name, name.substr(0, name.find('.'))}) {
        const std::filesystem::path of_user = base_folder() / ("ompi." + host + "." + user);
        if (!std::filesystem::is_directory(std::filesystem::symlink_status(of_user, ignored))) continue;
        std::filesystem::remove_all(of_user / ("pid." + std::to_string(process)), ignored);
        std::filesystem::remove(of_user, ignored); // fails if other jobs use it
    }
}

} // namespace skerry
