import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { openLedgerPool } from '../../../../services/ledger/store/ledger-pool.ts';
import type { Faults } from '../engine/faults.ts';
import type { Host } from '../engine/host.ts';
import type { Machine } from '../engine/machine.ts';
import type { Network } from '../engine/network.ts';
import type { SimulatedDatabase } from './simulated-database.ts';
import { createWireSocket, encodeError, WELCOME } from './wire.ts';

export interface DatabaseFaults extends Faults {
  /** The database crashes at a statement. */
  readonly databaseCrash: number;
}

export interface SimulatedPoolOptions {
  readonly host: Host;
  /** Where the process runs. It may crash when it sends a statement, or gets an answer. */
  readonly machine: Machine | undefined;
  readonly database: SimulatedDatabase;
  readonly network: Network;
  readonly faults: DatabaseFaults;
  /** The product asks for `synchronous_commit` on these connections, whatever the setting of the server is. */
  readonly isDurable?: boolean;
}

const CONNECTIONS = 3;
/** Longer than a message is late, so a statement does not run after its caller gave it up. */
const STATEMENT_TIMEOUT_MS = 10_000;
const URL = 'postgres://ledger@database.invalid/tollhouse';

/** The product's pool and its driver, whose sockets lead to the database over the simulated network. */
export function openSimulatedPool(options: SimulatedPoolOptions): pg.Pool {
  const limits = { connections: CONNECTIONS, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  const pool = openLedgerPool({ url: URL, ...limits, onError: () => {} });
  pool.options.stream = () => connectTo(options);
  // All connections have the one session of the embedded server, in which a statement can be prepared once.
  pool.on('connect', (client) => {
    const query: (...parameters: unknown[]) => unknown = client.query.bind(client);
    const unnamed = (config: unknown, ...others: unknown[]) =>
      query(typeof config === 'object' ? { ...config, name: undefined } : config, ...others);
    Object.assign(client, { query: unnamed });
  });
  return pool;
}

/** The first function that a statement calls. */
const nameOf = (request: Buffer): string =>
  /(?<=ledger_[0-9a-f]+\.)\w+(?=\()/.exec(request.toString('latin1'))?.[0] ?? 'query';

/** One connection. Requests and answers keep their order. */
function connectTo({ host, machine, database, network, faults, isDurable = false }: SimulatedPoolOptions): Duplex {
  const { world } = host;
  const life = database.life();
  /** Whether the server still serves the connection, and whether the client still hears from it. */
  let [isServed, isHeard] = [true, true];
  let lastSentMs = 0;
  let lastAnsweredMs = 0;
  const happens = (rate: number, what: string) => {
    const isFault = faults.isOn && rate > 0 && world.random.chance(rate);
    if (isFault) world.count(`fault: ${what}`);
    return isFault;
  };
  const mayCrash = () => machine?.host() === host && network.mayCrash(machine);
  const sendLater = (run: () => void) => {
    lastSentMs = Math.max(lastSentMs, world.nowMs() + network.latencyMs('kept'));
    world.at(lastSentMs, run);
  };
  const answerLater = (run: () => void) => {
    lastAnsweredMs = Math.max(lastAnsweredMs, world.nowMs() + network.latencyMs('kept'));
    world.at(lastAnsweredMs, () => isHeard && host.enter(run));
  };
  const answer = (socket: Duplex, bytes: Buffer) => {
    if (isServed)
      answerLater(() => {
        if (!socket.destroyed && !mayCrash()) socket.push(bytes);
      });
  };
  const end = (socket: Duplex, reason: string) => {
    isServed = false;
    stopListening();
    answerLater(() => socket.destroy(new Error(reason)));
  };
  let stopListening = () => {};

  /** A statement has arrived. */
  function serve(socket: Duplex, request: Buffer): void {
    if (!isServed) return;
    world.note(() => `${host.name} sql ${nameOf(request)}`);
    if (happens(faults.databaseCrash, 'crash at a statement')) {
      // Perhaps it committed, and the disk has it only if its commit was waited for.
      const progress = world.random.below(3);
      if (progress > 0) database.run(request, { isDurable, isFlushed: progress === 2 });
      database.crash('at a statement');
      return;
    }
    if (!happens(faults.refused, 'failed statement')) {
      answer(socket, database.run(request, { isDurable }));
      return;
    }
    const code = world.random.pick(['40P01', '53100', '57P01']);
    world.note(() => `${host.name} sql fails: ${code}`);
    if (code !== '57P01') {
      answer(socket, encodeError('ERROR', code, 'simulated'));
      return;
    }
    // The backend is terminated before the commit, or while it waits after it.
    if (world.random.chance(0.5)) database.run(request, { isDurable });
    answer(socket, encodeError('FATAL', code, 'terminating connection'));
    end(socket, 'the server ended the connection');
  }

  return createWireSocket({
    onConnect(socket) {
      sendLater(() => {
        if (!database.isUp() || database.life() !== life) return end(socket, 'connection refused');
        stopListening = database.onCrash(() => end(socket, 'the server closed the connection'));
        answerLater(() => socket.emit('connect'));
      });
    },
    onStartup: (socket) => sendLater(() => answer(socket, WELCOME)),
    onRequest(socket, request) {
      if (!host.isAlive()) return;
      const isBroken = happens(faults.lost, 'broken connection to PostgreSQL');
      // The statement may still run: the server has it in the buffer of its socket.
      if (!isBroken || world.random.chance(0.5)) sendLater(() => serve(socket, request));
      if (mayCrash() || !isBroken) return;
      isHeard = false;
      // Nobody may notice until the statement takes too long.
      if (world.random.chance(0.5)) host.after(0, () => socket.destroy(new Error('the connection broke')));
    },
  });
}
