#!/usr/bin/env python3
"""A made-up cluster for SimGrid: platform.xml and hosts in a folder.

    platform.py [--net ethernet|infiniband] [--cores 16] RANKS FOLDER

ethernet    10 Gbit/s a node, 25 us one way between nodes, one switch that is never the limit
infiniband  100 Gbit/s a node, 1 us, a fat tree of 16 ports down and 8 up at the edge (2:1)

Nodes have --cores ranks each (the last one perhaps fewer). Ranks of a node meet over a loopback of
5 GB/s in all and 0.5 us.
"""

import argparse
import math
import os

LOOPBACK = 'loopback_bw="5GBps" loopback_lat="0.5us"'
SPEED = "1Gf"  # smpi/host-speed says the same: computation is given in seconds
EDGE, UPLINKS = 16, 8


def cluster(net, nodes, cores):
    """The <cluster> element."""
    head = (f'<cluster id="c" prefix="node-" suffix="" radical="0-{nodes - 1}" '
            f'speed="{SPEED}" core="{cores}" {LOOPBACK} ')
    if net == "ethernet":
        return head + 'bw="1.25GBps" lat="12.5us" sharing_policy="SPLITDUPLEX"/>'
    edges = math.ceil(nodes / EDGE)
    tree = f"2;{EDGE},{edges};1,{UPLINKS};1,1" if edges > 1 else f"1;{nodes};1;1"
    radical = edges * EDGE - 1 if edges > 1 else nodes - 1
    head = head.replace(f"0-{nodes - 1}", f"0-{radical}")
    return head + (f'bw="12.5GBps" lat="0.25us" sharing_policy="SPLITDUPLEX" '
                   f'topology="FAT_TREE" topo_parameters="{tree}"/>')


def main():
    """Write the two files."""
    parser = argparse.ArgumentParser(description="Platform files for SimGrid.")
    parser.add_argument("--net", choices=["ethernet", "infiniband"], default="ethernet")
    parser.add_argument("--cores", type=int, default=16, help="ranks a node")
    parser.add_argument("ranks", type=int)
    parser.add_argument("folder")
    a = parser.parse_args()
    nodes = math.ceil(a.ranks / a.cores)
    with open(os.path.join(a.folder, "platform.xml"), "w", encoding="ascii") as out:
        out.write('<?xml version="1.0"?>\n'
                  '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
                  f'<platform version="4.1">\n  {cluster(a.net, nodes, a.cores)}\n</platform>\n')
    with open(os.path.join(a.folder, "hosts"), "w", encoding="ascii") as out:
        for rank in range(a.ranks):
            out.write(f"node-{rank // a.cores}\n")


if __name__ == "__main__":
    main()
