import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isListening } from '../../../scripts/launch/processes/wait-for.ts';
import { isConfirmed, openBuyers, type SignedCall } from '../../kit/buyers.ts';
import { type Answer, CONVERT } from '../../kit/client.ts';
import { adminUrlOf, connected, setServer } from '../../kit/owned-database.ts';
import { type Stack, type StackOptions, startStack } from '../../kit/stack.ts';
import { until } from '../../kit/until.ts';

export const BODY = { html: '<h1>Fault</h1>' };

export type Victim = 'gateway' | 'content' | 'payments' | 'backoffice' | 'redis' | 'postgres' | 'anvil';

/** A stack whose processes can be armed to kill a process, or themselves, at a step of their work. */
export interface FaultyStack extends Stack {
  readonly url: string;
  /** Kills `victim` when `step` is next reached. Without a victim, it only records that the step was reached. */
  arm(step: string, victim?: Victim): Armed;
  /** Restarts the killed process. Resolves when it accepts connections. */
  revive(victim: Victim): Promise<void>;
}

export interface Armed {
  isHit(): boolean;
  /** Resolves when the step was reached. @throws {Error} after 20 seconds */
  hit(): Promise<true>;
  disarm(): void;
}

const PAYMENT_STEPS = /^(verify|claim|settle|channel-\w+)\./;

export async function startFaultyStack(options: StackOptions = {}): Promise<FaultyStack> {
  const preload = new URL('../../kit/failpoints.ts', import.meta.url);
  // The defaults of the time limits, so that faults have the same effect as in production.
  // The budget is no default: a long load on a slow machine would use it up.
  const gateway = { LEDGER_TIMEOUT_MS: '1000', ...options.env?.gateway };
  const backoffice = { TRIAL_DAILY_BUDGET_MICRO_USD: '1000000000', ...options.env?.backoffice };
  const stack = await startStack({ ...options, preload, env: { ...options.env, gateway, backoffice } });
  await delayWal(stack.databaseUrl);
  const folder = join(stack.dataDir, 'failpoints');
  mkdirSync(folder);
  const nameOf = (victim: Victim) => (victim === 'gateway' ? 'gateway0' : victim);
  return {
    ...stack,
    url: stack.urls[0],
    arm(step, victim) {
      const file = join(folder, `${PAYMENT_STEPS.test(step) ? 'payments' : 'gateway'}.${step}`);
      rmSync(`${file}.hit`, { force: true });
      writeFileSync(file, victim === undefined ? '' : String(stack.pid(nameOf(victim))));
      const isHit = () => existsSync(`${file}.hit`);
      return {
        isHit,
        hit: () => until(isHit),
        disarm: () => rmSync(file, { force: true }),
      };
    },
    async revive(victim) {
      await stack.exited(nameOf(victim));
      await stack.start(nameOf(victim));
      const socket = join(stack.runDir, `${victim}.sock`);
      const isService = victim === 'content' || victim === 'payments' || victim === 'backoffice';
      if (isService) await until(() => isListening(socket));
    },
  };
}

/** A killed server loses the asynchronous commits of ten seconds, and not only of an instant. */
const delayWal = (databaseUrl: string): Promise<void> =>
  connected(adminUrlOf(databaseUrl), async (admin) => {
    await setServer(admin, 'wal_writer_delay', '10s');
    await setServer(admin, 'wal_writer_flush_after', '1GB');
  });

/** The answer, or undefined if the connection broke before it. */
export const answerOf = (request: Promise<Answer>): Promise<Answer | undefined> => request.catch(() => undefined);

/**
 * Waits until trials are confirmed again, which shows that the product has recovered. Runs two trials at once, because the
 * gateway has two channels to each service. Adds all trials, failed ones too, to `calls`.
 */
export const eventuallyConfirmed = (url: string, calls: SignedCall[] = []): Promise<true> =>
  until(async () => {
    const pair = await Promise.all([0, 1].map(() => openBuyers(url).trial().sign(CONVERT, BODY)));
    calls.push(...pair);
    return (await Promise.all(pair.map((call) => answerOf(call.send())))).every(isConfirmed);
  });
