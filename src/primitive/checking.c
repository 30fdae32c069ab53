// SPDX-License-Identifier: BSD-3-Clause
// Sets the level of the checks (checking.h) from the environment variable SKERRY_CHECK, before main.
#include "checking.h"

#if SKERRY_CAN_CHECK

static const char *const words[] = {"0", "no", "off", "false", "1", "yes", "on", "true", "strict"};
#define WORDS (int)(sizeof words / sizeof *words)
#define FIRST_ON 4

int skerry_checking;
bool skerry_checking_strictly;

void skerry_check_begin(void) {
    skerry_checking = SKERRY_CHECKING_ALL;
}

__attribute__((constructor)) static void begin_if_wanted(void) {
    int word = skerry_word_setting("SKERRY_CHECK", words, WORDS, "0, no, off or false, 1, yes, on or true, or strict");
    skerry_checking_strictly = word == WORDS - 1;
    if (!skerry_checking && word >= FIRST_ON) skerry_checking = SKERRY_CHECKING_CALLS;
}

#endif
