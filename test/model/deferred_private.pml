/* SPDX-License-Identifier: BSD-3-Clause
 * Deferred atomics on private memory (src/aos/deferred.c). Only the memory's owner can do them, when a request calls
 * it. Other PEs hold the lock at times: the parker, to append the atomic to the list, and lookers, only to look.
 * Checks that the atomic has been done when the owner has answered all requests. Each mistake loses the atomic:
 *   -DWITHOUT_WANTED   an owner that finds the lock taken gives up without setting `wanted`
 *   -DONE_TRY          the owner does not try the lock once more after it has set `wanted`
 */
// check: holds
// check: fails -DWITHOUT_WANTED
// check: fails -DONE_TRY
bit lock, parked, wanted, done;
byte calls; /* number of requests to the owner that it has not answered yet */
byte ended;

inline give_back() {
    bit was;
    lock = 0; /* the code executes a full fence after this */
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
