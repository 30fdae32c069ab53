// SPDX-License-Identifier: BSD-3-Clause
// Lists UCX's transports and the network devices of this machine, and the user's choice among them. Says by which method
// large puts are transferred. For `skerry info` and for error messages.
#define _GNU_SOURCE
#include <dirent.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

void list_choices(char *text, size_t bytes) {
    static const char *const variables[] = {"UCX_TLS", "UCX_NET_DEVICES"};
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value && *value && used < bytes)
            used += (size_t)snprintf(text + used, bytes - used, "%s%s=%.100s", used ? ", " : "", variables[i], value);
    }
}

// -- Devices -----------------------------------------------------------------------------------------------------------

#define ADAPTERS "/sys/class/infiniband"
#define NAME_BYTES 64

// Returns true if this machine has the network interface "eth0", or the port "mlx5_0:1" of an adapter.
static bool has_device(const char *name) {
    char path[sizeof ADAPTERS + NAME_BYTES + 1];
    snprintf(path, sizeof path, ADAPTERS "/%.*s", (int)strcspn(name, ":"), name);
    DIR *adapter = opendir(path);
    if (adapter) closedir(adapter);
    return adapter || if_nametoindex(name) > 0;
}

static void list_devices(char *names, size_t bytes) {
    size_t used = 0;
    names[0] = 0;
    struct if_nameindex *interfaces = if_nameindex();
    for (const struct if_nameindex *at = interfaces; at && at->if_index > 0; at++)
        if (used < bytes) used += (size_t)snprintf(names + used, bytes - used, "%s%s", used ? ", " : "", at->if_name);
    if (interfaces) if_freenameindex(interfaces);
    DIR *adapters = opendir(ADAPTERS);
    for (const struct dirent *at; adapters && (at = readdir(adapters)) != NULL;)
        if (at->d_name[0] != '.' && used < bytes)
            used += (size_t)snprintf(names + used, bytes - used, "%s%s", used ? ", " : "", at->d_name);
    if (adapters) closedir(adapters);
}

bool describe_missing_device(char *text, size_t bytes) {
    const char *value = getenv("UCX_NET_DEVICES");
    if (!value || !*value || *value == '^') return false;
    for (const char *at = value; *at;) {
        char name[NAME_BYTES];
        const size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
        if (strcmp(name, "all") == 0 || has_device(name)) return false;
        at += length + (at[length] == ',');
    }
    char host[HOST_NAME_BYTES] = "", devices[300];
    gethostname(host, sizeof host - 1);
    list_devices(devices, sizeof devices);
    snprintf(text, bytes, "UCX_NET_DEVICES=%.100s: node %s has no such device; it has: %s", value, host, devices);
    return true;
}

__attribute__((visibility("default"))) void skerry_network_describe(char *names, size_t bytes) {
    list_transports(NULL, names, bytes);
}

__attribute__((visibility("default"))) bool skerry_network_is_remote(void) {
    return has_remote_network();
}
