import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import { causeCodeOf } from '../../platform/upstream/cause-code.ts';
import type { Database } from '../../store/database.ts';
import type { Receiver } from './settings.ts';

const DAY_MS = 86_400_000;
const FIRST_RETRY_MS = 5000;
const MAX_RETRY_MS = 3_600_000;
const TIMEOUT_MS = 10_000;
/** Events on their way at a time. */
const BATCH = 8;

export interface EventSenderOptions {
  readonly database: Database;
  /** Undefined: events are only deleted after their day. */
  readonly receiver: Receiver | undefined;
  /** Milliseconds since the epoch, by the clock of the database. */
  readonly now: () => Promise<number>;
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info'>;
  /** How long the receiver may take for an event. */
  readonly timeoutMs?: number;
}

interface DueEvent {
  readonly event_id: string;
  readonly type: string;
  readonly data: string;
  /** RFC 3339. */
  readonly created_at: string;
  readonly attempts: number;
}

/**
 * Creates the work that sends the events that are due: each until the receiver takes it, for up to a day. One copy may run it at a
 * time. An event that is on its way when the work is aborted is sent again, with its id.
 */
export function createEventSender(options: EventSenderOptions): (signal: AbortSignal) => Promise<void> {
  const { database, receiver, now, logger, timeoutMs = TIMEOUT_MS } = options;
  const logFailure = createRepeatedErrorLog({ logger, message: 'the webhook did not take an event' });

  async function giveUp(nowMs: number): Promise<void> {
    const { numDeletedRows } = await database
      .deleteFrom('verification.webhook_event')
      .where('created_at', '<=', new Date(nowMs - DAY_MS))
      .executeTakeFirst();
    if (receiver === undefined || numDeletedRows === 0n) return;
    logger.error({ events: Number(numDeletedRows) }, 'the webhook took no event for a day, so events were given up');
  }

  async function send(to: Receiver, event: DueEvent, nowMs: number, signal: AbortSignal): Promise<void> {
    const { event_id: eventId, attempts } = event;
    const fault = await post(to, event, { nowMs, signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) });
    if (fault === undefined) {
      await database.deleteFrom('verification.webhook_event').where('event_id', '=', eventId).execute();
    } else if (!signal.aborted) {
      logFailure(new Error(fault), { kind: fault, fields: { eventId, attempts: attempts + 1 } });
      await database
        .updateTable('verification.webhook_event')
        .set({ attempts: attempts + 1, due_at: new Date(nowMs + retryMs(attempts)) })
        .where('event_id', '=', eventId)
        .execute();
    }
  }

  return async (signal) => {
    for (let sent = BATCH; sent === BATCH && !signal.aborted; ) {
      const nowMs = await now();
      // A run goes on while many events wait, which may be for days.
      await giveUp(nowMs);
      if (receiver === undefined) return;
      const due = await findDue(database, nowMs);
      await Promise.all(due.map((event) => send(receiver, event, nowMs, signal)));
      sent = due.length;
    }
  };
}

async function findDue(database: Database, nowMs: number): Promise<readonly DueEvent[]> {
  const { rows } = await sql<DueEvent>`
    SELECT event_id, type, data, verification.to_text(created_at) AS created_at, attempts
    FROM verification.webhook_event WHERE due_at <= ${new Date(nowMs)}
    ORDER BY due_at, event_id LIMIT ${BATCH}`.execute(database);
  return rows;
}

/** Twice as long after each attempt. Half of it is random, so that events that failed together come apart. */
function retryMs(attempts: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** attempts, MAX_RETRY_MS) * (0.5 + Math.random() / 2);
}

/**
 * Sends an event as Standard Webhooks 1.0.0 has it. A redirect is not followed, and counts as a failure. The body of the answer is not
 * read.
 * @returns why it was not taken, without the URL, which may have a secret; undefined if it was
 */
async function post(
  { url, key }: Receiver,
  { event_id: id, type, data, created_at: timestamp }: DueEvent,
  { nowMs, signal }: { readonly nowMs: number; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const body = `{"id":"${id}","type":"${type}","timestamp":"${timestamp}","data":${data}}`;
  const seconds = String(Math.floor(nowMs / 1000));
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'tollhouse',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`,
  };
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    // Canceling frees the connection.
    await answer.body?.cancel().catch(() => {});
    return answer.ok ? undefined : `status ${answer.status}`;
  } catch (error) {
    return causeCodeOf(error) ?? (signal.aborted ? 'no answer in time' : 'connection failed');
  }
}
