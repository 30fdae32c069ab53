# SPDX-License-Identifier: BSD-3-Clause
"""traffic.py SKERRY-SIM PROGRAM OPTION...: runs a program on the machine mppa and compares what its counters, its report
and its trace say about the traffic between nodes."""
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path


def same(what, left, right):
    if left != right:
        sys.exit(f"{what}: {left} and {right}")


with tempfile.TemporaryDirectory() as folder:
    report, trace = Path(folder, "report.html"), Path(folder, "trace.json")
    done = subprocess.run([sys.argv[1], "--machine", "mppa", "--max-cycles", "20000000", "--summary", "--json", "-", "--report",
                           report, "--trace", trace, *sys.argv[3:], sys.argv[2]], capture_output=True, text=True)
    same("exit code", done.returncode, 0)
    counters = json.loads(done.stdout)
    page = json.loads(re.search(r'id="data">(.*?)</script>', report.read_text(), re.S)[1])
    events = json.loads(trace.read_text())["traceEvents"]

nodes = counters["nodes"]
history = page["node_history"]
same("the report's nodes", page["nodes"], nodes)
links = {(l["network"], l["from"], l["towards"]): l for l in nodes["links"]}
for network, sent, received, size in (("data", "packets_sent", "packets_received", "bytes_sent"),
                                      ("control", "words_sent", "words_received", None)):
    packets = sum(n[sent] for n in nodes["list"])
    pairs = [p for p in nodes["pairs"] if p["network"] == network]
    same(f"{network}: packets of pairs", sum(p["packets"] for p in pairs), packets)
    same(f"{network}: packets received", sum(n[received] for n in nodes["list"]), packets)
    same(f"{network}: packets into nodes", sum(l["packets"] for k, l in links.items() if k[0] == network and k[2] == "node"), packets)
    if size:
        same("bytes of pairs", sum(p["bytes"] for p in pairs), sum(n[size] for n in nodes["list"]))
    # The trace has each transfer at its sender, at its receiver, and an arrow between them.
    ends = Counter()
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    for e in events:
        if e["ph"] == "X":
            ends[names[e["pid"], e["tid"]]] += e.get("args", {}).get("packets", 0)
    word = "words" if network == "control" else "transfers"
    same(f"{network}: packets of the trace's senders", ends[word + " out"], packets)
    same(f"{network}: packets of the trace's receivers", ends[word + " in"], packets)

for link in history["links"]["links"]:
    total = links[link["network"], link["from"], link["towards"]]
    same(f"flits of {link['network']} {link['from']} {link['towards']}", sum(link["flits"]), total["flits"])
same("links with a history", len(history["links"]["links"]), len(links))
for memory, total in zip(history["ddr"]["io_nodes"], nodes["ddr"]):
    same("bytes read", sum(memory["bytes_read"]), total["bytes_read"])
    same("bytes written", sum(memory["bytes_written"]), total["bytes_written"])

transfers = [dict(zip(history["transfers"]["members"], t)) for t in history["transfers"]["list"]]
complete = history["transfers"]["left_out"] == 0
shown, all_bytes = sum(t["bytes"] for t in transfers), sum(n["bytes_sent"] for n in nodes["list"])
same(f"{shown} bytes of transfers are all, and {all_bytes} are", shown == all_bytes, complete)
for t in transfers:
    if not t["begin"] <= t["end"] <= counters["cycles"] or not t["begin"] < t["landed_begin"] <= t["landed_end"]:
        sys.exit(f"times of a transfer: {t}")
jobs = [t for t in transfers if t["by"].startswith("micro-core")]
if complete:
    same("jobs of micro-cores", len(jobs), sum(n["jobs"] for n in nodes["list"]))

# The functions over time have every cycle in which a core was not idle.
tracks = [t for c in page["timeline"]["functions"]["clusters"] for t in c["cycles"]]
same("cycles of functions", sum(map(sum, tracks)), sum(c["cycles"] - c["cycles_by_cause"]["idle"] for c in counters["cores"]))

bytes_moved = sum(n["bytes_sent"] for n in nodes["list"])
for line in (rf"data network: \d+ packets with {bytes_moved} bytes; fullest link (from|into) .*, [0-9.]+ % of the cycles",
             rf"control network: {sum(n['words_sent'] for n in nodes['list'])} words") if bytes_moved else ():
    if not re.search(f"^{line}$", done.stderr, re.M):
        sys.exit(f"the summary has no line {line}: {done.stderr}")
for k, memory in enumerate(nodes["ddr"]):
    line = f"DDR {k}: {memory['bytes_read']} bytes read and {memory['bytes_written']} written by DMA units, "
    same(f"the summary names DDR {k}", line in done.stderr, memory["bytes_read"] + memory["bytes_written"] > 0)
