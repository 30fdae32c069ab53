// SPDX-License-Identifier: BSD-3-Clause
// Starts programs on clusters, when the job's first program asks for it (src/machine/mppa/programs.c). The first program runs
// on PE 0, and the others run on the other PEs.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chip/loader.hpp"
#include "chip/observer.hpp"
#include "chip/scheduler.hpp"
#include "host/semihost.hpp"

namespace skerry::sim {

class Programs {
  public:
    Programs(AddressMap &map, Scheduler &scheduler, Loader &loader, const Observers &observers)
        : map_(map), scheduler_(scheduler), loader_(loader), observers_(observers) {
    }

    // Sets the job's first program, which must live as long as the chip runs.
    void begin(const ElfImage &first) {
        first_ = &first;
    }

    // The number of the service by which a program requests to start another one. The words are the PE and the address of
    // a description, which has these words: the address of the program's name (0: the first program, which does not run `main`
    // there, but only serves other PEs); the addresses of the arrays of its
    // arguments and of its environment, each of which ends with a 0 (environment 0: that of the first program); the address
    // and the size of memory for a text.
    static constexpr std::uint32_t start_service = 0x5b02;
    static constexpr std::uint32_t check_service = 0x5b03; // only checks whether the program can be started
    static constexpr bool has_service(std::uint32_t number) {
        return number == start_service || number == check_service;
    }
    // Executes such a request in cycle `now`. Returns 0, or an error number of Linux:
    // * EFAULT: the description is not in memory.
    // * EBUSY: a core of the PE waits for an answer. The program must try again.
    // * ENOEXEC: the program cannot be started. The text that says why has been stored.
    std::uint32_t serve(const HostWords &words, TargetMemory &memory, std::uint64_t now);

    // Returns true if begin() was called.
    bool are_possible() const {
        return first_ != nullptr;
    }
    // Returns the image of the program that runs on a core. That is `first` if the core's PE runs none that was started.
    const ElfImage &image_of(const Core &core, const ElfImage &first) const;
    // Returns the index of the first core of PE 0, or nothing if the job has one program.
    std::optional<std::uint32_t> core_of_first() const;
    // Returns the PE of a core, in words, and its program: " of cluster 0 (worker)", " of I/O 128 (master)", or, if the job has one
    // program, " of PE 0". Returns an empty text if each core is a PE.
    std::string owner_of(std::uint32_t index) const;
    // Returns the programs that were started, each once, by number from 1 on.
    const std::vector<StartedProgram> &started() const {
        return started_;
    }

  private:
    struct Request {
        std::uint32_t pe = 0;
        bool serves = false; // without a name
        std::string name;
        std::string path; // of the program's file
        std::vector<std::string> arguments;
        std::vector<std::string> environment;
        std::uint32_t text = 0;
        std::uint32_t text_bytes = 0;
    };
    bool read(const HostWords &words, TargetMemory &memory, Request &request) const;
    std::string read_image(Request &request, ElfImage &image) const;
    std::string start(const Request &request, std::unique_ptr<ElfImage> image, std::uint64_t now);
    std::size_t keep(const Request &request, std::unique_ptr<ElfImage> image);
    std::string find(const std::string &name, std::string &path) const;
    std::optional<std::uint32_t> pe_of(std::uint32_t index) const;

    AddressMap &map_;
    Scheduler &scheduler_;
    Loader &loader_;
    const Observers &observers_;
    const ElfImage *first_ = nullptr;
    std::vector<std::unique_ptr<ElfImage>> images_;      // different programs that were started
    std::vector<StartedProgram> started_;                // with these images
    std::map<std::uint32_t, std::size_t> program_of_pe_; // index of the last program that was started there
};

} // namespace skerry::sim
