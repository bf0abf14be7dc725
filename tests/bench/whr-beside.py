"""Rates the games of a folder with PyPI's whr, and holds the curves beside them to what comes of it."""

import csv
import pathlib
import sys
import time

import whr

# It has no word for being done: it is swept until nothing moves any more by what counts here.
SWEEPS = 40
SETTLED = 0.002
DIFFERENCE_MAX = 0.1

folder = pathlib.Path(sys.argv[1])
with open(folder / "games.csv", newline="") as lines:
    games = [[one, other, winner, int(day), float(advantage)] for one, other, winner, day, advantage in csv.reader(lines)]
began = time.monotonic()
base = whr.Base(config={"w2": 300.0})
base.create_games(games)
players = sorted({player for game in games for player in game[:2]}, key=int)
curves = {}
sweeps = 0
while True:
    base.iterate(SWEEPS)
    sweeps += SWEEPS
    before, curves = curves, {player: base.ratings_for_player(player) for player in players}
    moved = max(
        (abs(now[1] - then[1]) for player in before for then, now in zip(before[player], curves[player])),
        default=float("inf"),
    )
    if moved <= SETTLED:
        break
print(f"PyPI's whr, {len(games)} games: {time.monotonic() - began:.2f} s, {sweeps} sweeps")
with open(folder / "curves.csv", newline="") as lines:
    ours = [(player, int(day), float(rating)) for player, day, rating in csv.reader(lines)]
theirs = [(player, day, rating) for player in players for day, rating, _ in curves[player]]
if [row[:2] for row in ours] != [row[:2] for row in theirs]:
    sys.exit("the days of the players are not the same")
most = max(abs(one[2] - other[2]) for one, other in zip(ours, theirs))
print(f"the largest difference of {len(ours)} ratings: {most:.4f} points")
if most > DIFFERENCE_MAX:
    sys.exit(f"it may be {DIFFERENCE_MAX}")
