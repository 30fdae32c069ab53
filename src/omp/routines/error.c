// SPDX-License-Identifier: BSD-3-Clause
// Prints the messages of error directives with the clause at(execution) (OpenMP 5.1, section 2.5.4).
#include "../environment/text.h"
#include "../internal.h"

#define WHOLE SIZE_MAX // value of `bytes`: the message ends with a 0

static void write_message(struct omp_text *line, const char *severity, const char *message, size_t bytes) {
    omp_text_string(line, "libgomp: ");
    omp_text_string(line, severity);
    omp_text_string(line, "error directive encountered");
    if (!message) return;
    omp_text_string(line, ": ");
    for (size_t i = 0; bytes == WHOLE ? message[i] != '\0' : i < bytes; i++) omp_text_char(line, message[i]);
}

OMP_EXPORT void GOMP_warning(const char *message, size_t bytes) {
    OMP_TEXT(line, 1024);
    write_message(&line, "", message, bytes);
    skerry_warn(omp_text_end(&line));
}

OMP_EXPORT void GOMP_error(const char *message, size_t bytes) {
    OMP_TEXT(line, 1024);
    write_message(&line, "fatal error: ", message, bytes);
    skerry_stop(omp_text_end(&line));
}
