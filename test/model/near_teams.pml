// SPDX-License-Identifier: BSD-3-Clause
// When the memory of a kept team is freed (src/omp/near_teams.h), in shared memory. The master runs regions of teams with one, two
// or three threads, in any order. There is memory for two teams. A team of n threads has the workers 1 to n - 1. A worker waits at
// its mailbox between its regions, and reads the team of its last region meanwhile. It reports the end of its part of a region.
// The master keeps its teams in a list, the latest first, and frees the first one whose workers are all in teams before it. If
// there is none, it runs an empty region of the largest team.
// Checked: a worker reads no team that was freed; the master always finds a team to free; no process waits for ever.
// Mistakes that must be found:
//     -DANY_KEPT      the master frees the team that was not used for the longest time, whoever is in it
//     -DAT_DELIVERY   the list is in the order in which the last regions have begun, so a region that runs counts as joined: the
//                     master frees a team in the middle of a region
//     -DNO_GATHER     the master runs no empty region
// check: holds
// check: fails -DANY_KEPT
// check: fails -DAT_DELIVERY
// check: fails -DNO_GATHER
#define WORKERS 2
#define TEAMS 3     // team t has t workers: 0, 1 or 2
#define MEMORY 2    // so many teams fit
#define REGIONS 5
#define NONE 255

bool exists[TEAMS];
byte box[WORKERS];  // number of a team + 1; 0: empty
byte ended;         // number of workers that have ended their part of the region
bool stops;

byte list[TEAMS];   // teams that the master keeps, the latest first
byte kept;

// The worker's last team is `team`. It reads this team while it waits.
proctype worker(byte me) {
    byte team = NONE;
    do
    :: atomic { box[me] != 0 -> team = box[me] - 1; box[me] = 0 }
       assert(exists[team]); // the region
       ended++
    :: team != NONE && !stops -> assert(exists[team])
    :: stops && box[me] == 0 -> break
    od
}

byte place, other, covered;

inline unlink(t) {
    place = 0;
    do
    :: place < kept && list[place] != t -> place++
    :: else -> break
    od;
    if
    :: place < kept ->
       do
       :: place + 1 < kept -> list[place] = list[place + 1]; place++
       :: else -> break
       od;
       kept--
    :: else
    fi;
    place = 0
}

inline link(t) {
    place = kept;
    do
    :: place > 0 -> list[place] = list[place - 1]; place--
    :: else -> break
    od;
    list[0] = t;
    kept++
}

// Frees a team of the list. covered: number of workers of the teams before in the list; their workers are 0 to covered - 1.
inline free_one(found) {
    atomic {
        found = NONE;
        covered = 0;
        other = 0;
        do
        :: other < kept ->
           if
#ifdef ANY_KEPT
           :: true -> found = list[other]
#else
           :: list[other] <= covered -> found = list[other]
#endif
           :: else
           fi;
           if
           :: list[other] > covered -> covered = list[other]
           :: else
           fi;
           other++
        :: else -> break
        od;
        other = 0;
        covered = 0;
        if
        :: found != NONE -> unlink(found); exists[found] = false
        :: else
        fi
    }
}

inline region(t) {
    atomic { unlink(t); ended = 0 }
#ifdef AT_DELIVERY
    atomic { link(t) }
#endif
    i = 0;
    do
    :: i < t -> box[i] = t + 1; i++
    :: else -> break
    od;
    i = 0;
#ifdef AT_DELIVERY
    // In the region the master needs memory.
    if
    :: kept == MEMORY -> free_one(freed)
    :: true
    fi;
    freed = NONE;
#endif
    ended == t;
#ifndef AT_DELIVERY
    atomic { link(t) }
#endif
}

proctype master() {
    byte regions, i, t, largest, freed = NONE;
    do
    :: regions < REGIONS ->
       if
       :: t = 0
       :: t = 1
       :: t = 2
       fi;
       if
       :: !exists[t] && kept == MEMORY ->
          free_one(freed);
#ifndef NO_GATHER
          if
          :: freed == NONE ->

             other = (list[0] > list[1] -> list[0] : list[1]);
             largest = other; other = 0;
             region(largest);
             free_one(freed)
          :: else
          fi;
#endif
          assert(freed != NONE);
          freed = NONE
       :: else
       fi;
       exists[t] = true;
       region(t);
       regions++
    :: else -> break
    od;
    stops = true
}

init {
    atomic {
        run master();
        run worker(0);
        run worker(1)
    }
}
