import type { ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { CommandError } from '../../../scripts/cli/terminal/command.ts';
import { runTollhouse } from '../../../scripts/cli/tollhouse/tollhouse.ts';
import { createJsonReader } from '../../../scripts/launch/parse/json-reader.ts';
import {
  type ChannelBuyer,
  eventuallyAnswered,
  isAnswered,
  isConfirmed,
  PRICE,
  type SignedCall,
} from '../../kit/buyers.ts';
import { CONVERT, codeOf, post } from '../../kit/client.ts';
import type { StackOptions } from '../../kit/stack.ts';
import { until } from '../../kit/until.ts';
import { eventuallyClaimed, findDifferences, findPaid, isLost } from './books.ts';
import { BODY, eventuallyConfirmed, type FaultyStack, startFaultyStack } from './faulty-stack.ts';
import { type Load, startChannels, startPayments, startTrials } from './load.ts';
import { endLeases, query, untilQuiet } from './quiet.ts';

/** Trials, payments and calls of channels that must be answered in each phase. */
const [ENOUGH_TRIALS, ENOUGH_PAYMENTS, ENOUGH_CALLS] = [12, 3, 6];

/** Starts a stack in which all that can be claimed of channels is claimed soon. */
export const startClaimingStack = (options: Pick<StackOptions, 'redisUrl'> = {}): Promise<FaultyStack> => {
  const backoffice = { CHANNEL_CLAIM_ABOVE: '1', CHANNEL_CLAIM_INTERVAL_MS: '500', CHANNEL_WATCH_INTERVAL_MS: '500' };
  return startFaultyStack({ ...options, env: { backoffice } });
};

/** Runs a command for operators. @returns what it says */
async function run(stack: FaultyStack, ...args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const environment = {
    DATABASE_URL: stack.databaseUrl,
    REDIS_URL: stack.redisUrl,
    PAYMENTS_URL: `unix:${stack.runDir}/payments.sock`,
    TOLLHOUSE_OPERATOR: 'drill',
  };
  try {
    await runTollhouse(args, { environment, say: (line) => lines.push(line) });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    lines.push(`failed: ${error.message}`);
  }
  return lines.join('\n');
}

export interface Loads {
  readonly trials: Load;
  readonly payments: Load;
  readonly channels: Load<ChannelBuyer>;
  /** The trials that are confirmed now. */
  confirmed(): readonly SignedCall[];
  /** Waits until more trials, payments and calls have their results. */
  more(): Promise<void>;
  stop(): Promise<void>;
}

export function startLoads(t: ExecutionContext, { url }: FaultyStack): Loads {
  const [trials, payments, channels] = [startTrials(url, BODY), startPayments(url, BODY), startChannels(url, BODY)];
  const stop = async () => {
    await Promise.all([trials.stop(), payments.stop(), channels.stop()]);
  };
  const confirmed = () => trials.sent.filter(({ answers }) => answers.some(isConfirmed));
  t.teardown(stop);
  return {
    trials,
    payments,
    channels,
    confirmed,
    stop,
    async more() {
      const count = () => [confirmed(), payments.answered(), channels.answered()].map(({ length }) => length);
      const enough = [ENOUGH_TRIALS, ENOUGH_PAYMENTS, ENOUGH_CALLS];
      const before = count();
      await until(async () => {
        if (count().every((now, i) => now >= Number(before[i]) + Number(enough[i]))) return true;
        // Until then, the last answers are the cause of the failure.
        const last = [...trials.sent.slice(-3), ...payments.sent.slice(-3)].map(({ answers }) => answers.at(-1)?.text);
        throw new Error(`after ${before}: ${last.join(' ')}`);
      });
    },
  };
}

/** Until an operator lets the log go on, proofs are closed. Trials go on by themselves. `sinceMs` is when the repair began. */
export async function assertNoticed(t: ExecutionContext, stack: FaultyStack, sinceMs: number): Promise<void> {
  await endLeases(stack);
  await eventuallyConfirmed(stack.url);
  t.log(`until the first trial ${Math.round(performance.now() - sinceMs)} ms`);
  t.regex(await run(stack, 'proofs', 'status'), /failed: the log of proofs is closed/);
  t.regex(await run(stack, 'doctor', '--url', stack.url), /FAILURE {2}proofs\.log/);
  const epochs = await query<{ number: number }>(stack, 'SELECT number FROM ledger.epoch ORDER BY number');
  t.deepEqual(
    epochs.map(({ number }) => number),
    [0, 1],
  );
}

const readReconciled = createJsonReader(
  Type.Object({
    runs: Type.Array(
      Type.Object({
        differences: Type.Object({
          transfersWithoutClaim: Type.Array(Type.Object({ from: Type.String() })),
          claimsWithoutTransfer: Type.Array(Type.Unknown()),
          refundsWithoutTransfer: Type.Array(Type.Unknown()),
          balance: Type.Null(),
        }),
      }),
    ),
  }),
  'the report of payments reconcile',
);

/** Sends payments again until they are answered for good: with a result, that it is lost, or that they came too late. */
export async function sendAgain(calls: readonly SignedCall[]): Promise<void> {
  for (const call of calls) {
    await until(async () => {
      const answer = await call.send();
      if (answer.status === 200 || isLost(answer)) return true;
      // Until then, the last answer is the cause of the failure.
      throw new Error(`${answer.status} ${answer.text}`);
    });
  }
}

/** No answered trial may work twice, and the attempt changes no balance. */
export async function assertUsed(t: ExecutionContext, { url }: FaultyStack, { trials }: Loads): Promise<void> {
  for (const { headers } of trials.answered().slice(-40)) {
    const again = await until(async () => {
      const answer = await post(url + CONVERT, BODY, headers);
      // A lock may outlive its holder by two seconds.
      return answer.status !== 503 && answer;
    });
    t.regex(`${again.status} ${codeOf(again)}`, /^401 (REPLAYED|EXPIRED)_PROOF$/);
  }
}

/** Reconciliation must list the payments that the database lost, and nothing else. @returns their payers */
async function assertReconciled(
  t: ExecutionContext,
  stack: FaultyStack,
  { payments }: Loads,
): Promise<readonly string[]> {
  await untilQuiet(stack);
  const rows = await query<{ payer: string }>(stack, "SELECT payer FROM ledger.payment_claim WHERE state = 'settled'");
  const recorded = new Set(rows.map(({ payer }) => payer.toLowerCase()));
  const used = await findPaid(stack, payments.sent);
  const lost = used.filter((payer) => !recorded.has(payer));
  const [report] = (await run(stack, 'payments', 'reconcile', '--json')).split('\n');
  const { runs } = readReconciled(String(report));
  const found = runs.flatMap(({ differences }) =>
    differences.transfersWithoutClaim.map(({ from }) => from.toLowerCase()),
  );
  t.deepEqual(found.toSorted(), lost.toSorted());
  for (const { differences } of runs) t.deepEqual(differences.claimsWithoutTransfer, []);
  t.log(`${used.length} payments, of which the database lost ${lost.length}`);
  t.regex(await run(stack, 'payments', 'reconcile'), /^(?!.*DIFFERENCE)/s);
  return lost;
}

/** Every payer is charged for each answer, once, also for those that the database has forgotten. */
async function assertChannels(t: ExecutionContext, stack: FaultyStack, { buyers }: Load<ChannelBuyer>): Promise<void> {
  await Promise.all(buyers.flatMap(({ calls }) => calls.slice(-1).map(eventuallyAnswered)));
  const books = await eventuallyClaimed(stack, buyers);
  t.deepEqual(
    books.map(({ chargedMicroUsd }) => chargedMicroUsd),
    buyers.map(({ calls }) => PRICE * BigInt(calls.filter(isAnswered).length)),
  );
}

/**
 * Follows the steps of a restore on a database that lacks its last commits, and compares it with what clients saw and what
 * the chain has. @param surelyCharged the trials that the database has
 * @returns the payers of the payments that the database lost
 */
export async function assertExact(
  t: ExecutionContext,
  stack: FaultyStack,
  loads: Loads,
  surelyCharged: readonly SignedCall[],
): Promise<readonly string[]> {
  t.regex(await run(stack, 'proofs', 'accept', '--reason', 'a drill'), /^Accepted: the log of proofs .* ends with/s);
  t.regex(await run(stack, 'proofs', 'status'), /^recorded/);
  await untilQuiet(stack);
  // The next vouchers of the payers show what was charged in the lost time.
  await assertChannels(t, stack, loads.channels);
  t.regex(await run(stack, 'ledger', 'audit'), /no differences$/);
  await sendAgain(loads.payments.sent);
  await untilQuiet(stack);
  await assertUsed(t, stack, loads);
  const bought = { trials: loads.trials.sent, payments: loads.payments.sent, surelyCharged };
  t.deepEqual(await findDifferences(stack, bought), []);
  return assertReconciled(t, stack, loads);
}
