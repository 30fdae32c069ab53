// SPDX-License-Identifier: BSD-3-Clause
// Declares the functions that read the value of an environment variable part by part: words, numbers and single
// characters. Each function first skips blanks. Then the function reads one part and moves `*text` to the character
// after this part.
#ifndef SKERRY_OMP_PARSE_H
#define SKERRY_OMP_PARSE_H

#include <stdbool.h>
#include <stdint.h>

// Each of these functions reads one kind of part. If `*text` continues with such a part, the function moves `*text` and
// returns true. If not, the function returns false. The parts:
//     char    the given character.
//     word    the given word, in upper or lower case; neither a letter nor `_` follows the word directly.
//     number  a number from 0 to `limit`.
//     signed  a number with an optional sign, from -`limit` to `limit`.
//     end     the end of the text; `*text` only moves over blanks.
bool skerry_omp_parse_char(const char **text, char character);
bool skerry_omp_parse_word(const char **text, const char *word);
bool skerry_omp_parse_number(const char **text, uint64_t limit, uint64_t *number);
bool skerry_omp_parse_signed(const char **text, int64_t limit, int64_t *number);
bool skerry_omp_parse_end(const char **text);

// Reads one of `words`. Returns the index of the word in `words`, or -1 if the text does not continue with any of them.
int skerry_omp_parse_choice(const char **text, const char *const *words, int count);

// Writes one line to stderr that names the variable, its value, and the rule that this value breaks.
void skerry_omp_warn_of_variable(const char *name, const char *value, const char *rule);

#endif
