// SPDX-License-Identifier: BSD-3-Clause
// The list of a team's work-sharing constructs (src/omp/work_sharing/work_share.[ch]). Threads go through CONSTRUCTS
// constructs that have no barrier at their end, so threads may be any number of constructs apart. The last thread to
// leave a node of the list keeps it for later use, in a short list of its own, or in a list of the team if its own list
// is full.
// Checked: each construct is set up once; all threads get the same node for it; the words that they read and change in
// the node belong to this construct; no node is in two lists.
// Ordering in the code. Linking the next node is a release and finding it an acquire, so that the node is seen as
// empty. `ready` makes visible what the first thread has set up. Adding to `passed` is both, so that the last thread
// clears the node after all others have read it. The lists of spare nodes make this visible to the thread that takes
// the node.
// Mistakes that must be found:
//     -DCOUNT_FIRST     a thread adds itself to `passed` before it knows the next node
//     -DREADY_FIRST     the first thread sets `ready` before it has set up the construct
//     -DREADY_KEPT      `ready` of an old construct is not cleared
//     -DCLEAR_LATE      the node is cleared when another thread may have it already
//     -DLINK_BY_STORE   a thread links the next node by a load and a store
//     -DTAKE_ONE        the team's spares are taken one at a time, by compare-swap
// check: holds -DCONSTRUCTS=2
// check: large
// check: holds -DTHREADS=2 -DCONSTRUCTS=5 -DSPARES_MAX=0
// check: holds -DWITHOUT_FIRST -DTHREADS=2
// check: fails -DCOUNT_FIRST
// check: fails -DREADY_FIRST
// check: fails -DREADY_KEPT
// check: fails -DCLEAR_LATE
// check: fails -DLINK_BY_STORE
// check: fails -DTAKE_ONE -DCONSTRUCTS=4 -DSPARES_MAX=0
#ifndef THREADS
#define THREADS 3
#endif
#ifndef CONSTRUCTS
#define CONSTRUCTS 3
#endif
#ifndef SPARES_MAX
#define SPARES_MAX 1
#endif
#define NODES 9 // number of nodes; node 0 stands for NULL

byte next[NODES], ready[NODES], passed[NODES];
byte constants[NODES]; // what the first thread sets up: the construct's number
#ifdef WITHOUT_FIRST
byte shares, fresh_node = 1;
#else
byte shares = 1, fresh_node = 2; // node 1 was used in an earlier region
#endif
byte team_spares;
byte given[CONSTRUCTS + 1], come[CONSTRUCTS + 1]; // for each construct: its node; number of threads that got it
bool is_spare[NODES];

inline clear(share) {
    d_step {
        passed[share] = 0;
#ifndef READY_KEPT
        ready[share] = 0;
#endif
        constants[share] = 0 // so that a thread that reads an old value fails the check
    }
}

inline take_spare(share) {
#ifdef TAKE_ONE
    if
    :: spares == 0 && team_spares != 0 ->
        head = team_spares;
        do
        :: head == 0 -> break
        :: head != 0 ->
            after = next[head];
            atomic {
                if
                :: team_spares == head -> team_spares = after; spares = head; next[head] = 0; break
                :: else -> head = team_spares
                fi
            }
        od;
        head = 0;
        after = 0
    :: else
    fi;
#else
    if
    :: atomic { spares == 0 && team_spares != 0 -> spares = team_spares; team_spares = 0; spare_count = 0 }
    :: else
    fi;
#endif
    d_step {
        share = spares;
        if
        :: share != 0 ->
            spares = next[share];
            if
            :: spare_count > 0 -> spare_count--
            :: else
            fi;
            assert(is_spare[share]);
            is_spare[share] = false
        :: else ->
            assert(fresh_node < NODES);
            share = fresh_node;
            fresh_node++
        fi;
        next[share] = 0
    }
}

inline keep_spare(share) {
    atomic { assert(!is_spare[share]); is_spare[share] = true }
    if
    :: d_step {
            spare_count < SPARES_MAX ->
            spare_count++;
            next[share] = spares;
            spares = share
        }
    :: else ->
        atomic { next[share] = team_spares; team_spares = share } // the code repeats a compare-swap until it succeeds
    fi
}

inline enter() {
    last = member;
    if
    :: last == 0 -> last = shares
    :: else
    fi;
    if
    :: last == 0 ->
        take_spare(own);
        atomic {
            last = shares;
            if
            :: last == 0 -> shares = own; last = own; own = 0
            :: else
            fi
        }
        if
        :: own != 0 -> keep_spare(own); own = 0
        :: else
        fi
    :: else
    fi;
#ifdef COUNT_FIRST
    count_off();
#endif
    share = next[last];
    is_first = false;
    if
    :: share == 0 ->
        take_spare(own);
#ifdef LINK_BY_STORE
        share = next[last];
#endif
        atomic {
#ifndef LINK_BY_STORE
            share = next[last];
#endif
            if
            :: share == 0 -> next[last] = own; share = own; is_first = true; own = 0
            :: else
            fi
        }
        if
        :: own != 0 -> keep_spare(own); own = 0
        :: else
        fi
    :: else
    fi;
    member = share;
#ifndef COUNT_FIRST
    count_off()
#endif
}

inline count_off() {
    atomic { passed[last]++; is_last = passed[last] == THREADS }
    if
    :: is_last ->
#ifdef CLEAR_LATE
        keep_spare(last);
        clear(last);
#else
        atomic { // no other thread accesses the node
            clear(last);
            keep_spare(last)
        }
#endif
        is_last = false
    :: else
    fi
}

proctype thread(byte me) {
    byte number = 1, last, share, own;
    byte member, spares, spare_count; // words of this thread's member of the team
    bool is_first, is_last;
#ifdef TAKE_ONE
    byte head, after;
#endif
    do
    :: number <= CONSTRUCTS ->
        enter();
        last = 0;
        if
        :: is_first ->
#ifdef READY_FIRST
            ready[share] = 1;
#endif
            constants[share] = number;
#ifndef READY_FIRST
            ready[share] = 1;
#endif
        :: else -> ready[share] == 1
        fi;
        d_step {
            assert(constants[share] == number && (come[number] == 0 || given[number] == share));
            come[number]++;
            given[number] = (come[number] == THREADS -> 0 : share);
            share = 0;
            is_first = false;
            number++
        }
    :: else -> break
    od
}

init {
    byte i;
    atomic {
        for (i : 0 .. THREADS - 1) { run thread(i) }
    }
}
