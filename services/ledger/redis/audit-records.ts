import { defined } from '../../../workers/exact/defined.ts';
import { answerWithin } from '../../platform/redis/redis-client.ts';
import { readRedisTimeMs } from '../../platform/redis/redis-clock.ts';
import { isChannel } from '../contract/journal-entries.ts';
import type { AuditViolation } from '../contract/ledger.ts';
import { channelText } from './channel-replay.ts';
import type { CallOptions } from './function-calls.ts';
import { catchUp } from './journal-pages.ts';
import type { Replay } from './journal-replay.ts';
import { nonceText, RESOLVED_KEPT_MS, reservationText } from './record-texts.ts';

const BATCH_KEYS = 500;
const ROUNDS = 10;
/** A nonce is kept for at least this long: its challenge had not expired, and 120 s are added. */
const NONCE_KEPT_MS = 120_000;
/** Time between the clock of an entry and the moment when its key is read. */
const MARGIN_MS = 30_000;

export interface AuditOptions extends CallOptions {
  /** Time argument of the functions: milliseconds since the epoch, or empty for the clock of Redis. */
  readonly now: string;
}

/** A key of Redis without the prefix, or a member of the pending set as `pending:<id>`. */
type Subject = string;

/**
 * Compares the stored reservations, nonces and the pending set with the journal, and looks for accounts that it does not
 * have. What differs is compared again after newer entries were read, because writes arrive meanwhile.
 */
export async function auditRecords(options: AuditOptions, replay: Replay): Promise<readonly AuditViolation[]> {
  const { client, timeoutMs, now } = options;
  const nowMs = now === '' ? await readRedisTimeMs(client, timeoutMs) : Number(now);
  const subjects = new Set([...(await storedSubjects(options)), ...expectedSubjects(replay, nowMs)]);
  let found = await compare(options, replay, { subjects: [...subjects], nowMs });
  for (let round = 1; round < ROUNDS && found.length > 0; round += 1) {
    await catchUp(options, replay);
    found = await compare(options, replay, { subjects: found.map(({ subject }) => subject), nowMs });
  }
  return found;
}

async function storedSubjects({ client, prefix, timeoutMs }: AuditOptions): Promise<readonly Subject[]> {
  const found: Subject[] = [];
  for await (const keys of client.scanIterator({ MATCH: `${prefix}*`, COUNT: BATCH_KEYS })) {
    for (const key of keys) {
      const subject = key.slice(prefix.length);
      if (/^(wallet|channel|reservation|nonce):/.test(subject)) found.push(subject);
    }
  }
  const pending = await answerWithin(client.zRange(`${prefix}pending`, 0, -1), timeoutMs);
  return [...found, ...pending.map((id) => `pending:${id}`)];
}

function expectedSubjects(replay: Replay, nowMs: number): readonly Subject[] {
  const found: Subject[] = [];
  for (const [id, { reserve, resolvedMs }] of replay.reservations) {
    if (resolvedMs === undefined) found.push(`reservation:${id}`, `pending:${id}`);
    else if (resolvedMs > nowMs - RESOLVED_KEPT_MS + MARGIN_MS) found.push(`reservation:${id}`);
    const hasNonce = reserve !== undefined && !isChannel(reserve.address);
    if (hasNonce && isNonceKept(reserve.timeMs, nowMs)) found.push(`nonce:${reserve.nonce}`);
  }
  for (const id of replay.channels.keys()) found.push(`channel:${id}`);
  return found;
}

const isNonceKept = (reservedMs: number, nowMs: number) => reservedMs > nowMs - NONCE_KEPT_MS + MARGIN_MS;

async function compare(
  options: AuditOptions,
  replay: Replay,
  { subjects, nowMs }: { readonly subjects: readonly Subject[]; readonly nowMs: number },
): Promise<readonly AuditViolation[]> {
  const nonces = new Map<string, string>();
  for (const [id, { reserve }] of replay.reservations) if (reserve !== undefined) nonces.set(reserve.nonce, id);
  const violations: AuditViolation[] = [];
  for (let at = 0; at < subjects.length; at += BATCH_KEYS) {
    const batch = subjects.slice(at, at + BATCH_KEYS);
    for (const [index, stored] of (await readBatch(options, batch)).entries()) {
      const subject = defined(batch[index]);
      const detail = findDifference({ replay, nonces, nowMs }, subject, stored);
      if (detail !== undefined) violations.push({ invariant: 'stored_as_journaled', subject, detail });
    }
  }
  return violations;
}

/** Reads keys. A member of the pending set is read as its score. */
async function readBatch(
  { client, prefix, timeoutMs }: AuditOptions,
  batch: readonly Subject[],
): Promise<readonly (string | null)[]> {
  const reads = batch.map((subject) => {
    const [kind, name] = split(subject);
    if (kind === 'pending')
      return client.zScore(`${prefix}pending`, name).then((score) => (score === null ? null : String(score)));
    return client.get(prefix + subject);
  });
  return answerWithin(Promise.all(reads), timeoutMs);
}

function split(subject: Subject): readonly [string, string] {
  const at = subject.indexOf(':');
  return [subject.slice(0, at), subject.slice(at + 1)];
}

interface Expected {
  readonly replay: Replay;
  /** Ids of reservations by their nonce. */
  readonly nonces: ReadonlyMap<string, string>;
  readonly nowMs: number;
}

/** How a stored text differs from the journal. Undefined if it does not. */
function findDifference({ replay, nonces, nowMs }: Expected, subject: Subject, stored: string | null) {
  const [kind, name] = split(subject);
  const reservation = replay.reservations.get(kind === 'nonce' ? (nonces.get(name) ?? '') : name);
  switch (kind) {
    case 'wallet':
      return replay.wallets.has(name) ? undefined : 'the journal has no such account';
    case 'channel':
      if (!replay.channels.has(name)) return 'the journal has no such channel';
      return differs(stored, channelText(replay.channels, name), { mayBeGone: false });
    case 'pending':
      if ((stored !== null) === replay.pending.has(name)) return undefined;
      return stored === null ? 'missing in the pending set' : 'not pending by the journal';
    case 'reservation':
      if (reservation === undefined) return stored === null ? undefined : 'the journal has no such reservation';
      return differs(stored, reservationText(reservation), {
        mayBeGone:
          reservation.resolvedMs !== undefined && reservation.resolvedMs < nowMs - RESOLVED_KEPT_MS + MARGIN_MS,
      });
    default: {
      // The journal does not have the nonces of denials.
      const isReserved = stored?.split('|')[1] === 'reserved';
      if (reservation?.reserve === undefined) return !isReserved ? undefined : 'the journal has no such reservation';
      const mayBeGone = !isNonceKept(reservation.reserve.timeMs, nowMs);
      return differs(stored, defined(nonceText(reservation)), { mayBeGone });
    }
  }
}

function differs(stored: string | null, expected: string, { mayBeGone }: { readonly mayBeGone: boolean }) {
  if (stored === expected || (stored === null && mayBeGone)) return undefined;
  return stored === null ? `missing, by the journal it is ${expected}` : `it is ${stored}, by the journal ${expected}`;
}
