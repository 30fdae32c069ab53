// SPDX-License-Identifier: BSD-3-Clause
// The loop in which the server of a cluster of the MPPA (src/machine/mppa/server.c, run_jobs) executes jobs. A tag counts the
// jobs that have arrived, modulo RANGE. The server loads this count only if no job is left of those that it has counted. While a
// function of a remote procedure call waits, the server executes further jobs in an inner call of the loop, which can go on for
// any time, because senders send more jobs meanwhile. The outer call then continues.
// Checked: the server executes a job only when it has arrived, and each job once.
// Mistakes that must be found:
//     -DOWN_NUMBER  the outer call keeps the number of jobs that are left, although the inner call has executed some of them
//     -DLATE        the number is decremented behind the execution of a job, not before it
// check: holds
// check: fails -DOWN_NUMBER
// check: fails -DLATE
#define JOBS 12
#define CREDIT 2
#define RANGE 8 // of the count; half of it is more than the jobs that can be without an answer

byte sent, transfers; // the second one is modulo RANGE
byte done;
byte left, counted; // variables of the server: jobs that are left, and the count when it was last loaded

active proctype sender() {
    do
    :: sent == JOBS -> break
    :: atomic { sent < JOBS && sent - done < CREDIT -> sent++; transfers = (transfers + 1) % RANGE }
    od
}

inline find_jobs(number) {
    number = left;
    if
    :: number > 0
    :: else ->
        count = transfers;
        number = (count + RANGE - counted) % RANGE;
        counted = count
    fi
}

inline execute_job() {
    assert(done < sent);
    done++
}

active proctype server() {
    byte outer, inner, count;
    do
    :: done == JOBS -> break
    :: done < JOBS ->
        find_jobs(outer);
        do
        :: outer == 0 -> break
        :: outer > 0 ->
#ifndef LATE
           left = outer - 1;
#endif
           execute_job();
           if
           :: skip // the job waited for nothing
           :: do
              :: find_jobs(inner);
                 if
                 :: inner == 0 -> break
                 :: else -> left = inner - 1; execute_job()
                 fi
              :: break // the function waits no longer
              od
           fi;
#ifdef LATE
           left = outer - 1;
#endif
#ifdef OWN_NUMBER
           outer--;
           if
           :: outer == 0 -> find_jobs(outer)
           :: else
           fi
#else
           find_jobs(outer)
#endif
        od
    od;
    assert(done == sent)
}
