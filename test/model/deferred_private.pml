/* SPDX-License-Identifier: BSD-3-Clause
 * Conditional atomics on private memory (src/aos/deferred.c): only the owner does them, when he is called, and others hold the lock
 * now and then, one to put the operation into the list, one only to look. When all calls have been answered it is done.
 * Build with -DWITHOUT_WANTED (the owner who finds the lock taken just goes) or -DONE_TRY (he does not try again after
 * saying so) to see it lost.
 */
// check: holds
// check: fails -DWITHOUT_WANTED
// check: fails -DONE_TRY
bit lock, parked, wanted, done;
byte calls; /* to the owner, not yet answered */
byte ended;

inline give_back() {
    bit was;
    lock = 0; /* and a fence */
    if
    :: wanted ->
        atomic { was = wanted; wanted = 0 }
        if
        :: was -> calls++
        :: else
        fi
    :: else
    fi
}

active proctype parker() {
    atomic { !lock -> lock = 1 }
    parked = 1;
    give_back();
    calls++;
    ended++
}

active [2] proctype looker() {
    bit got;
    atomic { got = !lock; lock = 1 }
    if
    :: got -> give_back()
    :: else
    fi;
    ended++
}

active proctype owner() {
    bit got;
end: do
    :: calls > 0 ->
        calls--;
        atomic { got = !lock; lock = 1 }
#ifndef WITHOUT_WANTED
        if
        :: !got ->
            wanted = 1;
#ifndef ONE_TRY
            atomic { got = !lock; lock = 1 }
#endif
        :: else
        fi;
#endif
        if
        :: got ->
            if
            :: parked -> parked = 0; done = 1
            :: else
            fi;
            lock = 0
        :: else
        fi;
        ended = ended
    :: ended == 3 && calls == 0 && lock == 0 -> break
    od;
    assert(done)
}
