// SPDX-License-Identifier: BSD-3-Clause
// A master in C++, for cxx.sh: starts N clusters, each of which squares its part of a vector, and checks the squares.
#include <mppa_async.h>
#include <mppa_power.h>
#include <utask.h>

#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

static int run(int clusters) {
    constexpr int part = 1000;
    std::vector<double> numbers(static_cast<std::size_t>(clusters * part));
    for (std::size_t i = 0; i < numbers.size(); i++) numbers[i] = 0.5 * static_cast<double>(i);
    mppa_rpc_server_init(1, 0, clusters);
    mppa_async_server_init();
    utask_t server;
    utask_create(
        &server, nullptr, [](void *) -> void * { return reinterpret_cast<void *>(mppa_rpc_server_start()); }, nullptr);
    mppa_async_segment_t segment;
    if (mppa_async_segment_create(&segment, 1, numbers.data(), numbers.size() * sizeof numbers[0], 0, 0, nullptr) != 0)
        throw std::runtime_error("no segment");
    for (int i = 0; i < clusters; i++) {
        const std::string number = std::to_string(i), size = std::to_string(part);
        const char *arguments[] = {number.c_str(), size.c_str(), nullptr};
        if (mppa_power_base_spawn(i, "cxx_cluster", arguments, nullptr, MPPA_POWER_SHUFFLING_ENABLED) != i)
            throw std::runtime_error("no cluster");
    }
    for (int i = 0; i < clusters; i++) {
        int status = -1;
        mppa_power_base_waitpid(i, &status, 0);
        if (status != i)
            throw std::runtime_error("cluster " + std::to_string(i) + " ended with " + std::to_string(status));
    }
    for (std::size_t i = 0; i < numbers.size(); i++)
        if (numbers[i] != 0.25 * static_cast<double>(i) * static_cast<double>(i))
            throw std::out_of_range("number " + std::to_string(i));
    return 0;
}

int main(int argc, char **argv) {
    try {
        std::istringstream words(argc > 1 ? argv[1] : "");
        int clusters;
        if (!(words >> clusters)) throw std::invalid_argument("usage: cxx_io CLUSTERS");
        std::cout << "code " << run(clusters) << std::endl;
    } catch (const std::logic_error &error) {
        std::cout << "wrong: " << error.what() << '\n';
        return 3;
    }
    return 0;
}
