// SPDX-License-Identifier: BSD-3-Clause
// Connects the processes of a node that a process manager, such as srun, has started. The first process of the node
// creates the node's memory file. It sends the file's descriptor to the other processes of the node through a socket.
// (In a job that oshrun starts, oshrun creates the memory file.)
//
// Why no process outside the job can get the memory:
// * The file has no name.
// * The kernel chooses the socket's name, so no other process can already use it.
// * The process manager passes this name to the processes of the job, together with a random number (the token). A
//   process that connects must send the token.
// * Both sides also check that the other process belongs to the same user.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "managed_internal.h"
#include "../tuning_file.h"

#define HELLO_SECONDS 5 // limit of the time between the connection of a process and its hello
#define END_SECONDS 4   // limit of the time in which the launcher ends the job
#define STEP_SECONDS 1  // between two checks if a process has ended for which this one waits
#define ASK_SECONDS 2   // for which the process manager is asked for the first process's data
#define SPARE_DESCRIPTORS 64
#define PROCESSOR_WORDS 128 // 8192 processors

// -- What the processes of a node tell each other ----------------------------------------------------------------------

#define TOKEN_BYTES 16

// The address of the socket at which the first process of a node waits for the other processes, and a random number
// (the token) that they must send. The process manager passes this struct to them.
struct invitation {
    struct sockaddr_un address;
    socklen_t address_bytes;
    uint8_t token[TOKEN_BYTES];
};

// The message that a process sends to the first process of its node after it has connected.
struct hello {
    struct skerry_identity identity;
    uint8_t token[TOKEN_BYTES];
    uint64_t processors[PROCESSOR_WORDS]; // bit n: this process may run on processor n
};

// The message by which the first process of a node answers `hello`. Three or four descriptors are attached to the
// message:
// * the memory file
// * the sockets to the previous and to the next PE of the node (neighbours.c)
// * in a job of several nodes: the file with the table of nodes
struct welcome {
    int32_t processors; // that the PEs of the node may run on
    char tuning[SKERRY_TUNING_TEXT_BYTES];
};
#define DESCRIPTORS_MAX 4

static struct welcome welcome;

const char *skerry_managed_tuning(void) {
    return welcome.tuning[0] ? welcome.tuning : NULL;
}

static bool is_same_user(int socket) {
    struct ucred other;
    socklen_t bytes = sizeof other;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &other, &bytes) == 0 && other.uid == geteuid();
}

static void set_limits(int socket, int seconds) {
    const struct timeval limit = {.tv_sec = seconds};
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

static struct hello own_hello(void) {
    struct hello hello = {.identity = *skerry_own_identity()};
    // The C library's function works only with sets of a fixed size, so this is a bare system call.
    if (syscall(SYS_sched_getaffinity, 0, sizeof hello.processors, hello.processors) <= 0) hello.processors[0] = 1;
    return hello;
}

static int count_processors(const uint64_t *processors) {
    int count = 0;
    for (int word = 0; word < PROCESSOR_WORDS; word++) count += __builtin_popcountll(processors[word]);
    return count;
}

static int rank_of(int pe) {
    return skerry_managed.job.near_ranks[pe - skerry_facts.near_first];
}

// Ends the job because a process of this node has ended. `number` is its number on this node.
_Noreturn static void refuse_ended(int number) {
    const int pe = skerry_facts.near_first + number;
    skerry_refuse(
        "the process of PE %d on node %s has ended before it joined the job; all processes that the launcher starts "
        "must run this program",
        pe, skerry_managed_node_name(pe));
}

// -- The first process of a node ---------------------------------------------------------------------------------------

static int *guests; // sockets of the other processes of the node; -1: it has not connected

static bool is_missing(uint32_t number) {
    return number > 0 && guests[number] < 0;
}

// Opens the socket at which this process waits for the other processes of the node. Gives the socket's address to the
// process manager, which passes it to them.
static int invite(struct invitation *invitation) {
    *invitation = (struct invitation){.address_bytes = sizeof invitation->address};
    invitation->address.sun_family = AF_UNIX;
    struct sockaddr *address = (struct sockaddr *)&invitation->address;
    int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    // bind with an address of this length makes the kernel choose a name that no other socket has.
    if (listener < 0 || bind(listener, address, sizeof(sa_family_t)) != 0 || listen(listener, SKERRY_PES_MAX) != 0 ||
        getsockname(listener, address, &invitation->address_bytes) != 0 ||
        getrandom(invitation->token, TOKEN_BYTES, 0) != TOKEN_BYTES)
        skerry_refuse("cannot open a socket for the other PEs of this node: %s", strerror(errno));
    const char *wrong = skerry_managed.manager->put("skerry.node", invitation, sizeof *invitation);
    if (wrong) skerry_refuse("cannot publish the address of the socket for the other PEs of this node: %s", wrong);
    return listener;
}

// Ends the job with a message that lists the PEs of this node that have not connected.
_Noreturn static void refuse_absent(void) {
    char list[200] = "";
    int absent = 0;
    for (uint32_t i = 1; i < skerry_facts.near_count; i++) {
        if (guests[i] >= 0) continue;
        size_t length = strlen(list);
        if (absent++ < 8)
            snprintf(list + length, sizeof list - length, "%s%d", length ? ", " : "", skerry_facts.near_first + (int)i);
    }
    skerry_refuse("%d of the %u processes of node %s have not started within %d seconds (PE %s%s); all processes that "
                  "the launcher starts must run this program",
                  absent, skerry_facts.near_count, skerry_managed_node_name(skerry_facts.near_first), START_SECONDS,
                  list, absent > 8 ? ", ..." : "");
}

// Receives the message `hello` of a process that has connected. Returns false if the process does not belong to this
// job.
static bool receive_hello(int guest, const struct invitation *invitation, struct hello *hello) {
    set_limits(guest, HELLO_SECONDS);
    return is_same_user(guest) && recv(guest, hello, sizeof *hello, 0) == (ssize_t)sizeof *hello &&
           memcmp(hello->token, invitation->token, TOKEN_BYTES) == 0;
}

static void check_hello(const struct hello *hello) {
    const int pe = hello->identity.pe;
    const uint32_t window = skerry_window(pe);
    skerry_check_identity(&hello->identity);
    if (window == 0 || window >= skerry_facts.near_count || guests[window] >= 0)
        skerry_refuse(
            "a second process has connected as PE %d; each process that srun or mpirun starts must run only one "
            "OpenSHMEM program",
            pe);
}

// Accepts the connections of all other processes of the node. Stores the sockets in `guests`. Sets `processors` to the
// set of all processors on which at least one process of the node is allowed to run.
static void receive_guests(int listener, const struct invitation *invitation, uint64_t *processors) {
    const struct hello own = own_hello();
    const double begun_at = seconds_now();
    memcpy(processors, own.processors, sizeof own.processors);
    for (uint32_t missing = skerry_facts.near_count - 1; missing > 0;) {
        const int ready = poll(&(struct pollfd){.fd = listener, .events = POLLIN}, 1, STEP_SECONDS * 1000);
        const double waited = seconds_now() - begun_at;
        const int ended = ready == 0 ? skerry_find_ended_process(is_missing, waited) : -1;
        if (ended >= 0) refuse_ended(ended);
        if (ready == 0 && waited >= START_SECONDS) refuse_absent();
        if (ready == 0) continue;
        struct hello hello;
        const int guest = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (guest < 0 && errno != EINTR && errno != ECONNABORTED && errno != EAGAIN)
            skerry_refuse("cannot accept a PE of this node: %s", strerror(errno));
        if (guest < 0) continue;
        if (!receive_hello(guest, invitation, &hello)) {
            close(guest);
            continue;
        }
        check_hello(&hello);
        guests[skerry_window(hello.identity.pe)] = guest;
        for (int word = 0; word < PROCESSOR_WORDS; word++) processors[word] |= hello.processors[word];
        missing--;
    }
}

static void send_welcome(int guest, const int *descriptors, int count, int pe) {
    struct iovec part = {&welcome, sizeof welcome};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(DESCRIPTORS_MAX * sizeof(int))];
    } control = {.bytes = {0}};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control};
    message.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
    control.header = (struct cmsghdr){
        .cmsg_len = CMSG_LEN((size_t)count * sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.header), descriptors, (size_t)count * sizeof(int));
    if (sendmsg(guest, &message, MSG_NOSIGNAL) < 0)
        skerry_refuse("cannot send the descriptor of the job's memory to PE %d: %s", pe, strerror(errno));
}

// Sends the message `welcome` to each process of the node that has connected. The message answers the process's
// `hello`, and carries the job's memory file. Also connects the PEs of the node in a ring, so that each PE notices when
// one of its two neighbours ends (neighbours.c). For the ring each PE gets a socket to the previous PE and a socket to
// the next PE.
static void welcome_guests(void) {
    const int count = skerry_job.nodes_fd >= 0 ? 4 : 3;
    int pair[2], own_next = -1, previous = -1;
    for (uint32_t i = 0; i < skerry_facts.near_count; i++) {
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
            skerry_refuse("cannot make sockets for the PEs of this node: %s", strerror(errno));
        if (i == 0) {
            own_next = pair[0];
        } else {
            const int descriptors[DESCRIPTORS_MAX] = {skerry_job.fd, previous, pair[0], skerry_job.nodes_fd};
            send_welcome(guests[i], descriptors, count, skerry_facts.near_first + (int)i);
            close(previous);
            close(pair[0]);
            close(guests[i]);
        }
        previous = pair[1];
    }
    skerry_set_neighbours(previous, own_next);
}

// Creates the file with the table of the job's nodes, and fills in the table. Returns the descriptor of the file.
static int create_wire_up(void) {
    const size_t bytes = skerry_wire_up_bytes((uint32_t)skerry_managed.job.node_count);
    const int file = skerry_create_file(bytes, (int)skerry_facts.near_count);
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        skerry_refuse("cannot make the memory file that describes the nodes: %s", strerror(errno));
    struct skerry_wire_up *wire_up = memory;
    wire_up->node_count = (uint32_t)skerry_managed.job.node_count;
    for (int32_t i = 0, first = 0; i < skerry_managed.job.node_count; first += skerry_managed.job.nodes[i++].count) {
        struct skerry_node *node = &skerry_nodes(wire_up)[i];
        node->first = first;
        node->count = skerry_managed.job.nodes[i].count;
        node->ports = (uint32_t)(node->count < SKERRY_NETWORK_PORTS ? node->count : SKERRY_NETWORK_PORTS);
    }
    munmap(memory, bytes);
    return file;
}

static void find_tuning(void) {
    char path[SKERRY_TUNING_PATH_BYTES];
    if (!skerry_tuning_path(path) || !skerry_read_tuning(path, welcome.tuning)) welcome.tuning[0] = 0;
}

// Raises the limit on open descriptors. This process needs a descriptor for each PE of the node until it has sent
// `welcome` to all of them. Returns the old limit.
static struct rlimit raise_descriptor_limit(void) {
    struct rlimit before, raised;
    getrlimit(RLIMIT_NOFILE, &before);
    raised = before;
    const rlim_t needed = skerry_facts.near_count + SPARE_DESCRIPTORS;
    if (raised.rlim_cur < needed) raised.rlim_cur = needed < raised.rlim_max ? needed : raised.rlim_max;
    setrlimit(RLIMIT_NOFILE, &raised);
    return before;
}

// Every boot of a machine has its own random number, which all containers of the machine read.
static uint64_t hash_processors(const uint64_t *processors) {
    char boot[64] = "";
    const int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    const ssize_t got = file >= 0 ? read(file, boot, sizeof boot) : -1;
    if (file >= 0) close(file);
    if (got <= 0) return 0;
    const uint64_t hash =
        skerry_hash(skerry_hash(1, boot, sizeof boot), processors, PROCESSOR_WORDS * sizeof *processors);
    return hash | 1;
}

static void host_node(void) {
    uint64_t processors[PROCESSOR_WORDS];
    skerry_job.fd = skerry_create_memory_file(skerry_facts.near_count, (int)skerry_facts.near_count);
    if (skerry_job.fd < 0)
        skerry_refuse("cannot make the memory file for the %u PEs of this node: %s", skerry_facts.near_count,
                      strerror(errno));
    if (skerry_managed.job.node_count > 1) skerry_job.nodes_fd = create_wire_up();
    find_tuning();
    guests = malloc(skerry_facts.near_count * sizeof *guests);
    if (!guests) skerry_refuse("not enough memory for the list of this node's PEs");
    for (uint32_t i = 0; i < skerry_facts.near_count; i++) guests[i] = -1;
    const struct rlimit limit = raise_descriptor_limit();
    struct invitation invitation = {.address_bytes = 0};
    const int listener = skerry_facts.near_count > 1 ? invite(&invitation) : -1;
    receive_guests(listener, &invitation, processors);
    welcome.processors = count_processors(processors);
    skerry_managed.processors_hash = hash_processors(processors);
    if (skerry_facts.near_count > 1) {
        welcome_guests();
        close(listener);
    }
    setrlimit(RLIMIT_NOFILE, &limit);
    free(guests);
}

// -- The other processes of a node -------------------------------------------------------------------------------------

// Waits before a message about the first PE of the node, which has ended. That PE has written the reason, and has asked
// the launcher to end this process too. So this process writes a message only if the launcher does not end it.
static void let_launcher_end(void) {
    nanosleep(&(struct timespec){.tv_sec = END_SECONDS}, NULL);
}

static bool is_host(uint32_t number) {
    return number == 0;
}

// Gets the invitation from the process manager. Returns NULL, or a text that says what failed. If the first process of the node
// has ended, ends the job.
static const char *get_invitation(struct invitation *invitation) {
    const double begun_at = seconds_now();
    for (;;) {
        const double asked_at = seconds_now();
        const char *wrong = skerry_managed.manager->get(rank_of(skerry_facts.near_first), "skerry.node", invitation,
                                                        sizeof *invitation, ASK_SECONDS);
        const double now = seconds_now(), waited = now - begun_at;
        const bool is_failure = now - asked_at < ASK_SECONDS - 1; // and not the time limit, which counts whole seconds
        if (!wrong || is_failure || waited >= START_SECONDS) return wrong;
        if (skerry_find_ended_process(is_host, waited) == 0) refuse_ended(0);
    }
}

static int connect_to_host(struct invitation *invitation) {
    const int host = skerry_facts.near_first, guest = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    const char *wrong = get_invitation(invitation);
    if (wrong) skerry_refuse("PE %d, the first of this node, does not answer: %s", host, wrong);
    if (invitation->address_bytes > sizeof invitation->address)
        skerry_refuse("PE %d, the first of this node, has not published the address of its socket", host);
    set_limits(guest, START_SECONDS);
    if (guest < 0 || connect(guest, (const struct sockaddr *)&invitation->address, invitation->address_bytes) != 0) {
        const int error = errno;
        let_launcher_end();
        skerry_refuse("cannot reach PE %d on this node: %s; all processes of a node must share the network namespace",
                      host, strerror(error));
    }
    if (!is_same_user(guest)) skerry_refuse("the process at PE %d's socket belongs to another user", host);
    return guest;
}

static void receive_welcome(int guest) {
    struct iovec part = {&welcome, sizeof welcome};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(DESCRIPTORS_MAX * sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    const ssize_t got = recvmsg(guest, &message, MSG_CMSG_CLOEXEC);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        skerry_refuse(
            "PE %d, the first of this node, has not sent the descriptor of this node's memory within %d seconds",
            skerry_facts.near_first, START_SECONDS);
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    const int count = skerry_managed.job.node_count > 1 ? 4 : 3;
    if (got != (ssize_t)sizeof welcome || !header || header->cmsg_type != SCM_RIGHTS ||
        header->cmsg_len != CMSG_LEN((size_t)count * sizeof(int))) {
        let_launcher_end();
        skerry_refuse("PE %d, the first of this node, has ended before it sent the descriptor of this node's memory",
                      skerry_facts.near_first);
    }
    int descriptors[DESCRIPTORS_MAX] = {-1, -1, -1, -1};
    memcpy(descriptors, CMSG_DATA(header), (size_t)count * sizeof(int));
    skerry_job.fd = descriptors[0];
    skerry_set_neighbours(descriptors[1], descriptors[2]);
    skerry_job.nodes_fd = descriptors[3];
}

static void visit_host(void) {
    struct invitation invitation;
    const int guest = connect_to_host(&invitation);
    struct hello hello = own_hello();
    memcpy(hello.token, invitation.token, TOKEN_BYTES);
    if (sendto(guest, &hello, sizeof hello, MSG_NOSIGNAL, NULL, 0) != (ssize_t)sizeof hello) {
        const int error = errno;
        let_launcher_end();
        skerry_refuse("cannot reach PE %d on this node: %s", skerry_facts.near_first, strerror(error));
    }
    receive_welcome(guest);
    close(guest);
}

void skerry_gather_node(void) {
    if (skerry_facts.my_pe == skerry_facts.near_first) host_node();
    else visit_host();
    skerry_managed.processors = welcome.processors;
}
