// SPDX-License-Identifier: BSD-3-Clause
// Defines what programs may use of the networks between the clusters (../contract/noc.h). network.h and pe.c have what the
// machine itself uses.
#ifndef SKERRY_MACHINE_MPPA_NOC_H
#define SKERRY_MACHINE_MPPA_NOC_H

#define SKERRY_NOC_MAILBOXES 126 // of 128; the last two are for the begin and the end of the job (pe.c)
#define SKERRY_NOC_SENDERS 16    // of 32; the machine has the first half
#define SKERRY_NOC_TAGS 192      // of 256
#define SKERRY_NOC_CHANNELS 7    // a packet shaper each; the machine has the first of the 8
#define SKERRY_NOC_ENGINES 7     // jobs of the micro-cores that the machine uses too

#endif
