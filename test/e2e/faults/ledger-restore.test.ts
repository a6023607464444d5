import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { CommandError } from '../../../scripts/cli/tollhouse/terminal/command.ts';
import { runTollhouse } from '../../../scripts/cli/tollhouse/tollhouse.ts';
import { createJsonReader } from '../../../scripts/launch/parse/json-reader.ts';
import { eventually, type FaultyStack, startFaultyStack } from './faulty-stack.ts';
import { untilQuiet } from './trial-books.ts';
import { eventuallyConfirmed } from './trial-client.ts';
import { assertTrialBooks, type SentTrial, startTrialLoad } from './trial-load.ts';

const BODY = { html: '<h1>Restore</h1>' };
/** Trials that must be confirmed before the fault. */
const ENOUGH = 60;

let stack: FaultyStack;
test.before(async () => {
  stack = await startFaultyStack();
});
test.after.always(() => stack?.stop());

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

/** What the clients saw must be what the ledger has. */
async function assertBooks(t: ExecutionContext, sent: readonly SentTrial[]): Promise<void> {
  await untilQuiet(stack, 30_000);
  await assertTrialBooks(t, stack, BODY, { sent });
  t.regex(await run('ledger', 'audit'), /no differences$/);
}

test.serial(
  'a Redis that lost its files under load is restored, and every wallet has what its client saw',
  async (t) => {
    const load = startTrialLoad(stack.url, BODY);
    await eventually('confirmed trials', async () => load.confirmed().length >= ENOUGH || undefined);
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
    const load = startTrialLoad(stack.url, BODY);
    await eventually('confirmed trials', async () => load.confirmed().length >= ENOUGH || undefined);
    cpSync(folder, copy, { recursive: true });
    const before = load.confirmed().length;
    await eventually('more confirmed trials', async () => load.confirmed().length >= before + ENOUGH || undefined);
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
