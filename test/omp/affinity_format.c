// SPDX-License-Identifier: BSD-3-Clause
// omp_capture_affinity and its kin: every field of the format by both its names, widths and alignment, and what fits.
// threads: 1 4
// smp-16 has no processes.
// skip: aarch64 smp
#include "child.h"

static void captures(const char *format, const char *right) {
    char text[200];
    size_t length = omp_capture_affinity(text, sizeof text, format);
    REQUIRE(!strcmp(text, right) && length == strlen(right), "%s gives '%s', not '%s'", format, text, right);
}

static void capture_number(const char *format, int number) {
    char right[40];
    snprintf(right, sizeof right, "%d", number);
    captures(format, right);
}

static void fields(void) {
    captures("plain", "plain");
    captures("a%%b", "a%b");
#pragma omp parallel
    {
        capture_number("%n", omp_get_thread_num());
        capture_number("%{thread_num}", omp_get_thread_num());
        capture_number("%N", omp_get_num_threads());
        capture_number("%{num_threads}", omp_get_num_threads());
        capture_number("%L", 1);
        capture_number("%{nesting_level}", 1);
        capture_number("%a", 0);
        capture_number("%{ancestor_tnum}", 0);
        capture_number("%t", 0);
        capture_number("%{team_num}", 0);
        capture_number("%T", 1);
        capture_number("%{num_teams}", 1);
        capture_number("%P", (int)getpid());
        capture_number("%{process_id}", (int)getpid());
        char host[100], name[100], affinity[100];
        gethostname(host, sizeof host);
        captures("%H", host);
        captures("%{host}", host);
        omp_capture_affinity(name, sizeof name, "%i");
        REQUIRE(name[0] >= '0' && name[0] <= '9', "a native thread of '%s'", name);
        omp_capture_affinity(affinity, sizeof affinity, "%A");
        captures("%{thread_affinity}", affinity);
        REQUIRE(affinity[0] >= '0' && affinity[0] <= '9', "affinity '%s'", affinity);
    }
    captures("[%4L]", "[0   ]");
    captures("[%.4L]", "[   0]");
    captures("[%0.4L]", "[0000]");
    captures("[%.3{num_teams}]", "[  1]");
    char small[5];
    size_t length = omp_capture_affinity(small, sizeof small, "123456789");
    REQUIRE(length == 9 && !strcmp(small, "1234"), "what does not fit: %zu, '%s'", length, small);
    REQUIRE(omp_capture_affinity(NULL, 0, "123") == 3, "nothing to write to");
}

static void formats(void) {
    char text[100];
    REQUIRE(omp_get_affinity_format(NULL, 0) > 10, "no default format");
    omp_set_affinity_format("level %L");
    size_t length = omp_get_affinity_format(text, sizeof text);
    REQUIRE(length == 8 && !strcmp(text, "level %L"), "the format is '%s'", text);
    captures(NULL, "level 0");
    captures("", "level 0");
    length = omp_get_affinity_format(text, 4);
    REQUIRE(length == 8 && !strcmp(text, "lev"), "what does not fit: %zu, '%s'", length, text);
}

int main(int count, char **arguments) {
    if (count > 1) {
        if (!strcmp(arguments[1], "by hand")) {
#pragma omp parallel num_threads(3)
            omp_display_affinity("mine %n");
            return 0;
        }
        for (int round = 0; round < 2; round++) {
#pragma omp parallel num_threads(3)
            __asm__ volatile(""); // or GCC makes nothing of it
        }
        return 0;
    }
    fields();
    formats();
    struct child child;
    child_run(&child, "by hand", "OMP_NUM_THREADS=3");
    REQUIRE(child.status == 0 && child_lines(child.errors) == 3 && strstr(child.errors, "mine 0\n") &&
                strstr(child.errors, "mine 2\n"),
            "by hand: %s", child.errors);
    child_run(&child, "display", "OMP_DISPLAY_AFFINITY=true|OMP_AFFINITY_FORMAT=number %n of %N");
    // Once for each thread: the second region's are where they were.
    REQUIRE(child.status == 0 && child_lines(child.errors) == 3 && strstr(child.errors, "number 1 of 3\n"),
            "displayed: %s", child.errors);
    return 0;
}
