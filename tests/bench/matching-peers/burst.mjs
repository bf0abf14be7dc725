// A burst of players on a Colyseus server, whose queue pairs them two by two: how fast all of them are told of their room.
//
// The server is a process of its own, as it comes: its queue is passed over once a second. Each client opens a connection of its
// own, as its protocol has it, which is part of what is measured. Nothing of what it makes outlives the server.
//
//   node burst.mjs [PLAYERS [BURSTS]]
import { fork } from "node:child_process";
import { once } from "node:events";

import { QueueRoom, Room, Server, matchMaker } from "@colyseus/core";
import { Client } from "@colyseus/sdk";
import { WebSocketTransport } from "@colyseus/ws-transport";

const PATIENCE_MS = 120_000;

class GameRoom extends Room {
  maxClients = 2;
}

class Queue extends QueueRoom {
  // One for all bursts: those who come at the same moment must not wait in two.
  autoDispose = false;
}

async function serve() {
  const server = new Server({ transport: new WebSocketTransport(), greet: false });
  server.define("game", GameRoom);
  server.define("queue", Queue, { matchRoomName: "game", maxPlayers: 2 });
  await server.listen(0, "127.0.0.1");
  await matchMaker.createRoom("queue", {});
  process.send(server.transport.server.address().port);
}

/// Queues a player; resolves to the room that he is told of, and how long he has waited in milliseconds.
async function play(client) {
  const began = performance.now();
  const queue = await client.joinOrCreate("queue", { rank: 1500 });
  queue.onMessage("clients", () => {});
  const seat = await new Promise((told, failed) => {
    queue.onMessage("seat", told);
    queue.onError((code, message) => failed(new Error(`${code}: ${message}`)));
  });
  return { queue, room: seat.roomId ?? seat.room.roomId, waited: performance.now() - began };
}

async function burst(client, players) {
  const began = performance.now();
  const all = await Promise.all(Array.from({ length: players }, () => play(client)));
  const took = performance.now() - began;
  const rooms = new Map();
  for (const { room } of all) rooms.set(room, (rooms.get(room) ?? 0) + 1);
  if (rooms.size * 2 !== players || [...rooms.values()].some((seats) => seats !== 2)) {
    throw new Error(`${players} players are in ${rooms.size} rooms`);
  }
  await Promise.all(all.map(({ queue }) => queue.leave()));
  const waits = all.map(({ waited }) => waited).sort((one, other) => one - other);
  return { pairs: players / 2 / (took / 1000), took, p50: waits[players >> 1], p99: waits[Math.floor(players * 0.99)] };
}

async function measure(players, bursts) {
  const server = fork(new URL(import.meta.url), ["--serve"]);
  try {
    const [port] = await once(server, "message");
    const client = new Client(`http://127.0.0.1:${port}`);
    const found = [];
    for (let at = 0; at < bursts; at += 1) found.push(await burst(client, players));
    found.sort((one, other) => one.pairs - other.pairs);
    const { pairs, took, p50, p99 } = found[bursts >> 1];
    console.log(
      `  Colyseus: ${pairs.toFixed(0)} pairs a second (${found[0].pairs.toFixed(0)} to ${found.at(-1).pairs.toFixed(0)}), ` +
        `all told after ${(took / 1000).toFixed(2)} s, player to room p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
    );
  } finally {
    server.kill();
  }
}

if (process.argv[2] === "--serve") {
  await serve();
} else {
  const [players = 2000, bursts = 5] = process.argv.slice(2).map(Number);
  setTimeout(() => {
    console.error("the players wait on");
    process.exit(1);
  }, PATIENCE_MS).unref();
  await measure(players, bursts);
  process.exit(0);
}
