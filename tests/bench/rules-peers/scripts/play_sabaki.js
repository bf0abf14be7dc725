// Plays games with @sabaki/go-board, and prints how many moves in how many seconds.
const { readFileSync } = require('node:fs')
const { performance } = require('node:perf_hooks')
const Board = require('@sabaki/go-board')

const [task, path] = process.argv.slice(2)
if (task !== 'apply') process.exit(1)
const [size, ...games] = readFileSync(path, 'ascii').trim().split('\n')
const read = (move) => (move === '-' ? null : move.split(',').map(Number))
const played = games.map((line) => line.split(' ').map(read))

let moves = 0
const began = performance.now()
for (const game of played) {
  let board = Board.fromDimensions(Number(size))
  game.forEach((vertex, turn) => {
    if (vertex) board = board.makeMove(turn % 2 ? -1 : 1, vertex)
  })
  moves += game.length
}
console.log(moves, (performance.now() - began) / 1000)
