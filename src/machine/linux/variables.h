// SPDX-License-Identifier: BSD-3-Clause
// Lists the environment variables that Skerry's programs read, and reads values that are words. The library and the
// launcher are built with this file, so that both accept the same values.
#ifndef SKERRY_MACHINE_LINUX_VARIABLES_H
#define SKERRY_MACHINE_LINUX_VARIABLES_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct skerry_variable {
    const char *name;
    const char *older;   // name in the version before this one, which is still read; NULL if there is none
    const char *form;    // form of the value, for users
    const char *meaning; // for users; NULL if Skerry's programs set the variable, and not the user
};

// All variables whose names begin with SKERRY_, SHMEM_ or SMA_. An entry without a name ends the table.
extern const struct skerry_variable skerry_variables[];

// Returns the entry of the table whose name, or older name, is most like `name` (`length` bytes, without the value).
// Returns NULL in three cases:
// * `name` is in the table.
// * `name` does not begin with SKERRY_, SHMEM_ or SMA_.
// * No name in the table is similar to `name`.
const struct skerry_variable *skerry_meant_variable(const char *name, unsigned length);

enum { SKERRY_WORD_NONE = -1, SKERRY_WORD_WRONG = -2 };

// Returns the index of `text` in `words`. Upper and lower case are equal, and blanks around the word are ignored.
// Returns SKERRY_WORD_NONE if `text` is NULL or blank, and SKERRY_WORD_WRONG if it is none of the words.
int skerry_find_word(const char *text, const char *const *words, int count);

// Returns 1 if `text`, the value of a yes/no variable, means yes, and 0 if it means no. For other texts returns
// SKERRY_WORD_NONE or SKERRY_WORD_WRONG, as skerry_find_word does.
int skerry_switch_value(const char *text);

// The rule for a yes/no variable, for error messages.
#define SKERRY_SWITCH_RULE "must be 0, no, off or false, or 1, yes, on or true"

#ifdef __cplusplus
}
#endif

#endif
