// SPDX-License-Identifier: BSD-3-Clause
// Builds the ten words that describe a job to its program, and the data to which these words point.
#include "host/job.hpp"

#include <algorithm>

namespace skerry::sim {
namespace {

constexpr std::uint32_t word_bytes = 4;

// Collects the bytes of a block of memory that begins at a given address. Each function add_... or align appends bytes
// at the end.
class Block {
  public:
    explicit Block(std::uint32_t address) : begin_(address) {
    }
    std::uint32_t end() const {
        return begin_ + static_cast<std::uint32_t>(bytes.size());
    }
    void align() {
        while (bytes.size() % word_bytes != 0) bytes.push_back(0);
    }
    void add_word(std::uint32_t value) {
        for (unsigned k = 0; k < word_bytes; k++) bytes.push_back(static_cast<std::uint8_t>(value >> 8 * k));
    }
    // Appends the strings, and then the array of their addresses, which ends with a 0. Returns the address of the
    // array.
    std::uint32_t add_strings(const std::vector<std::string> &texts) {
        std::vector<std::uint32_t> places;
        for (const std::string &text : texts) {
            places.push_back(end());
            bytes.insert(bytes.end(), text.begin(), text.end());
            bytes.push_back(0);
        }
        align();
        const std::uint32_t array = end();
        for (const std::uint32_t place : places) add_word(place);
        add_word(0);
        return array;
    }
    std::uint32_t add_half_words(const std::vector<std::uint32_t> &values) {
        const std::uint32_t at = end();
        for (const std::uint32_t value : values) {
            bytes.push_back(static_cast<std::uint8_t>(value));
            bytes.push_back(static_cast<std::uint8_t>(value >> 8));
        }
        align();
        return at;
    }

    std::vector<std::uint8_t> bytes;

  private:
    std::uint32_t begin_;
};

// Returns the largest n for which the first n PEs are on neighbouring cores of one row.
std::uint32_t columns_of(const Job &job) {
    std::uint32_t count = 1;
    while (count < job.cores.size() && job.cores[count] == job.cores.front() + count) count++;
    return count;
}

// Returns true if the cores form a rectangle of `columns` columns in which the PEs follow each other row by row.
bool is_rectangle(const Job &job, std::uint32_t columns) {
    const std::uint32_t first = job.cores.front();
    for (std::uint32_t k = 0; k < job.cores.size(); k++) {
        if (job.cores[k] != first + (k / columns << 6) + k % columns) return false;
    }
    return true;
}

// Returns the address of the first double word after the image's segments in external memory.
std::uint32_t first_free(const ElfImage &image, const Job &job) {
    std::uint32_t end = job.external_begin;
    for (const Segment &s : image.segments) {
        if (s.address - job.external_begin < job.external_end - job.external_begin)
            end = std::max(end, s.address + s.size);
    }
    return (end + 7) / 8 * 8;
}

} // namespace

std::string describe_job(const ElfImage &image, const Job &job, const JobWriter &write) {
    const Symbol *symbol = image.find("skerry_job");
    if (symbol == nullptr || job.cores.empty()) return {};
    const bool has_external = job.external_begin != job.external_end;
    const std::uint32_t columns = columns_of(job);
    const Symbol *list = image.find("environ"); // the C library's variable; only programs that use it have this symbol
    std::uint32_t environment = 0;
    const std::uint32_t free = first_free(image, job);
    Block block(free);
    Block words(symbol->address);
    words.add_word(static_cast<std::uint32_t>(job.cores.size()));
    words.add_word(columns);
    words.add_word(job.cores.front());
    if (is_rectangle(job, columns)) words.add_word(0);
    else if (has_external) words.add_word(block.add_half_words(job.cores));
    else return "cores that do not form a rectangle need external memory for the table of their numbers";
    words.add_word(job.cycles_per_second);
    if (has_external) {
        words.add_word(static_cast<std::uint32_t>(job.arguments.size()));
        words.add_word(block.add_strings(job.arguments));
        environment = block.add_strings(job.environment);
        words.add_word(environment);
        while (block.bytes.size() % 8 != 0) block.bytes.push_back(0);
        words.add_word(block.end());
        words.add_word(job.external_end);
        if (block.end() > job.external_end || !write(0, free, block.bytes)) {
            return "arguments and environment do not fit external memory";
        }
    } else {
        for (int k = 0; k < 5; k++) words.add_word(0);
    }
    for (std::uint32_t k = 0; k < job.cores.size(); k++) {
        if (!write(k, symbol->address, words.bytes)) return "the job's description is not in a core's memory";
        if (list == nullptr || environment == 0) continue;
        Block pointer(list->address);
        pointer.add_word(environment);
        if (!write(k, list->address, pointer.bytes)) return "the C library's environ is not in memory";
    }
    return {};
}

} // namespace skerry::sim
