// SPDX-License-Identifier: BSD-3-Clause
// Functions that read the values of environment variables. Each one skips blanks and moves `*text` past the part that
// it reads.
#ifndef SKERRY_OMP_PARSE_H
#define SKERRY_OMP_PARSE_H

#include <stdbool.h>
#include <stdint.h>

// Each returns true and moves `*text` if the text continues with the given item: a character; a word in upper or lower
// case that no letter follows; a number of at most `limit`; such a number with an optional sign; the end of the text.
bool skerry_omp_parse_char(const char **text, char character);
bool skerry_omp_parse_word(const char **text, const char *word);
bool skerry_omp_parse_number(const char **text, uint64_t limit, uint64_t *number);
bool skerry_omp_parse_signed(const char **text, int64_t limit, int64_t *number);
bool skerry_omp_parse_end(const char **text);

// Returns the index of the word of `words` with which the text continues, or -1 if it is none of them.
int skerry_omp_parse_choice(const char **text, const char *const *words, int count);

// Writes one line to stderr: the variable, its value, and the rule that the value does not follow.
void skerry_omp_warn_of_variable(const char *name, const char *value, const char *rule);

#endif
