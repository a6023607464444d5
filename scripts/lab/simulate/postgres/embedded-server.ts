import { readdirSync, readFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { installLedgerFunctions, LEDGER_FUNCTIONS } from '../../../../services/store/ledger-functions.ts';
import { outside } from '../engine/host.ts';
import { createWireSocket, encodeQuery, isFailed, WELCOME } from './wire.ts';

/** PostgreSQL in this process (PGlite), with one session. Its work takes real time, and none of a world's. */
export interface EmbeddedServer {
  /** Answers messages of the protocol at once. */
  readonly answer: (request: Uint8Array) => Uint8Array;
  /** Runs statements that must not fail. */
  readonly command: (text: string) => Uint8Array;
  readonly close: () => Promise<void>;
}

const ROOT = new URL('../../../../', import.meta.url);
const MIGRATIONS = new URL('services/store/migrations/', ROOT);

/** The product's tables and functions. The time is a setting of each statement. */
const CLOCK = `CREATE OR REPLACE FUNCTION ledger.clock() RETURNS timestamptz LANGUAGE sql VOLATILE
  AS 'SELECT current_setting(''simulation.now'')::timestamptz'`;
/** This server has no disk, so its settings say nothing about one. */
const STATUS = `CREATE OR REPLACE FUNCTION ${LEDGER_FUNCTIONS}.status() RETURNS TABLE (now_at timestamptz, fault text)
  LANGUAGE sql AS 'SELECT ledger.clock(), NULL::text'`;
/** Of all days of the worlds. */
const BODIES = `CREATE TABLE retained_body_simulated PARTITION OF retained_body
  FOR VALUES FROM ('2031-03-01') TO ('2031-04-01')`;

/** @param atMs a time of the worlds: the ledger has the partitions of the days around it */
export async function openEmbeddedServer(atMs: number): Promise<EmbeddedServer> {
  const database = await PGlite.create();
  const answer = (request: Uint8Array) => {
    const parts: Uint8Array[] = [];
    // `execProtocolRawSync` keeps each message that it ever answered. This has answered when it returns: nothing is synced.
    const run = () =>
      database.execProtocolRawStream(request, {
        syncToFs: false,
        onRawData: (bytes) => void parts.push(bytes.slice()),
      });
    // The server must see real time and real random numbers.
    void outside(run);
    return Buffer.concat(parts);
  };
  const command = (text: string) => {
    const answered = answer(encodeQuery(text));
    if (isFailed(answered)) throw new Error(`${text}: ${Buffer.from(answered).toString('latin1')}`);
    return answered;
  };
  for (const file of readdirSync(MIGRATIONS).toSorted()) {
    await database.exec(readFileSync(new URL(file, MIGRATIONS), 'utf8'));
  }
  await database.exec(CLOCK);
  await database.exec(BODIES);
  await installInto(answer);
  command(STATUS);
  command(`SET simulation.now = '${new Date(atMs).toISOString()}'`);
  command(`SELECT ${LEDGER_FUNCTIONS}.make_nonce_partitions(), ${LEDGER_FUNCTIONS}.make_entry_partitions()`);
  return { answer, command, close: () => database.close() };
}

async function installInto(answer: EmbeddedServer['answer']): Promise<void> {
  const stream = () =>
    createWireSocket({
      onConnect: (socket) => void setImmediate(() => socket.emit('connect')),
      onStartup: (socket) => void socket.push(WELCOME),
      onRequest: (socket, request) => void socket.push(Buffer.from(answer(request))),
    });
  const client = new pg.Client({ user: 'postgres', stream });
  await client.connect();
  await installLedgerFunctions(client);
  await client.end();
}
