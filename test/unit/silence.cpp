// SPDX-License-Identifier: BSD-3-Clause
// Tests that silence counts only while the watcher polls regularly (launch/silence.hpp).
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

} // namespace

int main() {
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
