import type { ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { CommandError } from '../../../scripts/cli/tollhouse/terminal/command.ts';
import { runTollhouse } from '../../../scripts/cli/tollhouse/tollhouse.ts';
import { createJsonReader } from '../../../scripts/launch/parse/json-reader.ts';
import { connectChain } from '../../helpers/chain.ts';
import { CONVERT, post, requirementsOf } from '../../helpers/client.ts';
import type { StackOptions } from '../../helpers/stack.ts';
import { until } from '../../helpers/until.ts';
import { type ChannelLoad, eventuallyClaimed, startChannelLoad } from './channel-load.ts';
import { eventuallyAnswered, isAnswered } from './channel-payer.ts';
import { type FaultyStack, startFaultyStack } from './faulty-stack.ts';
import { PRICE } from './payment-books.ts';
import { checkPayments, endLeases, type PaymentLoad, startPaymentLoad } from './payment-load.ts';
import { query, untilQuiet } from './trial-books.ts';
import { eventuallyConfirmed } from './trial-client.ts';
import { assertTrialBooks, type SentTrial, startTrialLoad, type TrialLoad } from './trial-load.ts';

export const BODY = { html: '<h1>Backup</h1>' };
/** Trials, payments and calls of channels that must be confirmed in each phase. */
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

export interface Load {
  readonly trials: TrialLoad;
  readonly payments: PaymentLoad;
  readonly channels: ChannelLoad;
  /** Waits until more trials, payments and calls are confirmed. */
  more(): Promise<void>;
  stop(): Promise<void>;
}

export function startLoad(t: ExecutionContext, stack: FaultyStack): Load {
  const [trials, payments] = [startTrialLoad(stack.url, BODY), startPaymentLoad(stack.url, BODY)];
  const channels = startChannelLoad(stack.url, BODY);
  const stop = async () => {
    await Promise.all([trials.stop(), payments.stop(), channels.stop()]);
  };
  t.teardown(stop);
  return {
    trials,
    payments,
    channels,
    stop,
    async more() {
      const [tried, paid, called] = [trials.confirmed().length, payments.paid().length, channels.answered()];
      await until(async () => {
        const isEnough =
          trials.confirmed().length >= tried + ENOUGH_TRIALS && channels.answered() >= called + ENOUGH_CALLS;
        if (isEnough && payments.paid().length >= paid + ENOUGH_PAYMENTS) return true;
        // Until then, the last answers are the cause of the failure.
        const last = [...trials.sent.slice(-3), ...payments.sent.slice(-3)].map(({ answer }) => answer?.text);
        throw new Error(`after ${tried} trials and ${paid} payments: ${last.join(' ')}`);
      });
    },
  };
}

/** Until an operator lets the log go on, proofs are closed. Trials go on by themselves. `sinceMs` is when the repair began. */
export async function assertNoticed(t: ExecutionContext, stack: FaultyStack, sinceMs: number): Promise<void> {
  await endLeases(stack);
  await eventuallyConfirmed(stack.url, BODY, [], 'lost commits');
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

/** Payments must be exact, and reconciliation must list those that the database lost, and nothing else. */
async function assertPayments(t: ExecutionContext, stack: FaultyStack, { payments }: Load): Promise<readonly string[]> {
  const { accepts } = requirementsOf(await post(stack.url + CONVERT, BODY));
  const chain = connectChain(stack.chainUrl, accepts[0].asset);
  const { faults, payers } = await checkPayments({ url: stack.url, body: BODY, chain }, payments.sent);
  t.deepEqual(faults, []);
  await untilQuiet(stack);
  const rows = await query<{ payer: string }>(stack, "SELECT payer FROM ledger.payment_claim WHERE state = 'settled'");
  const recorded = new Set(rows.map(({ payer }) => payer.toLowerCase()));
  const lost = payers.map((payer) => payer.toLowerCase()).filter((payer) => !recorded.has(payer));
  const [report] = (await run(stack, 'payments', 'reconcile', '--json')).split('\n');
  const { runs } = readReconciled(String(report));
  const found = runs.flatMap(({ differences }) =>
    differences.transfersWithoutClaim.map(({ from }) => from.toLowerCase()),
  );
  t.deepEqual(found.toSorted(), lost.toSorted());
  for (const { differences } of runs) t.deepEqual(differences.claimsWithoutTransfer, []);
  t.log(`${payers.length} payments, of which the database lost ${lost.length}`);
  t.regex(await run(stack, 'payments', 'reconcile'), /^(?!.*DIFFERENCE)/s);
  return lost;
}

/** Every payer is charged for each answer, once, also for those that the database has forgotten. */
async function assertChannels(t: ExecutionContext, stack: FaultyStack, { payers }: ChannelLoad): Promise<void> {
  await Promise.all(payers.flatMap(({ calls }) => calls.slice(-1).map(eventuallyAnswered)));
  const books = await eventuallyClaimed(stack, payers);
  t.deepEqual(
    books.map(({ chargedMicroUsd }) => chargedMicroUsd),
    payers.map(({ calls }) => PRICE * BigInt(calls.filter(isAnswered).length)),
  );
}

interface Lost {
  readonly load: Load;
  /** The trials that the database has. */
  readonly surelyCharged: readonly SentTrial[];
}

/**
 * Follows the steps of a restore on a database that lacks its last commits, and compares it with what clients saw and what
 * the chain has. @returns the payers of the payments that the database lost
 */
export async function assertExact(
  t: ExecutionContext,
  stack: FaultyStack,
  { load, surelyCharged }: Lost,
): Promise<readonly string[]> {
  t.regex(await run(stack, 'proofs', 'accept', '--reason', 'a drill'), /^Accepted: the log of proofs .* ends with/s);
  t.regex(await run(stack, 'proofs', 'status'), /^recorded/);
  await untilQuiet(stack);
  await assertTrialBooks(t, stack, BODY, { sent: load.trials.sent, surelyCharged });
  // The next vouchers of the payers show what was charged in the lost time.
  await assertChannels(t, stack, load.channels);
  t.regex(await run(stack, 'ledger', 'audit'), /no differences$/);
  return assertPayments(t, stack, load);
}
