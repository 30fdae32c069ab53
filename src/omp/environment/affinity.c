// SPDX-License-Identifier: BSD-3-Clause
// Displays on which processors threads run, in the format of OMP_AFFINITY_FORMAT or of a routine's argument (OpenMP
// 5.0, sections 3.2.36 and 6.14). A field of the format is %[0][.][width]letter or %[0][.][width]{name}. A field with
// an unknown letter or name is shown as `undefined`.
#include "display.h"

#include "../routines/routines.h"
#include "place.h"

char skerry_omp_affinity_format[OMP_AFFINITY_BYTES] = "level %L thread %i affinity %A";

static size_t length_of(const char *string) {
    size_t length = 0;
    while (string[length]) length++;
    return length;
}

void skerry_omp_set_affinity_format(const char *format, size_t bytes) {
    if (bytes > OMP_AFFINITY_BYTES - 1) bytes = OMP_AFFINITY_BYTES - 1;
    __builtin_memcpy(skerry_omp_affinity_format, format, bytes);
    skerry_omp_affinity_format[bytes] = '\0';
}

void skerry_omp_read_affinity_format(void) {
    const char *format = skerry_environment("OMP_AFFINITY_FORMAT");
    if (format) skerry_omp_set_affinity_format(format, length_of(format));
}

// -- Fields ------------------------------------------------------------------------------------------------------------

static const struct field {
    const char *name;
    char letter;
} fields[] = {{"team_num", 't'},        {"num_teams", 'T'},       {"nesting_level", 'L'}, {"thread_num", 'n'},
              {"num_threads", 'N'},     {"ancestor_tnum", 'a'},   {"host", 'H'},          {"process_id", 'P'},
              {"thread_affinity", 'A'}, {"native_thread_id", 'i'}};

// Writes a list of processor numbers in the format of the Linux kernel: numbers are separated by commas, and a run of
// consecutive numbers is written as first-last.
static void write_processors(struct omp_text *text, const int *processors, uint32_t count) {
    for (uint32_t first = 0, last; first < count; first = last + 1) {
        for (last = first; last + 1 < count && processors[last + 1] == processors[last] + 1;) last++;
        if (first) omp_text_char(text, ',');
        omp_text_number(text, processors[first]);
        if (last > first) omp_text_char(text, '-');
        if (last > first) omp_text_number(text, processors[last]);
    }
}

static void write_place(struct omp_thread *self, struct omp_text *text) {
    uint32_t count = (uint32_t)skerry_processors();
    const int *processors = skerry_processor_numbers();
    if (self->place >= 0) processors = skerry_omp_place_processors(self->place, &count);
    write_processors(text, processors, count);
}

static void write_field(struct omp_thread *self, struct omp_text *text, char letter) {
    const struct omp_state *state = &self->state;
    switch (letter) {
    case 't': omp_text_number(text, omp_get_team_num()); break;
    case 'T': omp_text_number(text, omp_get_num_teams()); break;
    case 'L': omp_text_number(text, state->team->level); break;
    case 'n': omp_text_number(text, state->thread_number); break;
    case 'N': omp_text_number(text, state->team->threads); break;
    case 'a': omp_text_number(text, omp_get_ancestor_thread_num((int)state->team->level - 1)); break;
    case 'H': omp_text_string(text, skerry_host_name()); break;
    case 'P': omp_text_number(text, skerry_process_number()); break;
    case 'i': omp_text_number(text, skerry_system_thread()); break;
    case 'A': write_place(self, text); break;
    default: omp_text_string(text, "undefined"); break;
    }
}

// -- Formats -----------------------------------------------------------------------------------------------------------

struct format {
    const char *at, *end;
};

static bool next_is(struct format *format, char character) {
    if (format->at == format->end || *format->at != character) return false;
    format->at++;
    return true;
}

// Reads the letter or the {name} of a field, and moves format->at to the character after the field. Returns the field's
// letter, or 0 if no field has this name.
static char read_field(struct format *format) {
    if (format->at == format->end) return 0;
    if (*format->at != '{') return *format->at++;
    const char *name = ++format->at;
    while (format->at < format->end && *format->at != '}') format->at++;
    size_t length = (size_t)(format->at - name);
    if (format->at < format->end) format->at++;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (length_of(fields[i].name) == length && __builtin_memcmp(fields[i].name, name, length) == 0)
            return fields[i].letter;
    return 0;
}

static void write_padded(struct omp_thread *self, struct omp_text *text, struct format *format) {
    bool with_zeros = next_is(format, '0'), to_the_right = next_is(format, '.');
    size_t width = 0;
    for (; format->at < format->end && *format->at >= '0' && *format->at <= '9'; format->at++)
        if (width < OMP_AFFINITY_BYTES) width = width * 10 + (size_t)(*format->at - '0');
    char letter = read_field(format);
    OMP_TEXT(field, OMP_AFFINITY_BYTES);
    write_field(self, &field, letter);
    const char *value = omp_text_end(&field);
    bool is_number = letter && letter != 'H' && letter != 'A';
    size_t blanks = field.length < width ? width - field.length : 0;
    if (with_zeros && is_number && *value == '-') omp_text_char(text, *value++);
    if (to_the_right || with_zeros)
        for (; blanks; blanks--) omp_text_char(text, with_zeros && is_number ? '0' : ' ');
    omp_text_string(text, value);
    for (; blanks; blanks--) omp_text_char(text, ' ');
}

void skerry_omp_write_affinity(struct omp_thread *self, struct omp_text *text, const char *given, size_t bytes) {
    if (!bytes) given = skerry_omp_affinity_format;
    if (!bytes) bytes = length_of(given);
    struct format format = {given, given + bytes};
    while (format.at < format.end) {
        if (*format.at != '%') omp_text_char(text, *format.at++);
        else if (format.at++, next_is(&format, '%')) omp_text_char(text, '%');
        else write_padded(self, text, &format);
    }
}

void skerry_omp_display_affinity(struct omp_thread *self, const char *format, size_t bytes) {
    OMP_TEXT(line, 2 * OMP_AFFINITY_BYTES);
    skerry_omp_write_affinity(self, &line, format, bytes);
    skerry_warn(omp_text_end(&line));
}

// -- Routines ----------------------------------------------------------------------------------------------------------

OMP_EXPORT void omp_set_affinity_format(const char *format) {
    skerry_omp_set_affinity_format(format, length_of(format));
}

OMP_EXPORT size_t omp_get_affinity_format(char *buffer, size_t room) {
    struct omp_text text = {buffer, room, 0};
    omp_text_string(&text, skerry_omp_affinity_format);
    omp_text_end(&text);
    return text.length;
}

OMP_EXPORT void omp_display_affinity(const char *format) {
    skerry_omp_display_affinity(omp_self(), format, format ? length_of(format) : 0);
}

OMP_EXPORT size_t omp_capture_affinity(char *buffer, size_t room, const char *format) {
    struct omp_text text = {buffer, room, 0};
    skerry_omp_write_affinity(omp_self(), &text, format, format ? length_of(format) : 0);
    omp_text_end(&text);
    return text.length;
}
