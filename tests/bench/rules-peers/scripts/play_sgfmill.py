"""Plays or counts games with sgfmill, and prints how many moves or boards in how many seconds."""

import sys
import time

from sgfmill.boards import Board


def read(path):
    """The size, and each game as a list of (column, row) or None."""
    with open(path, encoding="ascii") as lines:
        size = int(next(lines))
        games = [
            [None if move == "-" else tuple(map(int, move.split(","))) for move in line.split()]
            for line in lines
        ]
    return size, games


def play(size, moves):
    """The board after the moves."""
    board = Board(size)
    for turn, move in enumerate(moves):
        if move is not None:
            column, row = move
            board.play(size - 1 - row, column, "bw"[turn % 2])
    return board


def main(task, path):
    """Does the task and prints its figures."""
    size, games = read(path)
    if task == "apply":
        began = time.perf_counter()
        for moves in games:
            play(size, moves)
        print(sum(map(len, games)), time.perf_counter() - began)
    else:
        boards = [play(size, moves) for moves in games]
        began = time.perf_counter()
        for board in boards:
            board.area_score()
        print(len(boards), time.perf_counter() - began)


main(*sys.argv[1:])
