import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { CommandError } from '../../../scripts/cli/tollhouse/terminal/command.ts';
import { runTollhouse } from '../../../scripts/cli/tollhouse/tollhouse.ts';
import { createJsonReader } from '../../../scripts/launch/parse/json-reader.ts';
import { createWallet, type Wallet } from '../../helpers/chain.ts';
import { type Answer, CONVERT, codeOf, post, signIn, toBase64 } from '../../helpers/client.ts';
import { answerOf, eventually, type FaultyStack, startFaultyStack } from './faulty-stack.ts';
import { untilQuiet, withLedger } from './trial-books.ts';
import { eventuallyConfirmed, isConfirmed } from './trial-client.ts';

const BODY = { html: '<h1>Restore</h1>' };
const GRANT = 50_000n;
const PRICE = 3000n;
const WORKERS = 6;
/** Trials that must be confirmed before the fault. */
const ENOUGH = 60;

let stack: FaultyStack;
test.before(async () => {
  stack = await startFaultyStack();
});
test.after.always(() => stack?.stop());

/** A trial that a client sent. The answer is undefined if the connection broke. */
interface Sent {
  readonly wallet: string;
  readonly proof: string;
  answer: Answer | undefined;
}

interface Load {
  readonly sent: readonly Sent[];
  confirmed(): number;
  stop(): Promise<void>;
}

/** Clients that send trials, each wallet several times, until they are stopped. */
function startLoad(): Load {
  const sent: Sent[] = [];
  let isStopped = false;
  async function tryOne(wallet: Wallet): Promise<void> {
    const proof = toBase64(await signIn(await post(stack.url + CONVERT, BODY), wallet));
    const trial: Sent = { wallet: wallet.address, proof, answer: undefined };
    sent.push(trial);
    trial.answer = await answerOf(post(stack.url + CONVERT, BODY, { 'sign-in-with-x': proof }));
  }
  const workers = Array.from({ length: WORKERS }, async () => {
    for (let wallet = createWallet(), uses = 1; !isStopped; uses += 1) {
      if (uses % 4 === 0) wallet = createWallet();
      // Without a challenge, the client tries again a little later.
      await tryOne(wallet).catch(() => delay(20));
    }
  });
  return {
    sent,
    confirmed: () => sent.filter(({ answer }) => isConfirmed(answer)).length,
    async stop() {
      isStopped = true;
      await Promise.all(workers);
    },
  };
}

const environment = () => ({ DATABASE_URL: stack.databaseUrl, REDIS_URL: stack.redisUrl, TOLLHOUSE_OPERATOR: 'drill' });

async function run(...args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  await runTollhouse(args, { environment: environment(), say: (line) => lines.push(line) });
  return lines.join('\n');
}

const readReport = createJsonReader(
  Type.Object({ missing: Type.String(), unexplained: Type.String(), charged: Type.Array(Type.Unknown()) }),
  'the report of the restore',
);
const readReady = createJsonReader(Type.Object({ trials: Type.String() }), 'the answer of /health/ready');

const untilRefused = () =>
  eventually('a closed ledger', async () => {
    const response = await fetch(`${stack.url}/health/ready`);
    return readReady(await response.text()).trials.startsWith('rolled_back') || undefined;
  });

/** Restores the ledger, and waits until the gateway that ran all the time confirms trials. */
async function restore(t: ExecutionContext): Promise<void> {
  const startMs = performance.now();
  const text = await run('ledger', 'restore', '--reason', 'a drill', '--release-lost-tail', '--json');
  const restoredMs = performance.now();
  await eventuallyConfirmed(stack.url, BODY, [], 'the restore');
  const serviceMs = performance.now();
  const { missing, unexplained, charged } = readReport(text);
  t.log(
    `lost ${missing} entries, charged ${charged.length} trials, ${unexplained} entries unknown; ` +
      `restored in ${Math.round(restoredMs - startMs)} ms, in service after ${Math.round(serviceMs - startMs)} ms`,
  );
}

/** What the clients saw must be what the ledger has, and no proof may work twice. */
async function assertBooks(t: ExecutionContext, sent: readonly Sent[]): Promise<void> {
  await untilQuiet(stack, 30_000);
  const wallets = Map.groupBy(sent, ({ wallet }) => wallet);
  const readBalances = () =>
    withLedger(stack, async (ledger) => {
      const balances = new Map<string, bigint>();
      for (const wallet of wallets.keys()) balances.set(wallet, await ledger.balance(wallet));
      return balances;
    });
  const balances = await readBalances();
  for (const [wallet, trials] of wallets) {
    const charged = BigInt(trials.filter(({ answer }) => answer?.status === 200).length);
    const uncertain = BigInt(trials.filter(isUncertain).length);
    const balance = balances.get(wallet);
    const [least, most] = [GRANT - PRICE * (charged + uncertain), GRANT - PRICE * charged];
    const seen = trials.map(({ answer }) => `${answer?.status} ${answer?.headers.get('x-trial-status')}`);
    t.true(balance !== undefined && balance >= least && balance <= most, `${wallet}: ${balance}, ${seen.join(', ')}`);
  }
  for (const { proof } of sent.slice(-40)) {
    const again = await post(stack.url + CONVERT, BODY, { 'sign-in-with-x': proof });
    t.regex(`${again.status} ${codeOf(again)}`, /^401 (REPLAYED|EXPIRED)_PROOF$/);
  }
  t.deepEqual(await readBalances(), balances);
  t.regex(await run('ledger', 'audit'), /no differences$/);
}

/** Whether the client does not know if the trial was charged. */
function isUncertain({ answer }: Sent): boolean {
  return (
    answer === undefined || (answer.status !== 200 && answer.headers.get('x-trial-status') === 'accounting_uncertain')
  );
}

test.serial(
  'a Redis that lost its files under load is restored, and every wallet has what its client saw',
  async (t) => {
    const load = startLoad();
    await eventually('confirmed trials', async () => load.confirmed() >= ENOUGH || undefined);
    await stack.kill('redis');
    await load.stop();
    rmSync(join(stack.dataDir, 'redis'), { recursive: true });
    await stack.start('redis');
    await untilRefused();
    const closed = await t.throwsAsync(run('ledger', 'status', '--json'), { instanceOf: CommandError });
    t.is(closed.exitCode, 1);
    await restore(t);
    await assertBooks(t, load.sent);
  },
);

test.serial(
  'a Redis that starts from an older file is restored, and every wallet has what its client saw',
  async (t) => {
    const [folder, copy] = [join(stack.dataDir, 'redis'), join(stack.dataDir, 'redis-copy')];
    const load = startLoad();
    await eventually('confirmed trials', async () => load.confirmed() >= ENOUGH || undefined);
    cpSync(folder, copy, { recursive: true });
    const before = load.confirmed();
    await eventually('more confirmed trials', async () => load.confirmed() >= before + ENOUGH || undefined);
    await stack.kill('redis');
    await load.stop();
    rmSync(folder, { recursive: true });
    cpSync(copy, folder, { recursive: true });
    await stack.start('redis');
    await untilRefused();
    await restore(t);
    await assertBooks(t, load.sent);
  },
);
