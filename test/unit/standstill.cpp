// SPDX-License-Identifier: BSD-3-Clause
// The launcher's class StandstillDetector reports a deadlock only if no record is under way and no node was active between the
// two waves; random runs of nodes that wake each other by records check both directions. RankList lists ranks.
#include "launch/ranks.hpp"
#include "launch/standstill.hpp"

#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace {

using skerry::RankList;
using skerry::StandstillDetector;

int failures = 0;

void expect(bool condition, const std::string &what) {
    if (condition) return;
    std::printf("standstill: %s\n", what.c_str());
    ++failures;
}

bool nobody(size_t) {
    return false;
}

void test_two_waves() {
    StandstillDetector detector(2);
    detector.stands(0, 5, 3);
    expect(!detector.begin_round(), "a round began before all nodes had reported");
    detector.stands(1, 2, 3);
    expect(!detector.begin_round(), "a round began while a record was under way");
    detector.stands(1, 2, 4);
    const auto round = detector.begin_round();
    expect(round.has_value() && !detector.begin_round(), "one round begins when the totals are equal");
    detector.confirms(0, *round);
    expect(!detector.is_deadlock(nobody), "one of two nodes has confirmed");
    detector.confirms(1, *round);
    expect(detector.is_deadlock(nobody), "both nodes have confirmed");
}

// A record that was under way changes the numbers of its receiver after the first wave. The late confirmation of the other
// node belongs to the round before.
void test_broken_round() {
    StandstillDetector detector(2);
    detector.stands(0, 1, 1);
    detector.stands(1, 1, 1);
    const auto first = detector.begin_round();
    detector.moves(1);
    detector.confirms(0, *first);
    expect(!detector.begin_round() && !detector.is_deadlock(nobody), "a node has moved");
    detector.stands(1, 2, 2);
    const auto second = detector.begin_round();
    detector.confirms(1, *second);
    expect(!detector.is_deadlock(nobody), "a confirmation of an earlier round counts");
    detector.confirms(0, *second);
    expect(detector.is_deadlock(nobody), "both confirmed the second round");
}

void test_ended_node() {
    StandstillDetector detector(2);
    detector.stands(0, 1, 1);
    detector.stands(1, 0, 0);
    detector.confirms(1, *detector.begin_round());
    expect(detector.is_deadlock([](size_t node) { return node == 0; }), "an ended node need not confirm");
}

// Nodes with random activity: an active node sends records or becomes passive; a record makes its receiver active. Nodes
// report and answer with delays, in the order of their messages.
class Simulation {
  public:
    explicit Simulation(unsigned seed) : random_(seed), detector_(count) {
    }
    void run() {
        bool found = false;
        for (int step = 0; step < 200'000 && !found; ++step) {
            act(pick(count));
            deliver_report(pick(count));
            if (const auto round = detector_.begin_round())
                for (size_t i = 0; i < count; ++i) questions_[i].push_back(*round);
            found = detector_.is_deadlock(nobody);
            if (found) expect(is_over(), "a deadlock was reported while a node was active or a record under way");
        }
        expect(found, "the end was not found");
    }

  private:
    static constexpr size_t count = 4;
    struct Report {
        char kind; // 's' stands, 'm' moves, 'c' confirmed
        uint64_t a, b;
    };
    size_t pick(size_t below) {
        return std::uniform_int_distribution<size_t>(0, below - 1)(random_);
    }
    bool is_over() const {
        uint64_t under_way = 0;
        for (size_t i = 0; i < count; ++i) under_way += inbox_[i] + (active_[i] ? 1 : 0);
        return under_way == 0;
    }
    void act(size_t i) {
        if (inbox_[i] > 0 && pick(4) == 0) {
            --inbox_[i];
            ++landed_[i];
            active_[i] = true;
        } else if (active_[i] && work_ > 0 && pick(3) > 0) {
            --work_;
            ++sent_[i];
            ++inbox_[pick(count)];
        } else {
            active_[i] = false;
        }
        const bool stands = !active_[i];
        if (reported_[i] && (!stands || numbers_[i] != sent_[i] + landed_[i])) {
            reports_[i].push_back({'m', 0, 0});
            reported_[i] = false;
        }
        if (!reported_[i] && stands && pick(2) == 0) {
            reports_[i].push_back({'s', sent_[i], landed_[i]});
            reported_[i] = true;
            numbers_[i] = sent_[i] + landed_[i];
        }
        if (!questions_[i].empty()) {
            if (reported_[i]) reports_[i].push_back({'c', questions_[i].front(), 0});
            questions_[i].erase(questions_[i].begin());
        }
    }
    void deliver_report(size_t i) {
        if (reports_[i].empty()) return;
        const Report report = reports_[i].front();
        reports_[i].erase(reports_[i].begin());
        if (report.kind == 's') detector_.stands(i, report.a, report.b);
        else if (report.kind == 'm') detector_.moves(i);
        else detector_.confirms(i, report.a);
    }

    std::mt19937 random_;
    StandstillDetector detector_;
    int work_ = 300;
    bool active_[count] = {true, false, true, false}, reported_[count] = {};
    uint64_t inbox_[count] = {}, sent_[count] = {}, landed_[count] = {}, numbers_[count] = {};
    std::vector<Report> reports_[count];
    std::vector<uint64_t> questions_[count];
};

void test_ranks() {
    RankList list;
    expect(list.empty() && list.describe() == "no PEs", "an empty list");
    list.add(3);
    expect(list.describe() == "PE 3" && list.ranks() == "3", "one PE");
    expect(list.add("4-6,9") && list.count() == 5, "ranks of a text");
    expect(list.describe() == "PEs 3-6, 9" && list.ranks() == "3-6,9", list.describe());
    for (const char *wrong : {"x", "1-", "1 2", "-", "3-x"}) expect(!RankList().add(std::string_view(wrong)), wrong);
}

} // namespace

int main() {
    test_two_waves();
    test_broken_round();
    test_ended_node();
    for (unsigned seed = 1; seed <= 200; ++seed) Simulation(seed).run();
    test_ranks();
    return failures == 0 ? 0 : 1;
}
