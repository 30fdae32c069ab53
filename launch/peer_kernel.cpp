// SPDX-License-Identifier: BSD-3-Clause
#include "peer_kernel.hpp"

#include "connection.hpp"
#include "limits.hpp"

#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace skerry {

namespace {

class KernelBehind : public PeerKernel {
  public:
    explicit KernelBehind(int connection) : connection_(connection) {
    }

    // Returns true if one of two conditions holds:
    // 1. The other side's kernel has acknowledged all data that were sent.
    // 2. The other side's kernel has acknowledged some data within the last second.
    //
    // Condition 1 is needed if this process sent no data in the last second. Two causes: oshrun or skerry-node got no
    // processor time for a while. Or the other process reads nothing, so that the local kernel cannot send.
    bool answers(double) override {
        struct tcp_info info {};
        socklen_t length = sizeof info;
        if (getsockopt(connection_, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return false;
        return info.tcpi_unacked == 0 || info.tcpi_last_ack_recv < 1e3 * question_interval;
    }

  private:
    int connection_;
};

class KernelAt : public PeerKernel {
  public:
    KernelAt(const std::string &address, const std::string &port) : address_(address), port_(port) {
    }
    ~KernelAt() override {
        forget_question();
    }

    bool answers(double seconds) override {
        bool answered = descriptor_ >= 0 && has_answered();
        const double age = seconds - asked_;
        if (age >= 0 && age < (descriptor_ >= 0 ? 2 * question_interval : question_interval)) return answered;
        forget_question();
        asked_ = seconds;
        descriptor_ = begin_connection(address_, port_);
        if (descriptor_ < 0) answered = answered || errno == ECONNREFUSED;
        return answered;
    }

  private:
    bool has_answered() {
        struct pollfd ready = {descriptor_, POLLOUT, 0};
        if (poll(&ready, 1, 0) != 1) return false;
        const int error = error_of_connection(descriptor_);
        forget_question();
        return error == 0 || error == ECONNREFUSED;
    }

    void forget_question() {
        if (descriptor_ >= 0) close(descriptor_);
        descriptor_ = -1;
    }

    const std::string address_, port_;
    int descriptor_ = -1;               // connection request that has no answer yet; -1: none
    double asked_ = -question_interval; // time of the last request, on the clock of `answers`
};

class OwnKernel : public PeerKernel {
  public:
    bool answers(double) override {
        return true;
    }
};

} // namespace

std::unique_ptr<PeerKernel> kernel_behind(int connection) {
    return std::make_unique<KernelBehind>(connection);
}

std::unique_ptr<PeerKernel> kernel_at(const std::string &address, const std::string &port) {
    return std::make_unique<KernelAt>(address, port);
}

std::unique_ptr<PeerKernel> own_kernel() {
    return std::make_unique<OwnKernel>();
}

} // namespace skerry
