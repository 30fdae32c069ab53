// SPDX-License-Identifier: BSD-3-Clause
// The launcher's class OomKills finds the counter of kills for want of memory in folders that look as those of the kernel:
// control groups of version 1 and 2, in a container, and none; and tells a count that rose from one that did not.
#include "launch/oom_kills.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

using skerry::OomKills;

int failures = 0;
std::string root;

void expect(bool condition, const std::string &what) {
    if (condition) return;
    std::printf("oom_kills: %s\n", what.c_str());
    ++failures;
}

void write(const std::string &path, const std::string &text) {
    std::filesystem::create_directories(std::filesystem::path(root + path).parent_path());
    std::ofstream(root + path) << text;
}

std::string events(long kills) {
    return "low 0\nhigh 0\nmax 7\noom 9\noom_kill " + std::to_string(kills) + "\noom_group_kill 5\n";
}

std::string oom_control(long kills) {
    return "oom_kill_disable 0\nunder_oom 1\noom_kill " + std::to_string(kills) + "\n";
}

// As long as the real one: more than a page, so that it takes several reads.
std::string vmstat(long kills) {
    std::string text;
    for (int i = 0; i < 300; ++i) text += "nr_something_" + std::to_string(i) + " 123456\n";
    return text + "oom_kill " + std::to_string(kills) + "\nnuma_hit 1\n";
}

const std::string surely = ", by the kernel because memory ran out (OOM)";
const std::string probably = ", probably by the kernel because memory ran out (OOM)";

// The counter at `path` is the one that counts, and says `wanted` when it rises.
void expect_counter(const std::string &path, std::string (*text)(long), const std::string &wanted) {
    write(path, text(3));
    const OomKills kills(root);
    expect(kills.describe_killer().empty(), path + ": blamed before any kill");
    write(path, text(4));
    expect(kills.describe_killer() == wanted, path + ": \"" + kills.describe_killer() + "\"");
    const OomKills later(root);
    expect(later.describe_killer().empty(), path + ": blamed for a kill before the start");
}

void begin(const std::string &groups) {
    std::filesystem::remove_all(root);
    write("/proc/self/cgroup", groups);
    write("/proc/vmstat", vmstat(1));
}

} // namespace

int main() {
    std::string folder = (std::filesystem::temp_directory_path() / "skerry-oom-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) return 1;
    root = folder;

    begin("0::/user.slice/session-3.scope\n");
    expect_counter("/sys/fs/cgroup/user.slice/session-3.scope/memory.events", events, surely);
    write("/proc/vmstat", vmstat(8));
    expect(OomKills(root).describe_killer().empty(), "another group's kill");

    begin("0::/../../outside\n"); // a container
    expect_counter("/sys/fs/cgroup/memory.events", events, surely);

    begin("5:cpu,cpuacct:/a\n4:memory:/batch/job_7\n1:name=systemd:/memory\n0::/ignored\n");
    write("/sys/fs/cgroup/ignored/memory.events", events(1));
    expect_counter("/sys/fs/cgroup/memory/batch/job_7/memory.oom_control", oom_control, surely);

    begin("3:hugetlb,memory:/docker/4711\n");
    expect_counter("/sys/fs/cgroup/memory/memory.oom_control", oom_control, surely);

    begin("0::/\n"); // no group counts memory
    expect_counter("/proc/vmstat", vmstat, probably);

    begin("4:memory:/old\n"); // a kernel whose groups do not count kills
    write("/sys/fs/cgroup/memory/old/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\n");
    expect_counter("/proc/vmstat", vmstat, probably);

    std::filesystem::remove_all(root);
    expect(OomKills(root).describe_killer().empty(), "no /proc");

    begin("no colon\n1:one\n\n");
    std::filesystem::remove(root + "/proc/vmstat");
    expect(OomKills(root).describe_killer().empty(), "strange lines");

    std::filesystem::remove_all(folder);
    return failures == 0 ? 0 : 1;
}
