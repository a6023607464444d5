import { setTimeout as delay } from 'node:timers/promises';
import type { Outcome, Scenario } from '../scenarios/scenario.ts';
import type { ThreadPlan } from './messages.ts';
import type { Records } from './records.ts';

/** Milliseconds since the epoch, by a clock that never goes back and is the same in all threads. */
export const clockMs = (): number => performance.timeOrigin + performance.now();

/** Calls of a thread that wait for their answers at most. More would only measure this machine. */
const MAX_WAITING = 20_000;
/** How long calls that are under way at the end may take. */
const DRAIN_MS = 30_000;
/** Proofs and payments are valid for some minutes, so no more than this is prepared ahead. */
export const AHEAD_SECONDS = 60;

/** Sends the calls of a plan and waits for their answers. @returns whether the prepared calls ran out */
export async function drive(scenario: Scenario, plan: ThreadPlan, records: Records): Promise<boolean> {
  const waiting = new Set<Promise<void>>();
  const send = async (scheduledMs: number) => {
    records.offer(scheduledMs);
    const outcome = await scenario.send().catch(brokenBy);
    records.end(scheduledMs, clockMs(), outcome);
  };
  const start = (scheduledMs: number) => {
    const call = send(scheduledMs).finally(() => waiting.delete(call));
    waiting.add(call);
  };
  const isOutOfStock = await (plan.kind === 'open'
    ? driveOpen(scenario, plan, { start, refuse: (atMs) => refuse(records, atMs), waiting })
    : driveClosed(scenario, plan, send));
  await Promise.race([Promise.all(waiting), delay(DRAIN_MS)]);
  return isOutOfStock;
}

const brokenBy = (error: unknown): Outcome => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return { isGood: false, code: `broken ${code}` };
};

function refuse(records: Records, scheduledMs: number): void {
  records.offer(scheduledMs);
  records.end(scheduledMs, clockMs(), { isGood: false, code: 'not sent' });
}

interface Sender {
  readonly start: (scheduledMs: number) => void;
  readonly refuse: (scheduledMs: number) => void;
  readonly waiting: ReadonlySet<unknown>;
}

async function driveOpen(
  scenario: Scenario,
  plan: Extract<ThreadPlan, { kind: 'open' }>,
  { start, refuse, waiting }: Sender,
): Promise<boolean> {
  const { startMs, durationMs, ratePerSecond } = plan;
  const calls = Math.floor((durationMs / 1000) * ratePerSecond);
  const dueMs = (index: number) => startMs + (index * 1000) / ratePerSecond;
  let isPreparing = false;
  for (let next = 0; next < calls; ) {
    await delay(Math.max(1, dueMs(next) - clockMs()));
    for (const nowMs = clockMs(); next < calls && dueMs(next) <= nowMs; next += 1) {
      if (scenario.ready() < 1) return true;
      if (waiting.size < MAX_WAITING) start(dueMs(next));
      else refuse(dueMs(next));
    }
    const wanted = Math.min(calls - next, Math.ceil(ratePerSecond * AHEAD_SECONDS));
    if (!isPreparing && scenario.ready() < wanted / 2) {
      isPreparing = true;
      void scenario
        .prepare(wanted)
        .catch(() => {})
        .finally(() => {
          isPreparing = false;
        });
    }
  }
  return false;
}

async function driveClosed(
  scenario: Scenario,
  { startMs, durationMs, inFlight }: Extract<ThreadPlan, { kind: 'closed' }>,
  send: (scheduledMs: number) => Promise<void>,
): Promise<boolean> {
  await delay(Math.max(0, startMs - clockMs()));
  let isOutOfStock = false;
  const lane = async () => {
    while (clockMs() < startMs + durationMs && !isOutOfStock) {
      if (scenario.ready() < 1) isOutOfStock = true;
      else await send(clockMs());
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return isOutOfStock;
}
