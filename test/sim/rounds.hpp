// SPDX-License-Identifier: BSD-3-Clause
// Chooses how often a test with random inputs repeats.
#pragma once

// Returns the number of rounds for a test that makes `number` rounds without a sanitizer. A sanitizer makes each round
// about ten times as slow, so then the result is a third.
constexpr unsigned rounds(unsigned number) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return number / 3;
#else
    return number;
#endif
}
