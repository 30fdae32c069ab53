// SPDX-License-Identifier: BSD-3-Clause
// The helper thread. It moves the worker while the PE computes or sleeps, so that messages for all PEs of this node land.
#include <poll.h>
#include <signal.h>
#include <time.h>

#include "internal.h"

#define HELPER_NAP_NANOSECONDS 200000 // the helper stays away for this time if the PE moves the worker itself
#define HELPER_POLL_MILLISECONDS 10

static volatile bool helper_ends = true; // true: the helper thread must end, or does not run
static pthread_t helper;

// Moves the worker while the PE computes or sleeps, so that messages for all PEs of this node land.
static void *help(void *unused) {
    (void)unused;
    int descriptor = -1;
    ucp_worker_get_efd(network.worker, &descriptor);
    while (!helper_ends) {
        pthread_mutex_lock(&network.lock);
        const bool stays_away = nanoseconds() - network.progressed < HELPER_NAP_NANOSECONDS;
        ucs_status_t status = UCS_ERR_BUSY;
        if (!stays_away) {
            send_batches();
            while (move_worker()) {
            }
            status = ucp_worker_arm(network.worker);
        }
        pthread_mutex_unlock(&network.lock);
        if (stays_away) nanosleep(&(struct timespec){.tv_nsec = HELPER_NAP_NANOSECONDS}, NULL);
        else if (status == UCS_OK)
            poll(&(struct pollfd){.fd = descriptor, .events = POLLIN}, 1, HELPER_POLL_MILLISECONDS);
        else if (status != UCS_ERR_BUSY) fail("ucp_worker_arm", status);
    }
    return NULL;
}

void start_helper(void) {
    if (!helper_ends) return;
    helper_ends = false;
    sigset_t all, before;
    sigfillset(&all); // signals are for the program's threads
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&helper, NULL, help, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error) network.host->fail("network (UCX): no thread for messages");
}

// Ends the helper thread. It must not use UCX when UCX's destructors run, at the end of the process.
void stop_helper(void) {
    if (helper_ends || pthread_equal(pthread_self(), helper)) return;
    helper_ends = true;
    ucp_worker_signal(network.worker); // ends the helper's sleep
    pthread_join(helper, NULL);
}
