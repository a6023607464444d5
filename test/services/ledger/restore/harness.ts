import { randomBytes } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import { followJournal } from '../../../../services/backoffice/journal/copy-journal.ts';
import { createBodyCipher } from '../../../../services/backoffice/retention/body-cipher.ts';
import { createRetention, type Retention } from '../../../../services/backoffice/retention/retention.ts';
import type { Ledger, LedgerPosition, Reservation } from '../../../../services/ledger/contract/ledger.ts';
import type { LedgerStores } from '../../../../services/ledger/restore/ledger-stores.ts';
import { createRedisClient, type RedisClient } from '../../../../services/platform/redis/redis-client.ts';
import type { Database } from '../../../../services/store/database.ts';
import { readCopyHead } from '../../../../services/store/ledger-copy.ts';
import { startTestRedis } from '../../../helpers/servers.ts';
import { createTestDatabase } from '../../../helpers/test-database.ts';
import { until } from '../../../helpers/until.ts';
import { newNetwork, newReservation, openLedger } from '../fixture.ts';

export interface Servers {
  readonly redisUrl: string;
  readonly client: RedisClient;
  readonly database: Database;
  readonly retention: Retention;
  stop(): Promise<void>;
}

export async function startServers(): Promise<Servers> {
  const [redis, { database, stop }] = await Promise.all([startTestRedis(), createTestDatabase()]);
  const client = createRedisClient({ url: redis.url });
  await client.connect();
  const retention = createRetention({
    database,
    cipher: createBodyCipher([{ id: 'test', secret: randomBytes(32) }]),
  });
  await retention.createPartitions(Date.now());
  return {
    redisUrl: redis.url,
    client,
    database,
    retention,
    async stop() {
      client.destroy();
      await Promise.all([redis.stop(), stop()]);
    },
  };
}

export interface Harness {
  readonly network: string;
  readonly prefix: string;
  readonly ledger: Ledger;
  readonly stores: LedgerStores;
  /** Copies the journal until everything that Redis has now is copied. */
  copy(): Promise<void>;
  /** Reserves and returns the position, as a gateway passes it to `retain`. */
  reserve(reservation: Reservation): Promise<LedgerPosition>;
  /** Retains a result. `withoutTrial`: as an earlier release did, which did not name the wallet. */
  retain(reservation: Reservation, position: LedgerPosition, how?: { readonly withoutTrial: boolean }): Promise<void>;
  /** A whole trial: reserved, retained and posted. */
  charge(given?: Partial<Reservation>): Promise<Reservation>;
  /** Removes the ledger from Redis. */
  lose(): Promise<void>;
  /** Remembers the ledger in Redis as it is now. @returns a function that brings that state back */
  snapshot(): Promise<() => Promise<void>>;
}

/** A ledger of a new network, with its position recorded in PostgreSQL. */
export async function openHarness(t: ExecutionContext, servers: Servers): Promise<Harness> {
  const { client, database, retention } = servers;
  const network = newNetwork();
  const prefix = `tollhouse:{${network}}:`;
  const attest = (position: LedgerPosition) => retention.attest({ network, ...position });
  const ledger = await openLedger(t, { url: servers.redisUrl, network, attest, checkEveryMs: 50 });

  async function keys(): Promise<string[]> {
    const found: string[] = [];
    for await (const page of client.scanIterator({ MATCH: `${prefix}*` })) found.push(...page);
    return found;
  }
  const lose = async () => {
    const found = await keys();
    if (found.length > 0) await client.unlink(found);
  };
  const reserve = async (reservation: Reservation) => {
    const outcome = await ledger.reserve(reservation);
    if (outcome.state !== 'reserved') throw new Error(`not reserved: ${outcome.state}`);
    return outcome.position;
  };
  const retain: Harness['retain'] = (reservation, position, how) =>
    retention.retain({
      recordId: reservation.reservationId,
      access: 'trial',
      operation: reservation.operation,
      requestBody: Buffer.from('{}'),
      responseBody: Buffer.from('{}'),
      dueAt: new Date(Date.now() + 60_000),
      ledgerPosition: { network, ...position },
      reservedTrial: how?.withoutTrial ? undefined : reservation,
    });
  return {
    network,
    prefix,
    ledger,
    stores: { database, client, network, isDurabilityVouched: false, timeoutMs: 10_000 },
    async copy() {
      const { position } = await ledger.journal(1n, 1);
      const stop = new AbortController();
      const following = followJournal({ database, ledger, network }, stop.signal);
      const isCopied = async () => {
        const head = await readCopyHead(database, network);
        return (head === undefined ? 0n : head.sequence) >= position.sequence;
      };
      try {
        await Promise.race([following, until(isCopied)]);
      } finally {
        stop.abort();
        await following;
      }
    },
    reserve,
    retain,
    async charge(given) {
      const reservation = newReservation(given);
      await retain(reservation, await reserve(reservation));
      await ledger.post(reservation.reservationId);
      return reservation;
    },
    lose,
    async snapshot() {
      const saved = await Promise.all(
        (await keys()).map(async (key) => {
          const dump = await client.sendCommand(['DUMP', key], { typeMapping: { 36: Buffer } });
          return { key, dump, ttl: Math.max(0, await client.pTTL(key)) };
        }),
      );
      return async () => {
        await lose();
        for (const { key, dump, ttl } of saved) {
          if (!Buffer.isBuffer(dump)) throw new Error(`${key} was not dumped`);
          // The ledger may have opened an empty one in between.
          await client.restore(key, ttl, dump, { REPLACE: true });
        }
      };
    },
  };
}
