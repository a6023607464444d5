import { readRedisTimeMs } from '../../platform/redis/redis-clock.ts';
import { readCopy } from '../../store/ledger-copy.ts';
import { CHALLENGE_LIFETIME_MS } from '../contract/trial-terms.ts';
import type { WalletReplay } from '../redis/account-replay.ts';
import { auditLedger } from '../redis/audit.ts';
import { channelText } from '../redis/channel-replay.ts';
import type { Replay } from '../redis/journal-replay.ts';
import { metaText, nonceText, RESOLVED_KEPT_MS, reservationText } from '../redis/record-texts.ts';
import { callOf, type LedgerStores } from './ledger-stores.ts';
import { RESTORING, RestoreRefusedError } from './prepare.ts';

const PAGE = 1000;
const HOUR_MS = 3_600_000;
/** Longest time that a nonce is needed: the lifetime of a challenge, a difference of clocks, and what `reserve` adds. */
const NONCE_KEPT_MS = CHALLENGE_LIFETIME_MS + 30_000 + 120_000;

/** KEYS: meta. ARGV: its expected text, or nothing; its new text. Answers 1 if the text was as expected. */
const SWAP = `
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1`;

/** KEYS: meta. ARGV: its expected text; commands as JSON. Answers 1 if the text was as expected. */
const RUN = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
for _, command in ipairs(cjson.decode(ARGV[2])) do redis.call(unpack(command)) end
return 1`;

/** Opens the ledger. From here on, proofs that were issued before are refused. Further KEYS: proofs-from. */
const OPEN = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
local time = redis.call('TIME')
local from = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[3])
redis.call('SET', KEYS[2], string.format('%d', from), 'PX', ARGV[3])
redis.call('SET', KEYS[1], ARGV[2])
return 1`;

const closedText = (epoch: string) => `${RESTORING}${epoch}|0|0|0`;

/** Ends the epoch that Redis has, so that no process writes to it any more. @throws {RestoreRefusedError} */
export async function closeLedger(stores: LedgerStores, expected: string | null, epoch: string): Promise<void> {
  const keys = [`${callOf(stores).prefix}meta`];
  const answer = await stores.client.eval(SWAP, { keys, arguments: [expected ?? '', closedText(epoch)] });
  if (answer !== 1) throw new RestoreRefusedError('the ledger in Redis changed meanwhile: run the command again');
}

/**
 * Writes the restored ledger to Redis, audits it, and opens it. Until the last step it has an epoch that is not valid.
 * Nonces and counters that Redis still has stay.
 */
export async function rebuild(stores: LedgerStores, epoch: string, replay: Replay): Promise<void> {
  const { client, prefix } = callOf(stores);
  await removeOld(stores, epoch);
  for await (const page of readCopy(stores.database, stores.network)) {
    const entries = page.map(
      ({ sequence, text }) => ['XADD', `${prefix}journal`, `${sequence}-0`, 'entry', text] as const,
    );
    await write(stores, epoch, entries);
  }
  const nowMs = Math.floor(await readRedisTimeMs(client, stores.timeoutMs));
  const records = [...walletRecords(replay, nowMs), ...channelRecords(replay), ...reservationRecords(replay, nowMs)];
  for (let at = 0; at < records.length; at += PAGE) {
    const page = records.slice(at, at + PAGE);
    await write(
      stores,
      epoch,
      page.map(({ key, text, keptMs }) => [
        'SET',
        prefix + key,
        text,
        ...(keptMs === undefined ? [] : ['PX', String(keptMs)]),
      ]),
    );
  }
  // They are due now.
  const open = Array.from(replay.pending.keys(), (id) => ['ZADD', `${prefix}pending`, String(nowMs), id] as const);
  await write(stores, epoch, open);
  const closed = metaText(RESTORING + epoch, replay);
  await write(stores, epoch, [['SET', `${prefix}meta`, closed]]);
  await assertWhole(stores);
  const keys = [`${prefix}meta`, `${prefix}proofs-from`];
  const texts = [closed, metaText(epoch, replay), String(CHALLENGE_LIFETIME_MS)];
  if ((await client.eval(OPEN, { keys, arguments: texts })) !== 1) throw interrupted();
}

/** A command of Redis with its arguments. */
type RedisCommand = readonly [string, ...string[]];

/**
 * Runs commands, if the ledger in Redis still belongs to this restore. So a restore that was overtaken by another one
 * writes nothing to a ledger that is open again.
 */
async function write(stores: LedgerStores, epoch: string, commands: readonly RedisCommand[]): Promise<void> {
  const { client, prefix } = callOf(stores);
  const answer = await client.eval(RUN, {
    keys: [`${prefix}meta`],
    arguments: [closedText(epoch), JSON.stringify(commands)],
  });
  if (answer !== 1) throw interrupted();
}

const interrupted = () => new Error('another process changed the ledger during the restore: run the command again');

async function removeOld(stores: LedgerStores, epoch: string): Promise<void> {
  const { client, prefix } = callOf(stores);
  const old = [`${prefix}journal`, `${prefix}pending`];
  for (const kind of ['wallet', 'channel', 'reservation']) {
    for await (const keys of client.scanIterator({ MATCH: `${prefix}${kind}:*`, COUNT: PAGE })) old.push(...keys);
  }
  for (let at = 0; at < old.length; at += PAGE) await write(stores, epoch, [['UNLINK', ...old.slice(at, at + PAGE)]]);
}

async function assertWhole(stores: LedgerStores): Promise<void> {
  const { violations } = await auditLedger({ ...callOf(stores), now: '' });
  const [first] = violations;
  if (first !== undefined)
    throw new Error(`the rebuilt ledger differs from its journal: ${first.subject}: ${first.detail}`);
}

interface StoredRecord {
  readonly key: string;
  readonly text: string;
  /** Undefined for a key that stays. */
  readonly keptMs: number | undefined;
}

function walletRecords(replay: Replay, nowMs: number): readonly StoredRecord[] {
  return Array.from(replay.wallets, ([address, wallet]) => {
    return { key: `wallet:${address}`, text: walletText(wallet, nowMs), keptMs: undefined };
  });
}

function channelRecords({ channels }: Replay): readonly StoredRecord[] {
  return Array.from(channels.keys(), (id) => {
    return { key: `channel:${id}`, text: channelText(channels, id), keptMs: undefined };
  });
}

function walletText({ balance, reserved, spent, sequence, failures }: WalletReplay, nowMs: number): string {
  const recent = failures.filter((timeMs) => timeMs > nowMs - HOUR_MS);
  return [balance, reserved, spent, sequence, recent.join()].join('|');
}

/** Reservations that may still be asked for, and nonces that may still be sent. */
function reservationRecords(replay: Replay, nowMs: number): readonly StoredRecord[] {
  const records: StoredRecord[] = [];
  for (const [id, reservation] of replay.reservations) {
    const { reserve, resolvedMs } = reservation;
    const keptMs = resolvedMs && resolvedMs + RESOLVED_KEPT_MS - nowMs;
    if (keptMs === undefined || keptMs > 0)
      records.push({ key: `reservation:${id}`, text: reservationText(reservation), keptMs });
    const nonce = nonceText(reservation);
    if (reserve === undefined || nonce === undefined) continue;
    const nonceKeptMs = reserve.timeMs + NONCE_KEPT_MS - nowMs;
    if (nonceKeptMs > 0) records.push({ key: `nonce:${reserve.nonce}`, text: nonce, keptMs: nonceKeptMs });
  }
  return records;
}
