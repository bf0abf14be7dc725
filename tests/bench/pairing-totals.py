"""Holds the totals of matchings, as the example `rounds` prints them, to those that networkx finds for the same weights."""

import sys
import time

import networkx


def pools(lines):
    """Pools, each with the total that was found and its edges with their costs."""
    for line in lines:
        words = line.split()
        if words[0] == "pool":
            edges = [tuple(map(int, next(lines).split())) for _ in range(int(words[2]))]
            yield int(words[1]), int(words[3]), edges


def cheapest(edges):
    """The total cost of the cheapest of all largest matchings."""
    dearest = max(cost for _, _, cost in edges)
    graph = networkx.Graph()
    graph.add_weighted_edges_from((a, b, dearest - cost) for a, b, cost in edges)
    pairs = networkx.max_weight_matching(graph, maxcardinality=True)
    return sum(dearest - graph[a][b]["weight"] for a, b in pairs)


def main():
    """Ends with 1 where any total differs."""
    start, differ, ours, theirs, count = time.monotonic(), 0, 0, 0, 0
    for vertices, total, edges in pools(iter(sys.stdin)):
        found = cheapest(edges) if edges else 0
        count, ours, theirs = count + 1, ours + total, theirs + found
        if found != total:
            differ += 1
            print(f"a pool of {vertices}: {total} here, {found} by networkx")
    took = time.monotonic() - start
    same = "equal" if not differ else "NOT EQUAL"
    print(f"{sys.argv[1]}: {count} pools, total {ours} here, {theirs} by networkx in {took:.1f} s: {same}")
    sys.exit(1 if differ or not count else 0)


if __name__ == "__main__":
    main()
