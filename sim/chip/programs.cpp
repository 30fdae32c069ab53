// SPDX-License-Identifier: BSD-3-Clause
#include "chip/programs.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "chip/core_kinds.hpp"

namespace skerry::sim {
namespace {

constexpr std::size_t most_strings = 1024;
constexpr std::uint32_t clusters = 16; // of an MPPA; their PEs are between those of the two I/O programs

bool read_word(TargetMemory &memory, std::uint32_t address, std::uint32_t &value) {
    std::array<std::uint8_t, 4> bytes{};
    if (!memory.read(address, bytes)) return false;
    value = bytes[0] | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 | std::uint32_t{bytes[3]} << 24;
    return true;
}

// Reads an array of addresses of strings that ends with a 0.
bool read_strings(TargetMemory &memory, std::uint32_t array, std::vector<std::string> &strings) {
    for (std::uint32_t address = 0; strings.size() < most_strings; array += 4) {
        if (!read_word(memory, array, address)) return false;
        if (address == 0) return true;
        if (!read_string(memory, address, strings.emplace_back())) return false;
    }
    return false;
}

bool is_program(const std::filesystem::path &path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

bool is_same(const ElfImage &one, const ElfImage &other) {
    const auto same_segment = [](const Segment &a, const Segment &b) {
        return a.address == b.address && a.size == b.size && a.bytes == b.bytes;
    };
    const auto same_symbol = [](const Symbol &a, const Symbol &b) {
        return a.address == b.address && a.name == b.name;
    };
    return one.entry == other.entry && std::ranges::equal(one.segments, other.segments, same_segment) &&
           std::ranges::equal(one.symbols, other.symbols, same_symbol);
}

} // namespace

bool Programs::read(const HostWords &words, TargetMemory &memory, Request &request) const {
    std::array<std::uint32_t, 5> description{};
    for (std::size_t k = 0; k < description.size(); k++) {
        if (!read_word(memory, words[1] + 4 * static_cast<std::uint32_t>(k), description[k])) return false;
    }
    const auto [name, arguments, environment, text, bytes] = description;
    request.pe = words[0];
    request.text = text;
    request.text_bytes = bytes;
    if (environment == 0) request.environment = loader_.environment();
    request.serves = name == 0;
    return (request.serves || read_string(memory, name, request.name)) &&
           read_strings(memory, arguments, request.arguments) &&
           (environment == 0 || read_strings(memory, environment, request.environment));
}

// Finds a program. A name with a slash is a path. Any other name is searched for in the folder of the first program, in the
// working directory, and in the folders of PATH. Returns an empty string, or the text of the error.
std::string Programs::find(const std::string &name, std::string &path) const {
    if (name.find('/') != std::string::npos) {
        path = name;
        return is_program(path) ? "" : "there is no such program";
    }
    std::vector<std::filesystem::path> folders{std::filesystem::path(loader_.arguments().front()).parent_path(), "."};
    const char *variable = std::getenv("PATH");
    std::string_view rest = variable != nullptr ? variable : "";
    while (!rest.empty()) {
        const std::string_view folder = rest.substr(0, rest.find(':'));
        if (!folder.empty()) folders.emplace_back(folder);
        rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    }
    for (const std::filesystem::path &folder : folders) {
        path = folder / name;
        if (is_program(path)) return {};
    }
    return "there is no such program in this program's folder, in the working directory or in PATH";
}

std::string Programs::read_image(Request &request, ElfImage &image) const {
    if (request.serves) {
        request.path = loader_.arguments().front();
        image = *first_;
        return {};
    }
    std::string error = find(request.name, request.path);
    if (error.empty()) error = read_elf(request.path, instruction_set(map_.machine()).format, image);
    return error.empty() ? loader_.misfit_of_program(image, request.pe, *first_) : error;
}

// Stores a program if it is a new one. Returns its index.
std::size_t Programs::keep(const Request &request, std::unique_ptr<ElfImage> image) {
    const auto found = std::ranges::find_if(images_, [&](const auto &one) { return is_same(*one, *image); });
    if (found != images_.end()) return static_cast<std::size_t>(found - images_.begin());
    images_.push_back(std::move(image));
    std::error_code error;
    const std::filesystem::path path(request.path);
    started_.push_back({static_cast<std::uint32_t>(images_.size()),
                        request.serves ? "server of the second I/O node" : path.filename().string(),
                        std::filesystem::absolute(path, error).lexically_normal().string(), images_.back().get()});
    return images_.size() - 1;
}

std::string Programs::start(const Request &request, std::unique_ptr<ElfImage> image, std::uint64_t now) {
    const auto before = program_of_pe_.find(request.pe);
    const ElfImage *const old = before != program_of_pe_.end() ? images_[before->second].get() : nullptr;
    std::string error =
        loader_.load_program(*image, request.pe, old, request.arguments, request.environment, request.serves);
    if (!error.empty()) return error;
    const std::size_t index = keep(request, std::move(image));
    program_of_pe_[request.pe] = index;
    for (const std::uint32_t k : loader_.cores_of_pe(request.pe)) {
        observers_.program_starts(k, map_.core(k), now, started_[index]);
        map_.core(k).start(images_[index]->entry, now + 1);
        scheduler_.changed(k);
    }
    return {};
}

std::uint32_t Programs::serve(const HostWords &words, TargetMemory &memory, std::uint64_t now) {
    Request request;
    std::string error;
    if (!read(words, memory, request)) {
        if (request.text_bytes == 0) return EFAULT;
        error = "its name, arguments and environment may have at most 1024 strings of 4095 characters each";
    }
    const std::vector<std::uint32_t> cores = loader_.cores_of_pe(request.pe);
    if (first_ == nullptr || request.pe == 0 || cores.empty()) return EINVAL;
    const bool starts = words.back() == start_service;
    if (starts && std::ranges::any_of(cores, [this](std::uint32_t k) { return map_.core(k).is_answer_due(); }))
        return EBUSY;
    auto image = std::make_unique<ElfImage>();
    if (error.empty()) error = read_image(request, *image);
    if (error.empty()) error = loader_.misfit_of_arguments(*image, request.pe, request.arguments, request.environment);
    if (error.empty() && starts) error = start(request, std::move(image), now);
    if (error.empty()) return 0;
    if (request.text_bytes == 0) return ENOEXEC;
    error.resize(std::min<std::size_t>(error.size(), request.text_bytes - 1));
    const auto *begin = reinterpret_cast<const std::uint8_t *>(error.c_str());
    return memory.write(request.text, {begin, error.size() + 1}) ? ENOEXEC : EFAULT;
}

// Returns the PE of a core of the job.
std::optional<std::uint32_t> Programs::pe_of(std::uint32_t index) const {
    const auto &members = loader_.members();
    const auto found = std::ranges::find(members, index);
    if (found == members.end()) return std::nullopt;
    return loader_.pe_of(static_cast<std::size_t>(found - members.begin()));
}

const ElfImage &Programs::image_of(const Core &core, const ElfImage &first) const {
    const auto pe = pe_of(map_.place_for_core(core.id() << 20));
    if (images_.empty() || !pe) return first;
    const auto program = program_of_pe_.find(*pe);
    return program == program_of_pe_.end() ? first : *images_[program->second];
}

std::optional<std::uint32_t> Programs::core_of_first() const {
    const std::vector<std::uint32_t> cores = loader_.cores_of_pe(0);
    return are_possible() && !cores.empty() ? std::optional(cores.front()) : std::nullopt;
}

std::string Programs::owner_of(std::uint32_t index) const {
    const auto pe = pe_of(index);
    if (!pe || !loader_.are_pes_clusters()) return {};
    if (first_ == nullptr) return fmt::format(" of PE {}", *pe);
    const auto program = program_of_pe_.find(*pe);
    const std::string name = program == program_of_pe_.end()
                                 ? std::filesystem::path(loader_.arguments().front()).filename().string()
                                 : started_[program->second].name;
    if (*pe == 0) return fmt::format(" of I/O 128 ({})", name);
    return *pe <= clusters ? fmt::format(" of cluster {} ({})", *pe - 1, name) : fmt::format(" of I/O 192 ({})", name);
}

} // namespace skerry::sim
