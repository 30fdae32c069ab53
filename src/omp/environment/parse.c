// SPDX-License-Identifier: BSD-3-Clause
// Reads the parts of an environment variable's value: words, numbers and single characters (parse.h).
#include "parse.h"

#include "../../machine/machine.h"
#include "../../machine/contract/workers.h"
#include "text.h"

static void skip_blanks(const char **text) {
    while (**text == ' ' || (**text >= '\t' && **text <= '\r')) ++*text;
}

static char small(char letter) {
    return letter >= 'A' && letter <= 'Z' ? (char)(letter + ('a' - 'A')) : letter;
}

static bool is_in_word(char character) {
    char letter = small(character);
    return (letter >= 'a' && letter <= 'z') || letter == '_';
}

bool skerry_omp_parse_char(const char **text, char character) {
    skip_blanks(text);
    if (**text != character) return false;
    ++*text;
    return true;
}

bool skerry_omp_parse_word(const char **text, const char *word) {
    skip_blanks(text);
    const char *at = *text;
    while (*word && small(*at) == *word) at++, word++;
    if (*word || is_in_word(*at)) return false;
    *text = at;
    return true;
}

bool skerry_omp_parse_number(const char **text, uint64_t limit, uint64_t *number) {
    skip_blanks(text);
    skerry_omp_parse_char(text, '+');
    const char *at = *text;
    uint64_t value = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (value > (limit - digit) / 10) return false;
        value = value * 10 + digit;
    }
    if (at == *text) return false;
    *text = at;
    *number = value;
    return true;
}

bool skerry_omp_parse_signed(const char **text, int64_t limit, int64_t *number) {
    uint64_t size;
    bool is_negative = skerry_omp_parse_char(text, '-');
    if (!skerry_omp_parse_number(text, (uint64_t)limit, &size)) return false;
    *number = is_negative ? -(int64_t)size : (int64_t)size;
    return true;
}

bool skerry_omp_parse_end(const char **text) {
    skip_blanks(text);
    return **text == '\0';
}

int skerry_omp_parse_choice(const char **text, const char *const *words, int count) {
    for (int i = 0; i < count; i++)
        if (skerry_omp_parse_word(text, words[i])) return i;
    return -1;
}

void skerry_omp_warn_of_variable(const char *name, const char *value, const char *rule) {
    OMP_TEXT(line, 512);
    omp_text_string(&line, "libgomp: Invalid value for environment variable ");
    omp_text_string(&line, name);
    omp_text_string(&line, ": '");
    omp_text_string(&line, value);
    omp_text_string(&line, "' is not ");
    omp_text_string(&line, rule);
    skerry_warn(omp_text_end(&line));
}
