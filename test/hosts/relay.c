// SPDX-License-Identifier: BSD-3-Clause
// A link with a delay, for the nodes of lab.sh:
//     relay PROCESS NAME_THERE NAME_HERE MICROSECONDS
// makes a network device (tap) in the network namespace of a process and one in its own namespace. It passes each frame
// that one device gets to the other device after the given time. It prints "ready" when both devices exist, and runs
// until it is killed. The kernel completes checksums and cuts large packets before it gives frames to a tap.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { FRAMES_MOST = 4096, FRAME_BYTES = 2048 };

struct frame {
    uint64_t due; // nanoseconds
    size_t bytes;
    char data[FRAME_BYTES];
};

// Frames on the way in one direction, in the order of their arrival. If too many are on the way, further ones are lost,
// as in a switch.
struct direction {
    int from, to;
    struct frame *frames; // a ring
    unsigned first, count;
};

static void check(int result, const char *what) {
    if (result >= 0) return;
    fprintf(stderr, "relay: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int open_tap(const char *name) {
    const int tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    check(tap, "/dev/net/tun");
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    check(ioctl(tap, TUNSETIFF, &request), name);
    return tap;
}

static int open_tap_of(const char *process, const char *name) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%s/ns/net", process);
    const int own = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), other = open(path, O_RDONLY | O_CLOEXEC);
    check(own, "/proc/self/ns/net");
    check(other, path);
    check(setns(other, CLONE_NEWNET), "setns");
    const int tap = open_tap(name);
    check(setns(own, CLONE_NEWNET), "setns");
    return tap;
}

static void take(struct direction *direction, uint64_t delay) {
    while (direction->count < FRAMES_MOST) {
        struct frame *frame = &direction->frames[(direction->first + direction->count) % FRAMES_MOST];
        const ssize_t bytes = read(direction->from, frame->data, sizeof frame->data);
        if (bytes <= 0) return;
        frame->bytes = (size_t)bytes;
        frame->due = now() + delay;
        direction->count++;
    }
    char lost[FRAME_BYTES];
    while (read(direction->from, lost, sizeof lost) > 0) {
    }
}

// Passes on the frames that are due. Returns the time at which the next one is due.
static uint64_t pass(struct direction *direction) {
    while (direction->count > 0) {
        const struct frame *frame = &direction->frames[direction->first];
        if (frame->due > now()) return frame->due;
        // A device that is down or has no room loses the frame.
        if (write(direction->to, frame->data, frame->bytes) < 0 && errno != EAGAIN && errno != EIO) check(-1, "write");
        direction->first = (direction->first + 1) % FRAMES_MOST;
        direction->count--;
    }
    return UINT64_MAX;
}

int main(int argument_count, char **arguments) {
    if (argument_count != 5) {
        fprintf(stderr, "usage: relay PROCESS NAME_THERE NAME_HERE MICROSECONDS\n");
        return 2;
    }
    prctl(PR_SET_TIMERSLACK, 1); // 50 us otherwise
    const uint64_t delay = strtoull(arguments[4], NULL, 10) * 1000;
    const int there = open_tap_of(arguments[1], arguments[2]), here = open_tap(arguments[3]);
    struct direction directions[2] = {{.from = there, .to = here}, {.from = here, .to = there}};
    for (int i = 0; i < 2; i++) {
        directions[i].frames = malloc(FRAMES_MOST * sizeof *directions[i].frames);
        if (!directions[i].frames) check(-1, "memory");
    }
    printf("ready\n");
    fflush(stdout);
    for (;;) {
        const uint64_t first = pass(&directions[0]), second = pass(&directions[1]);
        const uint64_t due = first < second ? first : second, time = now();
        const uint64_t left = due > time ? due - time : 0;
        const struct timespec wait = {.tv_sec = (time_t)(left / 1000000000u), .tv_nsec = (long)(left % 1000000000u)};
        struct pollfd events[2] = {{.fd = there, .events = POLLIN}, {.fd = here, .events = POLLIN}};
        if (ppoll(events, 2, due == UINT64_MAX ? NULL : &wait, NULL) < 0 && errno != EINTR) check(-1, "ppoll");
        for (int i = 0; i < 2; i++) take(&directions[i], delay);
    }
}
