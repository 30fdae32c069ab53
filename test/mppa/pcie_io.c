// SPDX-License-Identifier: BSD-3-Clause
// The I/O program of pcie_host: pcie_io [WHAT]. Without an argument it answers its messages.
//   say      prints its arguments
//   return, quit  ends with code 7, without and with pcie_queue_exit
//   crash, wrong, spin  is killed, is stopped by an error message, computes for ever
//   time     prints the cycles of a barrier
//   early    calls pcie_queue_exit and not pcie_queue_barrier
//   alone    runs without a host program
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mppa_boot_args.h>
#include <mppa_power.h>
#include <mppa_remote.h>
#include <pcie.h>

#include "check.h"

static void answer_messages(mppadesc_t fd) {
    const int numbers[] = {0, 1, -1, INT_MAX, INT_MIN};
    int got = 77;
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        CHECK(pcie_queue_barrier(fd, numbers[i], &got) == 0);
        CHECK(got == numbers[i]);
    }
    for (int i = 0; i < 3000; i++) {
        CHECK(pcie_queue_barrier(fd, -i, &got) == 0);
        CHECK(got == i);
    }
    CHECK(pcie_queue_barrier(fd, 0, NULL) == 0);
    CHECK(pcie_queue_exit(fd, 12, &got) == 0);
    CHECK(got == 5);
}

static int run_alone(void) {
    int status = 3;
    CHECK(__k1_spawn_type() == __MPPA_MPPA_SPAWN);
    CHECK(pcie_open(0) == -1 && pcie_queue_init(1) == -1);
    CHECK(pcie_queue_barrier(1, 0, &status) == -1 && pcie_queue_exit(0, 0, &status) == -1 && status == 3);
    return 0;
}

static void compute_for_ever(void) {
    printf("computes\n");
    fflush(stdout);
    for (volatile int i = 0;; i++) {
    }
}

static void time_barrier(mppadesc_t fd) {
    const unsigned long long begin = __k1_read_dsu_timestamp();
    CHECK(pcie_queue_barrier(fd, 0, NULL) == 0);
    printf("%llu cycles\n", (unsigned long long)__k1_read_dsu_timestamp() - begin);
}

static void be_wrong(void) {
    mppa_power_base_spawn(77, "nothing", NULL, NULL, 0);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "alone")) return run_alone();
    CHECK(__k1_spawn_type() == __MPPA_PCI_SPAWN);
    mppadesc_t fd = pcie_open();
    CHECK(fd != -1 && pcie_queue_init(fd) == 0 && pcie_register_console(fd, stdin, stdout) == 0);
    CHECK(mppa_remote_server_init(fd, 1) == 0);
    int *volatile nowhere = (int *)16;
    if (!*what) answer_messages(fd);
    if (!strcmp(what, "say"))
        for (int i = 1; i < argc; i++) printf("argument %d: \"%s\"\n", i, argv[i]);
    if (!strcmp(what, "return")) return 7;
    if (!strcmp(what, "crash")) *nowhere = 1;
    if (!strcmp(what, "wrong")) be_wrong();
    if (!strcmp(what, "spin")) compute_for_ever();
    if (!strcmp(what, "time")) time_barrier(fd);
    if (!strcmp(what, "barrier")) pcie_queue_barrier(fd, 0, NULL);
    CHECK(pcie_unregister_console(fd) == 0);
    if (!strcmp(what, "quit") || !strcmp(what, "early")) pcie_queue_exit(fd, 7, NULL);
    return 0;
}
