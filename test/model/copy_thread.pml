// SPDX-License-Identifier: BSD-3-Clause
// Transfers behind the program (src/aos/transfer_private.c) and the copy thread that moves them
// (src/machine/linux/pe/copy_thread.c). The program begins TRANSFERS transfers of PIECES pieces. It waits for each of them in
// any of two ways: it moves pieces itself until the transfer has ended, or it only tests the event. The second transfer has an
// error in one piece. At the end the program waits until no transfer is left and ends the copy thread. Between a step that moves
// a piece and the steps under the lock, other threads run.
// Checked: when an event has happened, all pieces are moved, or one has failed and no thread still moves one; an event happens
// once; the copy thread
// never sleeps while there is work that nobody does (the program would wait for ever), and ends.
// Mistakes that must be found:
//     -DLOAD_LATE      the copy thread loads the number of notifications after it has looked for work
//     -DNOTIFY_EARLY   the program notifies before it has appended the transfer to the list
//     -DEND_TAKEN      the thread that takes the last piece ends the transfer, although others still move pieces
//     -DNO_COUNT       a thread does not count the piece that it moves
//     -DKEEP_LISTED    a failed transfer stays in the list, so that threads take pieces of it after its end
//     -DENDS_LATE      the program notifies the copy thread before it stores that the thread must end
// check: holds
// check: fails -DLOAD_LATE
// check: fails -DNOTIFY_EARLY
// check: fails -DEND_TAKEN
// check: fails -DNO_COUNT
// check: fails -DKEEP_LISTED
// check: fails -DENDS_LATE
// check: holds -DTRANSFERS=3
#ifndef TRANSFERS
#define TRANSFERS 2
#endif
#define PIECES 2
#define FAILS 1 // number of the transfer with an error, in its first piece

bool lock;
byte first, last; // the list has the transfers from `first` to below `last`
byte taken[TRANSFERS], moving[TRANSFERS], moved[TRANSFERS];
bool listed[TRANSFERS], failed[TRANSFERS], happened[TRANSFERS];
byte left; // transfers that have not ended
byte notified;
bool asleep, ends, has_ended;

#define LOCK atomic { !lock -> lock = true }
#define UNLOCK lock = false

inline notify() {
    notified++;
    asleep = false;
}

// Ends transfer `t`. Its event happens.
inline end(t) {
    assert(!happened[t]);
    assert(failed[t] || moved[t] == PIECES);
    happened[t] = true;
    LOCK;
    left--;
    UNLOCK
}

// Moves a piece. `found` is false if there is none.
inline move_piece(t, piece, is_last, found) {
    LOCK;
    found = first < last;
    if
    :: found ->
        t = first;
        assert(!happened[t]);
        piece = taken[t];
        taken[t]++;
#ifndef NO_COUNT
        moving[t]++;
#endif
        if
        :: taken[t] == PIECES -> listed[t] = false; first++
        :: else
        fi;
        UNLOCK;
        assert(!happened[t]); // the piece is moved now
        moved[t]++;
        LOCK;
        if
        :: t == FAILS && piece == 0 ->
            failed[t] = true;
#ifndef KEEP_LISTED
            if
            :: listed[t] -> listed[t] = false; first++
            :: else
            fi
#endif
        :: else
        fi;
#ifndef NO_COUNT
        moving[t]--;
#endif
#if defined END_TAKEN
        is_last = taken[t] == PIECES && piece == PIECES - 1 || failed[t] && t == FAILS && piece == 0;
#elif defined KEEP_LISTED
        is_last = moving[t] == 0 && (failed[t] || !listed[t]);
#else
        is_last = moving[t] == 0 && !listed[t];
#endif
        UNLOCK;
        if
        :: is_last -> end(t)
        :: else
        fi
    :: else -> UNLOCK
    fi
}

active proctype copy_thread() {
    byte t, piece, seen;
    bool is_last, found;
    do
    ::
#ifndef LOAD_LATE
        seen = notified;
#endif
        do
        :: move_piece(t, piece, is_last, found);
            if
            :: found
            :: else -> break
            fi
        od;
        if
        :: ends -> break
        :: else
        fi;
#ifdef LOAD_LATE
        seen = notified;
#endif
        atomic { // the system call compares and sleeps in one step
            if
            :: notified == seen -> asleep = true
            :: else
            fi
        }
        !asleep
    od;
    has_ended = true
}

active proctype program() {
    byte i, t, piece;
    bool is_last, found;
    for (i : 0 .. TRANSFERS - 1) {
#ifdef NOTIFY_EARLY
        notify();
#endif
        LOCK;
        listed[i] = true;
        last++;
        left++;
        UNLOCK;
#ifndef NOTIFY_EARLY
        notify();
#endif
    }
    for (i : 0 .. TRANSFERS - 1) {
        if
        :: true -> // moves pieces until the event has happened or there are none
            do
            :: happened[i] -> break
            :: else ->
                move_piece(t, piece, is_last, found);
                if
                :: found
                :: else -> break
                fi
            od
        :: true
        fi;
        happened[i]
    }
    left == 0;
#ifdef ENDS_LATE
    notify();
    ends = true;
#else
    ends = true;
    notify();
#endif
    has_ended
}
