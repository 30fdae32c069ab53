// SPDX-License-Identifier: BSD-3-Clause
// Creates the memory files of a job, one for each node on this machine. A file holds the partitions (the memory) of all
// PEs of its node. A file has no name, so no other user can open it and nobody has to remove it. oshrun never maps a
// file. This class also reads the PEs' control blocks from the files: records that the library writes
// (src/machine/linux/job.h).
#pragma once

#include "../src/machine/linux/job.h"
#include "wire_up.hpp"

#include <memory>
#include <string>
#include <vector>

namespace skerry {

// Closes the memory file of an outer job. An outer job exists if a PE of that job has started this oshrun; the new job
// must not use the file. Also removes SKERRY_JOB (the file's descriptor) from the environment. Does nothing if
// SKERRY_JOB names no memory file.
void leave_outer_job();

class JobMemory {
  public:
    // Creates a file for the partitions (the PEs' memories) of each node in `nodes`. All these nodes are on this
    // machine. `wire_up` is the descriptor of the file that describes all nodes of the job (wire_up.hpp). If `wire_up`
    // is -1 and there are several nodes, creates the describing file too. Ends oshrun with an error message if a file
    // cannot be created.
    JobMemory(const std::vector<NodeRange> &nodes, uint64_t heap_bytes, int wire_up);

    // A node: its PEs are the `count` PEs from rank `first` on, and `descriptor` is the file with their memory.
    struct Node {
        int descriptor, first, count;
    };
    const Node &node_of(int pe) const;

    // Returns the descriptor of the file that describes all nodes of the job (src/machine/linux/network.h), or -1 if
    // the job has one node.
    int wire_up() const {
        return own_wire_up_ ? own_wire_up_->descriptor() : wire_up_;
    }

    // Returns the control block of a PE, in which its library records how far the PE is. Leaves out the crash record at
    // its end. All its bytes are zero if the PE's program does not use OpenSHMEM.
    skerry_control control(int pe) const;
    // Returns the crash record of a PE, which the library writes when a signal ends the PE. All its bytes are zero if
    // the PE has not crashed.
    skerry_crash crash(int pe) const;

    // Returns the folder of the memory file if the folder's file system is full. Returns an empty text if the file
    // system has free space, or if the memory file is a memfd.
    std::string full_folder() const;

  private:
    int create(int pes);

    std::vector<Node> nodes_;
    int wire_up_;
    std::unique_ptr<WireUp> own_wire_up_;
    std::string folder_; // folder that the file was created in; empty for a memfd
};

} // namespace skerry
