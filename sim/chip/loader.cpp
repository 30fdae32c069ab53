// SPDX-License-Identifier: BSD-3-Clause
#include "chip/loader.hpp"

#include <algorithm>
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

std::string Loader::load(const ElfImage &image, std::uint32_t cores, bool may_write_code) {
    if (std::string error = misfit(image, cores); !error.empty()) return error;
    pes_.clear();
    for (std::size_t k = 0; has_cluster_pes(image) && k < members_.size(); k++) {
        const Machine &m = map_.machine();
        const bool is_next = k != 0 && m.cluster_of(members_[k]) != m.cluster_of(members_[k - 1]);
        pes_.push_back(k == 0 ? 0 : pes_.back() + (is_next ? 1 : 0));
        map_.shared(m.cluster_of(members_[k])).set_own_base(m.cluster.global + pes_.back() * m.shared.size);
    }
    if (std::string error = copy(image, cores); !error.empty()) return error;
    if (std::string error = describe_job_to(image, cores); !error.empty()) return error;
    if (!is_job(image)) {
        if (std::string error = place_newlib_environment(image, cores); !error.empty()) return error;
    }
    if (!may_write_code) protect(image, cores);
    for (const std::uint32_t k : std::span(members_).first(cores)) forbid(image, map_.core(k));
    if (const Symbol *least = image.find("__stack_limit")) {
        for (const std::uint32_t k : std::span(members_).first(cores)) map_.core(k).limit_stack(least->address);
    }
    return {};
}

// Makes a core stop at accesses that only a mistake of the program can make. The image names two addresses: of the
// first data in a core's memory, and of the end of the program's own code, in which no integer is divided by zero.
void Loader::forbid(const ElfImage &image, Core &core) {
    const Symbol *data = image.find("skerry_data_begin"), *libraries = image.find("skerry_library_code");
    if (data != nullptr && data->address + 8 <= core.memory.size()) core.refuse_data_below(data->address);
    if (libraries != nullptr) core.refuse_divisions_by_zero(libraries->address);
}

// Returns the places to which a range of addresses leads for the first `cores` cores of members(), each place once.
std::vector<Place> Loader::places_of(std::uint32_t address, std::uint32_t bytes, std::uint32_t cores) {
    std::vector<Place> places;
    for (const std::uint32_t k : std::span(members_).first(cores)) {
        const Place place = map_.place_of(map_.core(k), address, bytes);
        const bool is_new = places.empty() || (places.back().memory != place.memory &&
                                               std::ranges::find(places, place.memory, &Place::memory) == places.end());
        if (is_new) places.push_back(place);
    }
    return places;
}

std::string Loader::copy(const ElfImage &image, std::uint32_t cores) {
    for (const Segment &s : image.segments) {
        for (const Place &place : places_of(s.address, s.size, cores)) {
            if (place.memory == nullptr) {
                return fmt::format("{:#x} bytes at {:#010x} are not memory of {}", s.size, s.address,
                                   map_.machine().name);
            }
            std::vector<std::uint8_t> bytes = s.bytes;
            bytes.resize(s.size);
            place.memory->write_bytes(place.offset, bytes);
        }
    }
    return {};
}

std::string Loader::describe_job_to(const ElfImage &image, std::uint32_t cores) {
    const Machine &machine = map_.machine();
    Job job;
    for (std::uint32_t k = 0; k < cores; k++) job.cores.push_back(machine.core_id(members_[k]));
    job.cycles_per_second = machine.megahertz * 1'000'000;
    job.arguments = arguments_;
    job.environment = environment_;
    // A job uses only the last range of external memory. The other ranges are for programs that are linked with newlib
    // and without Skerry's library.
    if (!machine.external.empty()) {
        job.external_begin = machine.external.back().base;
        job.external_end = job.external_begin + machine.external.back().size;
    }
    return describe_job(image, job,
                        [this](std::uint32_t k, std::uint32_t address, std::span<const std::uint8_t> bytes) {
                            return map_.write(map_.core(members_[k]), address, bytes);
                        });
}

std::string Loader::place_newlib_environment(const ElfImage &image, std::uint32_t cores) {
    if (environment_.empty()) return {};
    for (const std::uint32_t k : std::span(members_).first(cores)) {
        CoreView seen(map_, map_.core(k));
        if (std::string error = place_environment(image, environment_, seen); !error.empty()) return error;
    }
    return {};
}

// Write-protects the image's code. The interrupt vectors (the first bytes of a core's memory) are a special case:
// * In a program with Skerry's library the linker sets the vectors. A store to them is a mistake, most likely a store
//   through a null pointer. The vectors are protected.
// * A program without Skerry's library can set the vectors at run time. The vectors stay writable.
void Loader::protect(const ElfImage &image, std::uint32_t cores) {
    const std::uint32_t first = is_job(image) ? 0 : map_.core(members_.front()).set().vector_bytes;
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
