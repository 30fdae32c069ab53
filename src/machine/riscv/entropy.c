// SPDX-License-Identifier: BSD-3-Clause
// getentropy, from which std::random_device and arc4random take their numbers. A simulated chip has no source of chance,
// and each run must be like the one before. So the numbers are a sequence that is different for each process.
#include "worker_world.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define BYTES_MAX 256u // of one call, as in POSIX

uint32_t skerry_entropy_place;

// Returns number `index` of the sequence of SplitMix64 (Steele, Lea and Flood 2014).
static uint64_t number_of_sequence(uint64_t index) {
    uint64_t bits = index * UINT64_C(0x9e3779b97f4a7c15);
    bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
    return bits ^ bits >> 31;
}

int getentropy(void *to, size_t bytes) {
    static uint32_t taken; // numbers, by all threads
    if (bytes > BYTES_MAX) {
        errno = EIO;
        return -1;
    }
    for (size_t done = 0, part; done < bytes; done += part) {
        const uint32_t place = __atomic_add_fetch(&taken, 1, __ATOMIC_RELAXED);
        const uint64_t number = number_of_sequence((uint64_t)skerry_entropy_place << 32 | place);
        part = bytes - done < sizeof number ? bytes - done : sizeof number;
        memcpy((char *)to + done, &number, part);
    }
    return 0;
}
