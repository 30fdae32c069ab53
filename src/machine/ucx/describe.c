// SPDX-License-Identifier: BSD-3-Clause
// Lists UCX's transports on this machine, and says by which method large puts are transferred, for `skerry info`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define RESOURCE "flags -- " // the text before the name of each transport in UCX's output

// Copies the names of the transports from UCX's text to `names`, separated by blanks. Leaves out names that do not fit.
static void copy_names(const char *text, char *names, size_t bytes) {
    size_t used = 0;
    for (const char *at = text; (at = strstr(at, RESOURCE)) != NULL;) {
        at += strlen(RESOURCE);
        const size_t length = strcspn(at, " \n");
        if (used + length + 2 > bytes) return;
        used += (size_t)snprintf(names + used, bytes - used, "%s%.*s", used ? " " : "", (int)length, at);
    }
}

// UCX has no function that returns the names of the transports. So this function reads them from a list that UCX prints.
void list_transports(const ucp_config_t *config, char *names, size_t bytes) {
    char *text = NULL;
    size_t length = 0;
    ucp_context_h context;
    const ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES,
                                 .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP};
    names[0] = 0;
    if (ucp_init(&params, config, &context) != UCS_OK) return;
    FILE *file = open_memstream(&text, &length);
    if (file) {
        ucp_context_print_info(context, file);
        fclose(file);
        copy_names(text, names, bytes);
        free(text);
    }
    ucp_cleanup(context);
}

__attribute__((visibility("default"))) void skerry_network_describe(char *names, size_t bytes) {
    list_transports(NULL, names, bytes);
}

__attribute__((visibility("default"))) bool skerry_network_is_remote(void) {
    return has_remote_network();
}
