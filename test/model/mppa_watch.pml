// SPDX-License-Identifier: BSD-3-Clause
// How a program of the MPPA finds that it waits for ever (src/mppa/watch.c, first rule). A program on cluster W waits until
// a program on cluster C has arrived, for example in a barrier. The master starts programs on both clusters, waits for
// their ends, and starts further ones, in any order. A program on C arrives or not, and ends.
// Checked: a wait that is reported as lost could never have ended; no wait goes on for ever while the master waits for the
// program that waits.
// Mistakes that must be found:
//     -DRUNNING_FIRST  the program loads whether C has a program before it loads what the master waits for
//     -DNO_POLL        it does not poll its condition once more
//     -DKEPT           the master does not clear what it has waited for
//     -DEND_FIRST      C counts as without a program before the last store of its program is visible
//     -DSTART_LATE     C counts as without a program until its program has begun, and then as with one, even if it has ended
// A program polls in a loop, which never ends in the model. With -DHANGS it is blocked where a further check would find nothing.
// check: holds
// check: holds -DHANGS
// check: fails -DRUNNING_FIRST
// check: fails -DNO_POLL
// check: fails -DKEPT
// check: fails -DEND_FIRST
// check: fails -DSTART_LATE -DHANGS
// check: large -DSTARTS=4
// check: large -DSTARTS=4 -DHANGS
#ifndef STARTS
#define STARTS 2 // of each cluster
#endif

mtype = { nothing, end_of_c, end_of_w };
mtype master_wait = nothing;
bool c_runs, w_runs; // as the machine says
bool arrived;        // what the program on W waits for
bool lost;           // the program on W has been reported; here it waits on, to see whether the wait ends
bool is_over;        // the master has ended, and so has the job

proctype program_c() {
    if
    :: true
#ifdef END_FIRST
       c_runs = false
#endif
       assert(!lost);
       arrived = true
    :: true
    fi
    c_runs = false
}

proctype program_w() {
    mtype master;
    bool runs;
    do
    :: arrived -> break
    :: is_over -> goto end
#ifdef HANGS
    :: !arrived && master_wait == end_of_w && !c_runs ->
#else
    :: !arrived ->
#endif
#ifdef RUNNING_FIRST
       runs = c_runs;
       master = master_wait;
#else
       master = master_wait;
       runs = c_runs;
#endif
       if
       :: master == end_of_w && !runs ->
#ifndef NO_POLL
          if
          :: arrived -> break
          :: else
          fi
#endif
          assert(!arrived);
          lost = true;
end_lost: (is_over); // in the program, the job has ended
          goto end
       :: else
       fi
    od
    arrived = false; // the next program waits for another arrival
    w_runs = false;
end:
    skip
}

init {
    byte starts_of_c, starts_of_w;
    do
    :: !c_runs && starts_of_c < STARTS ->
       starts_of_c++;
#ifdef START_LATE
       run program_c();
       c_runs = true
#else
       c_runs = true;
       run program_c()
#endif
    :: !w_runs && starts_of_w < STARTS ->
       starts_of_w++;
       w_runs = true;
       run program_w()
    :: master_wait = end_of_c;
       (!c_runs);
       master_wait = nothing
    :: master_wait = end_of_w;
       (!w_runs || lost);
       if
       :: lost -> goto end_of_job
       :: else
       fi
#ifndef KEPT
       master_wait = nothing
#endif
    :: is_over = true; break
    od
end_of_job:
    skip
}
