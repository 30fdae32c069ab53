// SPDX-License-Identifier: BSD-3-Clause
// What a program gets from outside and gives back; its first line of input says which.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile int flag;

__attribute__((noinline)) static void touch(volatile int *p) {
    *p = 1; // line 10
}

static void wait_for(volatile int *p) {
    while (*p == 0) continue; // line 14
}

int main(void) {
    char way[80];
    while (fgets(way, sizeof way, stdin) != NULL) {
        way[strcspn(way, "\n")] = 0;
        if (strcmp(way, "exit") == 0) return 42;
        if (strcmp(way, "print") == 0) printf("one\ntwo\n");
        if (strcmp(way, "begin") == 0) printf("no end");
        if (strcmp(way, "error") == 0) fprintf(stderr, "on stderr\n");
        if (strcmp(way, "nowhere") == 0) touch((int *)0x00200000);
        if (strcmp(way, "code") == 0) touch((int *)((unsigned)main & ~3U));
        if (strcmp(way, "poll") == 0) wait_for(&flag);
        if (strncmp(way, "get ", 4) == 0) {
            const char *value = getenv(way + 4);
            printf("%s=%s\n", way + 4, value != NULL ? value : "(none)");
        }
    }
    return 0;
}
