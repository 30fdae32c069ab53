// SPDX-License-Identifier: BSD-3-Clause
// A host program: pcie_host WHAT MULTIBIN PROGRAM [ARGUMENT...]. What it does with the I/O program:
//   messages  a barrier for each of some numbers, then 3000 more
//   exit      only waits for its end, and has its code as exit code
//   twice     runs it two times one after the other on one device, and then on two devices at the same time
//   close, leave, sleep  closes the device, or ends, while it runs; only sleeps
//   barrier, late  waits in a barrier, at once or after 0.3 s
//   wrong     waits on a descriptor that is none
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include <pcie.h>

#define REQUIRE(CONDITION)                                                                                             \
    do {                                                                                                               \
        if (!(CONDITION)) {                                                                                            \
            fprintf(stderr, "pcie_host: line %d: %s\n", __LINE__, #CONDITION);                                         \
            exit(99);                                                                                                  \
        }                                                                                                              \
    } while (0)

static mppadesc_t start(int device, int count, char **words) {
    mppadesc_t fd = pcie_open_device(device);
    REQUIRE(fd);
    REQUIRE(!pcie_open_device(device));
    if (pcie_load_io_exec_args_mb(fd, words[0], words[1], words + 1, count - 1, PCIE_LOAD_FULL)) exit(8);
    REQUIRE(pcie_queue_init(fd) == 0);
    REQUIRE(pcie_register_console(fd, stdin, stdout) == 0);
    REQUIRE(pcie_register_console(fd, stdin, stderr) == -1);
    return fd;
}

static void send_messages(mppadesc_t fd) {
    const int numbers[] = {0, 1, -1, INT_MAX, INT_MIN};
    int got = 77;
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        REQUIRE(pcie_queue_barrier(fd, numbers[i], &got) == 0);
        REQUIRE(got == numbers[i]);
    }
    for (int i = 0; i < 3000; i++) {
        REQUIRE(pcie_queue_barrier(fd, i, &got) == 0);
        REQUIRE(got == -i);
    }
    REQUIRE(pcie_queue_barrier(fd, 0, NULL) == 0);
}

static int wait_for(mppadesc_t fd) {
    int code = -1;
    REQUIRE(pcie_queue_exit(fd, 5, &code) == 0);
    return code;
}

static int run_twice(int count, char **words) {
    mppadesc_t first = start(0, count, words);
    send_messages(first);
    REQUIRE(wait_for(first) == 12);
    REQUIRE(pcie_load_io_exec_mb(first, words[0], words[1], PCIE_LOAD_FULL) == 0);
    REQUIRE(pcie_load_io_exec(first, words[1]) == -1); // still runs
    send_messages(first);
    mppadesc_t second = start(1, count, words);
    send_messages(second);
    REQUIRE(wait_for(first) == 12);
    REQUIRE(wait_for(second) == 12);
    REQUIRE(pcie_close(first) == 0);
    REQUIRE(pcie_close(second) == 0);
    return 0;
}

int main(int argc, char **argv) {
    REQUIRE(argc > 3);
    REQUIRE(!pcie_open_device(-1) && !pcie_open_device(8));
    if (!strcmp(argv[1], "twice")) return run_twice(argc - 2, argv + 2);
    if (!strcmp(argv[1], "wrong")) return pcie_queue_barrier(3, 0, NULL);
    mppadesc_t fd = start(0, argc - 2, argv + 2);
    if (!strcmp(argv[1], "messages")) send_messages(fd);
    if (!strcmp(argv[1], "close")) return pcie_close(fd);
    if (!strcmp(argv[1], "leave")) return 4;
    if (!strcmp(argv[1], "late")) usleep(300000);
    if (!strcmp(argv[1], "barrier") || !strcmp(argv[1], "late")) pcie_queue_barrier(fd, 0, NULL);
    if (!strcmp(argv[1], "sleep")) sleep(60);
    const int code = wait_for(fd);
    printf("the I/O program has ended: %d\n", code);
    REQUIRE(pcie_close(fd) == 0);
    return code & 0xff;
}
