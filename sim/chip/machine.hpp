// SPDX-License-Identifier: BSD-3-Clause
// Defines a machine as data: its cores, their place in the address map, the sizes of its memories, the timing of its
// parts. machine_file.hpp reads a machine from a file.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "chip/ddr.hpp"
#include "dma/timing.hpp"
#include "dnoc/configuration.hpp"
#include "events/configuration.hpp"
#include "link/configuration.hpp"
#include "memory/instruction_cache.hpp"
#include "memory/shared_memory.hpp"
#include "mppa_dma/configuration.hpp"
#include "noc/configuration.hpp"
#include "rdma/configuration.hpp"
#include "riscv/configuration.hpp"

namespace skerry::sim {

// A range of global addresses (addresses that mean the same byte in every core) that leads to external memory.
struct Window {
    std::uint32_t base = 0;
    std::uint32_t size = 0;
};

// The row and column of a core, relative to the first core of the machine.
struct Position {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    bool operator==(const Position &) const = default;
};

// Divides the cores into clusters: consecutive cores, in the order of their indices, that share one memory.
struct ClusterConfiguration {
    std::uint32_t cores = 0;    // of each cluster; 0: all cores of the machine are one cluster
    std::uint32_t managers = 0; // the last cores of each cluster, which a job uses only if the user names them
    // Address at which the memory of the first cluster begins for its own cores, besides the address that all clusters
    // have. The second cluster's memory follows, and so on. 0: there are no such addresses.
    std::uint32_t global = 0;
};

enum class CoreKind : std::uint8_t { epiphany, riscv };

struct Machine {
    std::string name;
    CoreKind kind = CoreKind::epiphany; // of all cores
    RiscvConfiguration riscv;           // if the cores are of that kind
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    std::uint32_t first_row = 0; // an address is row << 26 | column << 20 | offset
    std::uint32_t first_column = 0;
    std::uint32_t local_memory = 0; // bytes of each core's own memory
    std::uint32_t megahertz = 0;
    std::vector<Window> external; // if an address of a window also belongs to a core, it leads to the core
    // The memory that all cores of a cluster access directly, if its size is not 0. Each cluster has one, at the same
    // addresses.
    SharedMemoryConfiguration shared;
    ClusterConfiguration cluster;
    InstructionCacheConfiguration instruction_cache; // of each core, for code in the shared memory
    // A memory of one bank for mutexes, besides the cores' own memories, if its size is not 0. Its accesses are those of a
    // shared memory, and slow. A machine has at most one of `shared` and `mutexes`.
    SharedMemoryConfiguration mutexes;
    std::vector<Position> absent;      // places without a core
    NetworkConfiguration network_part; // without rows, columns and first core, which network() adds
    LinkConfiguration link;
    HostAccess host;
    DmaTiming dma;
    EventConfiguration events;
    CopyConfiguration copies;
    // The networks between clusters, if data_network.rows is not 0. Both have the same nodes. The last clusters are the I/O
    // nodes. The first external memories are their DDR memories, one for each.
    dnoc::NetworkConfiguration data_network;
    dnoc::NetworkConfiguration control_network;
    MppaDmaConfiguration node_dma;
    DdrConfiguration ddr;
    std::uint32_t pcie_message_cycles = 0; // of a message between a host program and PE 0's program, in one direction

    // Returns the number of places for cores, row by row. A place can be without a core.
    std::uint32_t cores() const {
        return rows * columns;
    }
    std::uint32_t present_cores() const {
        return cores() - static_cast<std::uint32_t>(absent.size());
    }
    bool is_absent(std::uint32_t index) const;
    std::uint32_t clusters() const {
        return cluster.cores == 0 ? 1 : cores() / cluster.cores;
    }
    // Returns the number of clusters that are no I/O nodes.
    std::uint32_t compute_clusters() const {
        return clusters() - data_network.io_nodes;
    }
    std::uint32_t cluster_of(std::uint32_t index) const {
        return cluster.cores == 0 ? 0 : index / cluster.cores;
    }
    // Returns the indices of the cores that a job uses if the user does not choose them, ascending: all that are
    // present, except the managers of the clusters and the cores of I/O nodes.
    std::vector<std::uint32_t> job_cores() const;
    std::uint32_t core_id(std::uint32_t index) const {
        return (first_row + index / columns) << 6 | (first_column + index % columns);
    }
    // Returns the indices of all present cores of a cluster, which can be an I/O node, managers included, ascending.
    std::vector<std::uint32_t> cores_of_cluster(std::uint32_t number) const;
    NetworkConfiguration network() const;
};

// A value that a machine must not have: the value's key in the file, and the rule that the value breaks.
struct Problem {
    std::string key;
    std::string rule;
};
// Returns the first problem of a machine, or nothing if its values fit together.
std::optional<Problem> problem_of(const Machine &machine);

} // namespace skerry::sim
