/* SPDX-License-Identifier: BSD-3-Clause
 * Copies that are appended to a chain of descriptors while a DMA channel does the chain (src/machine/epiphany/begun.c).
 * There are two channels. A channel copies the data of an entry, stores its number to `ending`, fetches the entry's last
 * descriptor, and stores the number to `ended`. Then it does the entry to which the last descriptor leads, or is idle.
 *   The program begins copies. It waits for some of them, and at the end for idle channels, as quiet does.
 *   A handler or a remote procedure call may interrupt the program anywhere where interrupts are not masked. It begins a
 *   copy of its own and may wait for it, or it uses an idle channel for a copy without an end (shmem_putmem_nbi).
 * Checks that copies end in order, that the data of a copy has been copied when it has ended, that no copy is lost when
 * both channels are idle, and that no one waits for ever.
 *
 * Mistakes:
 *   -DNO_MARK       a core that finds the channel busy after C1 takes the copy for appended
 *   -DMARK_LATE     the channel stores to `ending` after it has fetched the last descriptor
 *   -DUNMASKED      the core does not mask interrupts while it appends
 *   -DSTART_EARLY   a copy starts a channel when all data has been copied, but the last copy has not ended
 *   -DNO_ROOM       an entry is used again before its copy has ended
 *   -DFORGET        a core that finds the last copy ending does not start the channel again
 */
// check: holds
// check: fails -DNO_MARK
// check: fails -DMARK_LATE
// check: fails -DUNMASKED
// check: fails -DSTART_EARLY
// check: fails -DNO_ROOM
// check: fails -DFORGET
#define ENTRIES 2
#ifndef COPIES
#define COPIES 4
#endif
#define ALL 6 /* numbers of copies: those of the program, one of the handler, and 0 */
#define PLAIN 255
#define NONE 2

byte ending, ended, begun, last;
byte number[ENTRIES];
byte link[ENTRIES]; /* number of the next entry, plus 1; 0: the chain ends */
byte data[ENTRIES]; /* the copy that the entry's data descriptor describes */
bit copied[ALL];
byte chain_channel;
byte starts[2]; /* entry with which a channel starts, plus 1; PLAIN: a copy that is no part of the chain */
bit busy[2];
bit masked, called, finished;
byte interruptions;

#ifdef UNMASKED
#define MASK skip
#else
#define MASK atomic { !masked -> masked = 1 }
#endif
#define UNMASK masked = 0

inline begin(mine, entry, channel) {
    do
    :: MASK;
        channel = NONE;
        if
#ifdef START_EARLY
        :: ending == begun ->
#else
        :: ended == begun ->
#endif
            if
            :: !busy[0] -> channel = 0; break
            :: else ->
                if
                :: !busy[1] -> channel = 1; break
                :: else
                fi
            fi
        :: else ->
            if
#ifdef NO_ROOM
            :: ending != begun -> break
#else
            :: begun - ended < ENTRIES && ending != begun -> break
#endif
            :: else
            fi
        fi;
        UNMASK
    od;
    mine = begun + 1;
    entry = mine % ENTRIES;
    begun = mine;
    number[entry] = mine;
    link[entry] = 0;
    data[entry] = mine;
    if
    :: channel == NONE ->
        link[last] = entry + 1; /* C1 */
        last = entry;
#ifdef NO_MARK
        if
        :: busy[chain_channel]
        :: else -> channel = chain_channel
        fi
#else
        if /* C2 */
        :: ending == mine - 1 ->
            !busy[chain_channel];
#ifndef FORGET
            if
            :: ended != mine -> channel = chain_channel
            :: else
            fi
#endif
        :: else
        fi
#endif
    :: else -> last = entry
    fi;
    if
    :: channel != NONE ->
        chain_channel = channel;
        atomic {
            assert(!busy[channel]);
            busy[channel] = 1;
            starts[channel] = entry + 1
        }
    :: else
    fi;
    UNMASK
}

proctype engine(byte self) {
    byte entry, next;
end: do
    :: atomic { starts[self] == PLAIN -> starts[self] = 0 }
        busy[self] = 0
    :: atomic { starts[self] != 0 && starts[self] != PLAIN -> entry = starts[self] - 1; starts[self] = 0 }
        do
        :: copied[data[entry]] = 1;
#ifdef MARK_LATE
            next = link[entry];
            ending = number[entry];
#else
            ending = number[entry];
            next = link[entry];
#endif
            atomic {
                assert(number[entry] == ended + 1 && copied[number[entry]]);
                ended = number[entry]
            }
            if
            :: next == 0 -> break
            :: else -> entry = next - 1
            fi
        od;
        next = 0;
        entry = 0;
        busy[self] = 0
    od
}

proctype program() provided (!called) {
    byte mine, entry, channel, copies;
    do
    :: copies < COPIES ->
        begin(mine, entry, channel);
        copies++;
        if
        :: ended >= mine; assert(copied[mine])
        :: true
        fi
    :: else -> break
    od;
    interruptions == 1;
    /* quiet: both channels are idle, and no handler runs between these tests and the assertion */
    do
    :: masked = 1;
        if
        :: !busy[0] && !busy[1] -> break
        :: else
        fi;
        masked = 0
    od;
    assert(ended == begun);
    finished = 1
}

proctype interruption() {
    byte mine, entry, channel;
    atomic { !masked -> called = 1 }
    if
    :: true ->
        begin(mine, entry, channel);
        if
        :: ended >= mine; assert(copied[mine])
        :: true
        fi
    :: true ->
        MASK;
        if
        :: !busy[0] -> busy[0] = 1; starts[0] = PLAIN
        :: else ->
            if
            :: !busy[1] -> busy[1] = 1; starts[1] = PLAIN
            :: else
            fi
        fi;
        UNMASK
    fi;
    atomic { interruptions++; called = 0 }
}

init {
    atomic {
        run engine(0);
        run engine(1);
        run program();
        run interruption()
    }
    finished
}
