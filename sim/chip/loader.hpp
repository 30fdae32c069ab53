// SPDX-License-Identifier: BSD-3-Clause
// Loads a program into the memories of a chip. Also stores which cores a job can use.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "chip/address_map.hpp"
#include "host/elf_image.hpp"
#include "host/job.hpp"

namespace skerry::sim {

class Loader {
  public:
    Loader(AddressMap &map, std::vector<std::string> arguments, std::vector<std::string> environment)
        : map_(map), members_(map.machine().job_cores()), arguments_(std::move(arguments)),
          environment_(std::move(environment)) {
    }

    // Sets the cores that a job can use: their indices, in the order of the job's PEs. A job of n PEs uses the first n
    // of these cores. The default is Machine::job_cores.
    void place(std::vector<std::uint32_t> members) {
        members_ = std::move(members);
    }
    const std::vector<std::uint32_t> &members() const {
        return members_;
    }
    // Returns the number of the PE of the loaded image to which a member belongs: its place in members(), or, if the PEs are
    // clusters, the number of the cluster among those of the members.
    std::uint32_t pe_of(std::size_t member) const {
        return pes_.empty() ? static_cast<std::uint32_t>(member) : pes_[member];
    }

    // Returns true if the PEs of the loaded image are clusters.
    bool are_pes_clusters() const {
        return !pes_.empty();
    }

    // Loads an image (a program file).
    // * A segment at an address below 1 MB is copied into the memory of each of the first `cores` cores of members().
    //   Any other segment is copied only once, or, to shared memory, once for each cluster.
    // * Writes the description of the job (host/job.hpp) into the memory of each of these cores.
    // * Write-protects the image's code if `may_write_code` is false.
    // * If the PEs are clusters, their memories have second addresses in the order of the PEs.
    // * If the image defines __stack_limit, a core stops when its stack pointer goes below that address.
    // * If the image defines skerry_data_begin, a core stops when it accesses data below that address.
    // * If the image defines skerry_library_code, a core stops when code below that address divides an integer by zero.
    //
    // Returns an empty string, or the reason why the image does not fit this machine.
    std::string load(const ElfImage &image, std::uint32_t cores, bool may_write_code);

    // Returns the reason why a program cannot run on one PE of a job whose first program is `first`, or an empty string.
    std::string misfit_of_program(const ElfImage &image, std::uint32_t pe, const ElfImage &first);
    // Returns the reason why the arguments and the environment of such a program do not fit, or an empty string.
    std::string misfit_of_arguments(const ElfImage &image, std::uint32_t pe, const std::vector<std::string> &arguments,
                                    const std::vector<std::string> &environment) const;
    // Loads such a program as PE `pe`. `before` is the image that this PE ran before, or null. Clears the PE's memory,
    // except what both images call common (from skerry_common_begin to skerry_common_end), where other PEs may have sent
    // something. `serves`: the PE does not run `main`. Returns an empty string, or the text of the error.
    std::string load_program(const ElfImage &image, std::uint32_t pe, const ElfImage *before,
                             const std::vector<std::string> &arguments, const std::vector<std::string> &environment,
                             bool serves);
    // Returns the members that are PE `pe`.
    std::vector<std::uint32_t> cores_of_pe(std::uint32_t pe) const;
    const std::vector<std::string> &arguments() const {
        return arguments_;
    }
    const std::vector<std::string> &environment() const {
        return environment_;
    }

  private:
    using Cores = std::span<const std::uint32_t>; // indices

    std::string misfit(const ElfImage &image, std::uint32_t cores) const;
    std::string misfit_of_clusters(std::uint32_t cores) const;
    void make_pes();
    static void forbid(const ElfImage &image, Core &core);
    void forbid(const ElfImage &image, Cores cores);
    std::vector<Place> places_of(std::uint32_t address, std::uint32_t bytes, Cores cores);
    std::string misfit_of_segment(const Segment &segment, const std::vector<Place> &places) const;
    std::string copy(const ElfImage &image, Cores cores, bool keeps_common = false);
    void clear(std::uint32_t cluster, std::uint32_t kept);
    Job job_of(Cores cores, std::uint32_t pe, bool has_programs, const std::vector<std::string> &arguments,
               const std::vector<std::string> &environment) const;
    std::string describe_job_to(const ElfImage &image, Cores cores, std::uint32_t pe,
                                const std::vector<std::string> &arguments, const std::vector<std::string> &environment,
                                bool serves = false);
    std::string place_newlib_environment(const ElfImage &image, Cores cores);
    void protect(const ElfImage &image, Cores cores);

    AddressMap &map_;
    std::vector<std::uint32_t> members_;
    std::vector<std::uint32_t> pes_; // by member; empty if each member is a PE
    std::vector<std::string> arguments_;
    std::vector<std::string> environment_;
};

// Returns true if the image (a program file) is an OpenSHMEM job, and false if it is a program without Skerry's
// library.
bool is_job(const ElfImage &image);
// Returns true if each PE of the job is a cluster, and false if it is a core.
bool has_cluster_pes(const ElfImage &image);
// Returns true if the program starts the programs of all PEs but the first one, on which it runs itself.
bool starts_programs(const ElfImage &image);

} // namespace skerry::sim
