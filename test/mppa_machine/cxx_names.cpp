// SPDX-License-Identifier: BSD-3-Clause
// Names of C++ that need more of the machine than most: std::thread::hardware_concurrency, std::random_device, std::atomic of
// more than 8 bytes, std::quick_exit. Prints its random numbers. Argument: the number of cores.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>
#include <unistd.h>

namespace {

constexpr int threads = 16, rounds = 60;

void require(bool condition, const char *what) {
    if (condition) return;
    std::printf("wrong: %s\n", what);
    std::fflush(stdout);
    std::_Exit(1);
}

// All words of a Block have the same value. A reader that sees two values has read parts of two stores.
template <int size> struct Block {
    int words[size];
    bool is_whole() const {
        for (const int word : words)
            if (word != words[0]) return false;
        return true;
    }
    void add(int number) {
        for (int &word : words) word += number;
    }
};

template <int size> void test_atomic() {
    std::atomic<Block<size>> shared(Block<size>{});
    std::atomic<int> torn{0}, sum{0};
    require(!shared.is_lock_free(), "is_lock_free");
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < rounds; i++) {
        Block<size> old = shared.load();
        Block<size> changed;
        do {
            if (!old.is_whole()) torn++;
            changed = old;
            changed.add(1);
        } while (!shared.compare_exchange_weak(old, changed));
    }
    require(torn == 0, "a load of parts of two values");
    require(shared.load().words[size - 1] == threads * rounds, "a lost addition");
    // Each exchange takes what the one before stored. So all numbers but the last are taken once.
    shared.store(Block<size>{});
#pragma omp parallel num_threads(threads)
    for (int i = 1; i <= rounds; i++) {
        Block<size> mine{};
        mine.add(i);
        const Block<size> old = shared.exchange(mine);
        if (!old.is_whole()) torn++;
        sum += old.words[0];
    }
    const Block<size> last = shared;
    require(torn == 0 && sum + last.words[0] == threads * rounds * (rounds + 1) / 2, "exchange");
}

struct Bytes {
    char text[5];
};

void test_five_bytes() {
    std::atomic<Bytes> bytes(Bytes{"four"});
    Bytes expected{"five"};
    require(!bytes.compare_exchange_strong(expected, Bytes{"none"}) && expected.text[1] == 'o', "a failed exchange");
    require(bytes.compare_exchange_strong(expected, Bytes{"none"}) && bytes.load().text[0] == 'n', "an exchange");
}

void test_random_device() {
    std::random_device device, other;
    const unsigned first = device(), second = device(), third = other();
    require(first != second && second != third && first != third, "random_device returns a number twice");
    std::printf("random %08x %08x\n", first, second);
    unsigned char bytes[257];
    require(getentropy(bytes, 257) == -1, "getentropy of 257 bytes");
    for (unsigned char &byte : bytes) byte = 0;
    require(getentropy(bytes, 11) == 0 && bytes[11] == 0, "getentropy of 11 bytes");
}

} // namespace

int main(int, char **arguments) {
    require(std::thread::hardware_concurrency() == std::strtoul(arguments[1], nullptr, 10), "hardware_concurrency");
    test_random_device();
    test_five_bytes();
    test_atomic<3>();
    test_atomic<4>();
    test_atomic<16>();
    std::atexit([] { std::puts("wrong: a function of atexit"); });
    std::at_quick_exit([] {
        std::puts("second");
        std::fflush(stdout);
    });
    std::at_quick_exit([] { std::puts("first"); });
    std::quick_exit(5);
}
