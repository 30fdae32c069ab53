// SPDX-License-Identifier: BSD-3-Clause
#include "chip/loader.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "chip/core_view.hpp"
#include "host/job.hpp"

namespace skerry::sim {

bool is_job(const ElfImage &image) {
    return image.find("skerry_job") != nullptr;
}

bool has_cluster_pes(const ElfImage &image) {
    return image.find("skerry_pe_is_cluster") != nullptr;
}

bool starts_programs(const ElfImage &image) {
    return has_cluster_pes(image) && image.find("skerry_program_start") != nullptr;
}

// Compares this chip with the machine for which the image (the program file) was linked. `oshcc --machine` has stored
// the properties of that machine as absolute symbols in the image. Returns an empty string if the image can run on this
// chip. If not, returns the reason.
std::string Loader::misfit(const ElfImage &image, std::uint32_t cores) const {
    const Machine &machine = map_.machine();
    const auto told = [&](std::string_view name, std::uint32_t otherwise) {
        const Symbol *symbol = image.find(name);
        return symbol != nullptr && symbol->absolute ? symbol->address : otherwise;
    };
    if (const std::uint32_t most = told("__skerry_pes_max", cores); most < cores) {
        return fmt::format("it was linked for a machine of {} cores, and cannot run on {} cores of {}", most, cores,
                           machine.name);
    }
    if (const std::uint32_t bytes = told("__skerry_local_bytes", 0); bytes > machine.local_memory) {
        return fmt::format("it was linked for cores with {} KB of memory, and the cores of {} have {} KB", bytes / 1024,
                           machine.name, machine.local_memory / 1024);
    }
    if (has_cluster_pes(image)) {
        if (std::string error = misfit_of_clusters(cores); !error.empty()) return error;
    }
    const std::uint32_t cluster = machine.cluster_of(members_.front());
    const bool in_one = std::ranges::all_of(std::span(members_).first(cores),
                                            [&](std::uint32_t k) { return machine.cluster_of(k) == cluster; });
    if (image.find("skerry_one_cluster") != nullptr && !in_one) {
        return fmt::format(
            "its threads share one memory, but the {} cores are in several clusters of {}; -n and --cores "
            "choose fewer cores",
            cores, machine.name);
    }
    return {};
}

// Compares the cores with those of whole clusters.
std::string Loader::misfit_of_clusters(std::uint32_t cores) const {
    const Machine &machine = map_.machine();
    bool fits = machine.cluster.global != 0;
    for (std::uint32_t k = 0; k < cores && fits;) {
        const std::vector<std::uint32_t> whole = machine.cores_of_cluster(machine.cluster_of(members_[k]));
        const auto count = static_cast<std::uint32_t>(whole.size());
        fits = count <= cores - k && std::ranges::equal(whole, std::span(members_).subspan(k, count));
        k += count;
    }
    return fits ? std::string()
                : fmt::format("its PEs are clusters, and the {} cores of {} are not", cores, machine.name);
}

// Finds the PE of each member, in a job whose PEs are clusters.
void Loader::make_pes() {
    const Machine &m = map_.machine();
    pes_.clear();
    for (std::size_t k = 0; k < members_.size(); k++) {
        const bool is_next = k != 0 && m.cluster_of(members_[k]) != m.cluster_of(members_[k - 1]);
        pes_.push_back(k == 0 ? 0 : pes_.back() + (is_next ? 1 : 0));
        map_.shared(m.cluster_of(members_[k])).set_own_base(m.cluster.global + pes_.back() * m.shared.size);
    }
}

std::vector<std::uint32_t> Loader::cores_of_pe(std::uint32_t pe) const {
    std::vector<std::uint32_t> cores;
    for (std::size_t k = 0; k < members_.size(); k++) {
        if (pe_of(k) == pe) cores.push_back(members_[k]);
    }
    return cores;
}

std::string Loader::load(const ElfImage &image, std::uint32_t cores, bool may_write_code) {
    if (std::string error = misfit(image, cores); !error.empty()) return error;
    pes_.clear();
    if (has_cluster_pes(image)) make_pes();
    const Cores used = std::span(members_).first(cores);
    if (std::string error = copy(image, used); !error.empty()) return error;
    if (std::string error = describe_job_to(image, used, 0, arguments_, environment_); !error.empty()) return error;
    if (!is_job(image)) {
        if (std::string error = place_newlib_environment(image, used); !error.empty()) return error;
    }
    if (!may_write_code) protect(image, used);
    forbid(image, used);
    return {};
}

namespace {

// Returns the address of a symbol, or 0.
std::uint32_t address_of(const ElfImage &image, std::string_view name) {
    const Symbol *symbol = image.find(name);
    return symbol != nullptr ? symbol->address : 0;
}

// Returns true if the variables that programs of one job find in each other's memory have the same addresses in two
// programs.
bool has_same_common(const ElfImage &one, const ElfImage &other) {
    const auto places = [](const ElfImage &image) {
        const std::uint32_t begin = address_of(image, "skerry_common_begin");
        const std::uint32_t end = address_of(image, "skerry_common_end");
        std::map<std::string_view, std::uint32_t> found;
        for (const Symbol &s : image.symbols) {
            if (s.address - begin < end - begin && !s.absolute && s.size != 0) found.emplace(s.name, s.address);
        }
        return found;
    };
    const auto there = places(other);
    return address_of(one, "skerry_common_begin") == address_of(other, "skerry_common_begin") &&
           std::ranges::all_of(places(one), [&](const auto &variable) {
               const auto found = there.find(variable.first);
               return found == there.end() || found->second == variable.second;
           });
}

} // namespace

std::string Loader::misfit_of_program(const ElfImage &image, std::uint32_t pe, const ElfImage &first) {
    if (!has_cluster_pes(image)) return "it is no program for a cluster (oshcc --machine)";
    if (std::string error = misfit(image, static_cast<std::uint32_t>(members_.size())); !error.empty()) return error;
    if (!has_same_common(image, first)) return "it was linked with another version of the library than this program";
    for (const Segment &s : image.segments) {
        if (std::string error = misfit_of_segment(s, places_of(s.address, s.size, cores_of_pe(pe))); !error.empty())
            return "it does not fit the memory of a cluster: " + error;
    }
    return {};
}

std::string Loader::load_program(const ElfImage &image, std::uint32_t pe, const ElfImage *before,
                                 const std::vector<std::string> &arguments, const std::vector<std::string> &environment,
                                 bool serves) {
    const std::vector<std::uint32_t> cores = cores_of_pe(pe);
    const std::uint32_t begin = address_of(image, "skerry_common_begin");
    const auto common_bytes = [&](const ElfImage &of) { return address_of(of, "skerry_common_end") - begin; };
    if (before != nullptr)
        clear(map_.machine().cluster_of(cores.front()), std::min(common_bytes(image), common_bytes(*before)));
    if (std::string error = copy(image, cores, before != nullptr); !error.empty()) return error;
    if (std::string error = describe_job_to(image, cores, pe, arguments, environment, serves); !error.empty())
        return error;
    protect(image, cores);
    forbid(image, cores);
    return {};
}

// Clears the memory of a cluster, except its first bytes, and ends the protection of its code.
void Loader::clear(std::uint32_t cluster, std::uint32_t kept) {
    Memory &memory = map_.shared(cluster).memory;
    memory.unprotect();
    memory.write_bytes(kept, std::vector<std::uint8_t>(memory.size() - kept));
}

// Makes a core stop at accesses that only a mistake of the program can make. The image names two addresses: of the
// first data in a core's memory, and of the end of the program's own code, in which no integer is divided by zero.
void Loader::forbid(const ElfImage &image, Core &core) {
    const Symbol *data = image.find("skerry_data_begin"), *libraries = image.find("skerry_library_code");
    if (data != nullptr && data->address + 8 <= core.memory.size()) core.refuse_data_below(data->address);
    if (libraries != nullptr) core.refuse_divisions_by_zero(libraries->address);
}

void Loader::forbid(const ElfImage &image, Cores cores) {
    for (const std::uint32_t k : cores) forbid(image, map_.core(k));
    if (const Symbol *least = image.find("__stack_limit")) {
        for (const std::uint32_t k : cores) map_.core(k).limit_stack(least->address);
    }
}

// Returns the places to which a range of addresses leads for these cores, each place once.
std::vector<Place> Loader::places_of(std::uint32_t address, std::uint32_t bytes, Cores cores) {
    std::vector<Place> places;
    for (const std::uint32_t k : cores) {
        const Place place = map_.place_of(map_.core(k), address, bytes);
        const bool is_new = places.empty() || (places.back().memory != place.memory &&
                                               std::ranges::find(places, place.memory, &Place::memory) == places.end());
        if (is_new) places.push_back(place);
    }
    return places;
}

std::string Loader::misfit_of_segment(const Segment &segment, const std::vector<Place> &places) const {
    if (std::ranges::find(places, nullptr, &Place::memory) == places.end()) return {};
    return fmt::format("{:#x} bytes at {:#010x} are not memory of {}", segment.size, segment.address,
                       map_.machine().name);
}

// Copies the segments. If `keeps_common` is true, leaves out the one of the common memory.
std::string Loader::copy(const ElfImage &image, Cores cores, bool keeps_common) {
    const std::uint32_t common = keeps_common ? address_of(image, "skerry_common_begin") : 0;
    for (const Segment &s : image.segments) {
        if (keeps_common && s.address == common) continue;
        const std::vector<Place> places = places_of(s.address, s.size, cores);
        if (std::string error = misfit_of_segment(s, places); !error.empty()) return error;
        for (const Place &place : places) {
            std::vector<std::uint8_t> bytes = s.bytes;
            bytes.resize(s.size);
            place.memory->write_bytes(place.offset, bytes);
        }
    }
    return {};
}

// A job uses only the last range of external memory. The other ranges are for programs that are linked with newlib and
// without Skerry's library. In a job of several programs each PE has a part of this range.
Job Loader::job_of(Cores cores, std::uint32_t pe, bool has_programs, const std::vector<std::string> &arguments,
                   const std::vector<std::string> &environment) const {
    const Machine &machine = map_.machine();
    Job job;
    for (const std::uint32_t k : has_programs ? Cores(members_) : cores) job.cores.push_back(machine.core_id(k));
    job.cycles_per_second = machine.megahertz * 1'000'000;
    job.arguments = arguments;
    job.environment = environment;
    if (!machine.external.empty()) {
        const Window &last = machine.external.back();
        const std::uint32_t part = has_programs ? last.size / (pe_of(members_.size() - 1) + 1) / 8 * 8 : last.size;
        job.external_begin = last.base + pe * part;
        job.external_end = job.external_begin + part;
    }
    return job;
}

std::string Loader::misfit_of_arguments(const ElfImage &image, std::uint32_t pe,
                                        const std::vector<std::string> &arguments,
                                        const std::vector<std::string> &environment) const {
    const Job job = job_of(members_, pe, true, arguments, environment);
    return describe_job(image, job, [](std::uint32_t, std::uint32_t, std::span<const std::uint8_t>) { return true; });
}

std::string Loader::describe_job_to(const ElfImage &image, Cores cores, std::uint32_t pe,
                                    const std::vector<std::string> &arguments,
                                    const std::vector<std::string> &environment, bool serves) {
    const bool has_programs = pe != 0 || starts_programs(image);
    const Job job = job_of(cores, pe, has_programs, arguments, environment);
    const auto write = [&](std::uint32_t index, std::uint32_t address, std::span<const std::uint8_t> bytes) {
        return map_.write(map_.core(index), address, bytes);
    };
    const Symbol *has = has_programs ? image.find("skerry_is_of_programs") : nullptr;
    const std::array<std::uint8_t, 4> kind = {static_cast<std::uint8_t>(serves ? 2 : 1)}; // src/machine/mppa/start.h
    if (has != nullptr && !write(cores.front(), has->address, kind)) return "skerry_is_of_programs is not in memory";
    return describe_job(image, job, [&](std::uint32_t k, std::uint32_t address, std::span<const std::uint8_t> bytes) {
        if (!has_programs) return write(cores[k], address, bytes);
        return k != 0 || write(cores.front(), address, bytes);
    });
}

std::string Loader::place_newlib_environment(const ElfImage &image, Cores cores) {
    if (environment_.empty()) return {};
    for (const std::uint32_t k : cores) {
        CoreView seen(map_, map_.core(k));
        if (std::string error = place_environment(image, environment_, seen); !error.empty()) return error;
    }
    return {};
}

// Write-protects the image's code. The interrupt vectors (the first bytes of a core's memory) are a special case:
// * In a program with Skerry's library the linker sets the vectors. A store to them is a mistake, most likely a store
//   through a null pointer. The vectors are protected.
// * A program without Skerry's library can set the vectors at run time. The vectors stay writable.
void Loader::protect(const ElfImage &image, Cores cores) {
    const std::uint32_t first = is_job(image) ? 0 : map_.core(cores.front()).set().vector_bytes;
    for (const Range &code : image.code) {
        const std::uint32_t begin = std::max(code.address, first);
        if (begin >= code.address + code.size) continue;
        const std::uint32_t size = code.address + code.size - begin;
        for (const Place &place : places_of(begin, size, cores)) {
            if (place.memory != nullptr) place.memory->protect(place.offset, size);
        }
    }
}

} // namespace skerry::sim
