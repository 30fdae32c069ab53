// SPDX-License-Identifier: BSD-3-Clause
// A program for a cluster in C++, for cxx.sh: squares its part of the master's segment with all cores.
#include <mppa_async.h>
#include <omp.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

class Part {
  public:
    Part(int number, int size)
        : numbers(static_cast<std::size_t>(size)), at(static_cast<off64_t>(sizeof(double)) * number * size) {
        if (mppa_async_segment_clone(&segment, 1, nullptr, 0, nullptr) != 0) throw std::runtime_error("no segment");
        mppa_async_get(numbers.data(), &segment, at, bytes(), nullptr);
    }
    ~Part() {
        mppa_async_put(numbers.data(), &segment, at, bytes(), nullptr);
        mppa_async_fence(&segment, nullptr);
    }
    void square() {
        const int count = static_cast<int>(numbers.size());
#pragma omp parallel for
        for (int i = 0; i < count; i++) numbers[static_cast<std::size_t>(i)] *= numbers[static_cast<std::size_t>(i)];
    }

  private:
    std::size_t bytes() const {
        return numbers.size() * sizeof numbers[0];
    }
    std::vector<double> numbers;
    off64_t at;
    mppa_async_segment_t segment;
};

} // namespace

int main(int, char **argv) {
    mppa_rpc_client_init();
    mppa_async_init();
    const int number = std::atoi(argv[0]);
    {
        const std::unique_ptr<Part> part(new Part(number, std::atoi(argv[1])));
        part->square();
    } // puts the squares
    std::cout << "cluster " << number << " of " << omp_get_max_threads() << " threads" << std::endl;
    mppa_async_final();
    return number;
}
