// SPDX-License-Identifier: BSD-3-Clause
// C++ with its library in PEs that are clusters: static objects, exceptions and run-time types, containers, streams, clocks;
// the library's locks and threads, and thread-local objects; exceptions of all threads of a PE at once, the first ones of the
// program.
// pes: 1 2 4
// flags: -fopenmp
// expect-exit: 0
// expect-stderr: the first object is destroyed
#include <omp.h>
#include <shmem.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int threads = 16;
int me, pes;

void require(bool condition, const std::string &what) {
    if (condition) return;
    std::cerr << "PE " << me << " of " << pes << ": " << what << std::endl;
    shmem_global_exit(1);
}

std::vector<std::string> names{"first"}; // constructed before main

struct Object {
    explicit Object(int number) : number(number) {
        alive++;
    }
    ~Object() {
        alive--;
        if (number == 0 && shmem_my_pe() == 0) std::cerr << "the first object is destroyed\n";
    }
    int number;
    static std::atomic<int> alive;
};
std::atomic<int> Object::alive;

struct Shape {
    virtual ~Shape() = default;
};
struct Square : Shape {
    double side = 3;
};

struct Failure : std::runtime_error {
    explicit Failure(int thread) : std::runtime_error("thread " + std::to_string(thread)), thread(thread) {
    }
    int thread;
};

__attribute__((noinline)) void fail(int thread) {
    Object local(1);
    throw Failure(thread);
}

// The first exceptions of the program.
void test_exceptions_of_threads() {
    std::atomic<int> caught{0};
#pragma omp parallel num_threads(threads)
    {
        const int thread = omp_get_thread_num();
        for (int i = 0; i < 20; i++) {
            try {
                fail(thread);
            } catch (const std::exception &error) {
                const auto *failure = dynamic_cast<const Failure *>(&error);
                if (failure && failure->thread == thread && error.what() == "thread " + std::to_string(thread))
                    caught++;
            }
        }
    }
    require(caught == 20 * threads, std::to_string(caught) + " exceptions caught");
    require(Object::alive == 0, "unwinding calls destructors");
    const std::unique_ptr<Shape> shape(new Square);
    require(dynamic_cast<Square *>(shape.get())->side == 3, "dynamic_cast");
}

const std::string &lazily() {
    static const std::string text = [] {
        static std::atomic<int> calls{0};
        require(++calls == 1, "a static variable is initialised twice");
        std::this_thread::sleep_for(std::chrono::microseconds(10));
        return std::string("a text that is longer than a short string");
    }();
    return text;
}

void test_threads_of_openmp() {
    static std::mutex mutex;
    static std::once_flag once;
    std::map<int, std::string> texts;
    int calls = 0, refused = 0;
    const auto shared = std::make_shared<int>(7);
#pragma omp parallel num_threads(threads)
    {
        const int thread = omp_get_thread_num();
        std::shared_ptr<int> mine;
        for (int i = 0; i < 50; i++) mine = shared;
        try {
            std::call_once(once, [&] {
                calls++;
                if (calls < 3) throw Failure(thread);
            });
        } catch (const Failure &) {
            const std::lock_guard<std::mutex> lock(mutex);
            refused++;
        }
        std::ostringstream text; // uses the locale, which all threads count
        text << thread << ' ' << 0.5 * thread << ' ' << lazily().size();
        const std::lock_guard<std::mutex> lock(mutex);
        texts[thread] = text.str();
    }
    require(calls == 3 && refused == 2, std::to_string(calls) + " calls of call_once");
    require(shared.use_count() == 1, std::to_string(shared.use_count()) + " owners");
    require(texts.size() == threads && texts[3] == "3 1.5 41", "texts: " + texts[3]);
}

void test_threads_of_library() {
    std::mutex mutex;
    std::condition_variable changed;
    int turn = 0;
    std::vector<std::thread> players;
    for (int i = 0; i < 4; i++) {
        players.emplace_back([&, i] {
            std::unique_lock<std::mutex> lock(mutex);
            changed.wait(lock, [&] { return turn == i; });
            turn++;
            changed.notify_all();
        });
    }
    for (auto &player : players) player.join();
    require(turn == 4, "turn " + std::to_string(turn));
    std::unique_lock<std::mutex> lock(mutex);
    require(changed.wait_for(lock, std::chrono::milliseconds(1)) == std::cv_status::timeout, "wait_for");
}

std::string destroyed; // names of thread-local objects, in the order of their ends

struct Own {
    explicit Own(char name) : name(name) {
    }
    ~Own();
    const char name;
    int uses = 0;
};

template <char name> Own &own() {
    thread_local Own object(name);
    object.uses++;
    return object;
}

Own::~Own() {
    destroyed += name;
    if (name == 'a') own<'c'>(); // a new object
}

// Each thread has new objects, also if its core has run a thread before.
void test_thread_objects() {
    for (int round = 0; round < 3; round++) {
        std::thread([] {
            require(own<'a'>().uses == 1 && own<'b'>().uses == 1, "an object of another thread");
        }).join();
        require(destroyed == "bac", "thread-local objects end as " + destroyed);
        destroyed.clear();
    }
    std::thread([] {}).join();
    require(destroyed.empty(), "an object that was never made ends");
}

void test_library() {
    std::vector<long> numbers(100);
    for (std::size_t i = 0; i < numbers.size(); i++) numbers[i] = static_cast<long>(i * 37 % 100);
    std::sort(numbers.begin(), numbers.end());
    require(numbers[42] == 42 && names.front() == "first", "numbers");
    bool refused = false;
    try {
        numbers.at(100) = 0;
    } catch (const std::out_of_range &) {
        refused = true;
    }
    require(refused, "at()");
    refused = false;
    try {
        numbers.resize(10000000);
    } catch (const std::bad_alloc &) {
        refused = true;
    }
    require(refused && !new (std::nothrow) char[64000000], "no memory");
    std::istringstream words("17 2.5 word");
    int integer;
    double real;
    std::string word;
    words >> integer >> real >> word;
    require(integer == 17 && real == 2.5 && word == "word" && !words.fail(), "words");
    const auto begin = std::chrono::steady_clock::now();
    const auto begin_of_day = std::chrono::system_clock::now();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    const auto took = std::chrono::steady_clock::now() - begin;
    require(took >= std::chrono::microseconds(100) && took < std::chrono::milliseconds(1), "the clock");
    require(std::chrono::system_clock::now() - begin_of_day >= std::chrono::microseconds(99), "the time of day");
}

long arrived[8];

void test_puts() {
    const std::vector<long> sent{10L + me, 20L + me};
    shmem_put(arrived, sent.data(), sent.size(), (me + 1) % pes);
    shmem_barrier_all();
    const long from = (me + pes - 1) % pes;
    require(arrived[0] == 10 + from && arrived[1] == 20 + from, "a put");
}

Object first(0);

} // namespace

int main() {
    shmem_init();
    me = shmem_my_pe();
    pes = shmem_n_pes();
    require(Object::alive == 1, "a static object");
    Object::alive = 0;
    test_threads_of_library(); // first: OpenMP keeps the cores of its threads
    test_thread_objects();
    test_exceptions_of_threads();
    test_threads_of_openmp();
    test_library();
    test_puts();
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
