// SPDX-License-Identifier: BSD-3-Clause
// Reading the values of environment variables: each function goes on behind what it has read, and blanks may stand before everything.
#ifndef SKERRY_OMP_PARSE_H
#define SKERRY_OMP_PARSE_H

#include <stdbool.h>
#include <stdint.h>

// Whether that comes next: one character; a word, whatever its case, and no letter behind it; a number that is not above the limit.
bool skerry_omp_parse_char(const char **text, char character);
bool skerry_omp_parse_word(const char **text, const char *word);
bool skerry_omp_parse_number(const char **text, uint64_t limit, uint64_t *number);
bool skerry_omp_parse_signed(const char **text, int64_t limit, int64_t *number);
bool skerry_omp_parse_end(const char **text);

// The index of the word that comes next in a list of them; -1: none does.
int skerry_omp_parse_choice(const char **text, const char *const *words, int count);

// One line on what was wrong with a variable.
void skerry_omp_warn_of_variable(const char *name, const char *value, const char *rule);

#endif
