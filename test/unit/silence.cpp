// SPDX-License-Identifier: BSD-3-Clause
// Tests that silence counts only while the watcher polls regularly (launch/silence.hpp), and when a silent side counts as
// dead (launch/liveness.hpp).
#include "launch/liveness.hpp"
#include "launch/silence.hpp"

#include <cstdio>

namespace {

int failures = 0;

void expect(bool holds, const char *what) {
    if (holds) return;
    std::printf("wrong: %s\n", what);
    ++failures;
}

// Polls once a second for `seconds` seconds from `begin` on.
double poll_regularly(skerry::Silence &silence, double begin, int seconds) {
    for (int i = 0; i < seconds; ++i) silence.polled(begin += 1);
    return begin;
}

// Answers as long as *answers is true.
class FakeKernel : public skerry::PeerKernel {
  public:
    explicit FakeKernel(const bool &answers) : answers_(answers) {
    }
    bool answers(double) override {
        return answers_;
    }

  private:
    const bool &answers_;
};

// Polls once a second. Returns the number of seconds until the other side counts as dead.
int seconds_to_death(skerry::Liveness &liveness, double begin) {
    for (int i = 1; i < 1000; ++i) {
        liveness.polled(begin + i);
        if (liveness.is_dead()) return i;
    }
    return 1000;
}

void test_liveness() {
    skerry::Liveness unknown(100);
    expect(seconds_to_death(unknown, 100) == 7, "without a kernel to ask, a side is dead after 7 s");
    bool answers = false;
    skerry::Liveness liveness(100);
    liveness.set_kernel(std::make_unique<FakeKernel>(answers));
    expect(seconds_to_death(liveness, 100) == 7, "a side whose kernel does not answer is dead after 7 s");
    answers = true;
    liveness.end_silence();
    expect(seconds_to_death(liveness, 107) == 60, "a side whose kernel answers is dead after 60 s");
    liveness.end_silence();
    for (int i = 1; i <= 20; ++i) {
        liveness.polled(167 + i);
        expect(!liveness.is_dead(), "a starved side lives");
    }
    answers = false;
    expect(seconds_to_death(liveness, 187) == 4, "a starved side is dead 4 s after the last answer of its kernel");
}

} // namespace

int main() {
    test_liveness();
    skerry::Silence silence(100, 1.5);
    double time = poll_regularly(silence, 100, 8);
    expect(silence.seconds() > 7.9 && silence.seconds() < 8.1, "8 s of regular polls are 8 s of silence");
    silence.end();
    expect(silence.seconds() == 0, "something that arrives ends the silence");
    time = poll_regularly(silence, time, 5);
    time += 60; // this process got no processor
    silence.polled(time);
    expect(silence.seconds() < 7, "a minute without a poll is not a minute of silence");
    silence.end(); // a sign of life had arrived meanwhile
    time = poll_regularly(silence, time, 6);
    expect(silence.seconds() < 7, "6 s after a sign of life are no silence of 7 s");
    poll_regularly(silence, time, 2);
    expect(silence.seconds() > 7, "a dead side is noticed after the minute too");
    silence.polled(time - 5);
    expect(silence.seconds() > 7, "a clock that goes back changes nothing");
    return failures > 0;
}
