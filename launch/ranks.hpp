// SPDX-License-Identifier: BSD-3-Clause
// Declares a list of the ranks of PEs. Messages print such a list as "PE 3" or "PEs 0-3, 7".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace skerry {

class RankList {
  public:
    // Adds the PEs with the ranks from `first` to `last`. Ranks are added in ascending order.
    void add(int first, int last);
    void add(int rank) {
        add(rank, rank);
    }
    // Adds the ranks of a text such as "0-3,7". Returns false if the text has another form.
    bool add(std::string_view text);

    bool empty() const {
        return ranges_.empty();
    }
    int count() const;

    std::string describe() const; // "PEs 0-3, 7"; "no PEs" for an empty list
    std::string ranks() const;    // "0-3,7"

  private:
    struct Range {
        int first, last;
    };
    std::vector<Range> ranges_;
};

} // namespace skerry
