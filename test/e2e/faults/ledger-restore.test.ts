import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { CommandError } from '../../../scripts/cli/tollhouse/terminal/command.ts';
import { runTollhouse } from '../../../scripts/cli/tollhouse/tollhouse.ts';
import { createJsonReader } from '../../../scripts/launch/parse/json-reader.ts';
import { until } from '../../helpers/until.ts';
import { type ChannelLoad, findChannelFaults, startChannelLoad } from './channel-load.ts';
import { startFaultyStack } from './faulty-stack.ts';
import { untilQuiet } from './trial-books.ts';
import { eventuallyConfirmed } from './trial-client.ts';
import { assertTrialBooks, startTrialLoad, type TrialLoad } from './trial-load.ts';

const BODY = { html: '<h1>Restore</h1>' };
/** Trials that must be confirmed before the fault, and calls of channels that must be answered. */
const ENOUGH = 60;
const ENOUGH_CALLS = 30;

// Everything is claimed soon, also while the ledger is lost.
const backoffice = { CHANNEL_CLAIM_ABOVE: '1', CHANNEL_CLAIM_INTERVAL_MS: '500', CHANNEL_WATCH_INTERVAL_MS: '500' };
const stack = await startFaultyStack({ env: { backoffice } });
test.after.always(() => stack.stop());

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

interface Load {
  readonly trials: TrialLoad;
  readonly channels: ChannelLoad;
}

const startLoad = (): Load => ({
  trials: startTrialLoad(stack.url, BODY),
  channels: startChannelLoad(stack.url, BODY),
});

const stopLoad = ({ trials, channels }: Load) => Promise.all([trials.stop(), channels.stop()]);

/** Waits until the load made progress. */
function progress({ trials, channels }: Load): Promise<true> {
  const [confirmed, answered] = [trials.confirmed().length, channels.answered()];
  return until(async () => {
    const isEnough = trials.confirmed().length >= confirmed + ENOUGH && channels.answered() >= answered + ENOUGH_CALLS;
    return isEnough;
  });
}

const untilRefused = () =>
  until(async () => {
    const response = await fetch(`${stack.url}/health/ready`);
    return readReady(await response.text()).trials.startsWith('rolled_back');
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
async function assertBooks(t: ExecutionContext, { trials, channels }: Load): Promise<void> {
  t.deepEqual(await findChannelFaults(stack, channels.payers), []);
  t.log(`${channels.answered()} calls of ${channels.payers.length} channels`);
  await untilQuiet(stack);
  await assertTrialBooks(t, stack, BODY, { sent: trials.sent });
  t.regex(await run('ledger', 'audit'), /no differences$/);
}

test.serial(
  'a Redis that lost its files under load is restored, and every wallet and channel has what its client saw',
  async (t) => {
    const load = startLoad();
    await progress(load);
    await stack.kill('redis');
    await stopLoad(load);
    rmSync(join(stack.dataDir, 'redis'), { recursive: true });
    await stack.start('redis');
    await untilRefused();
    const closed = await t.throwsAsync(run('ledger', 'status', '--json'), { instanceOf: CommandError });
    t.is(closed.exitCode, 1);
    await restore(t);
    await assertBooks(t, load);
  },
);

test.serial(
  'a Redis that starts from an older file is restored, and every wallet and channel has what its client saw',
  async (t) => {
    const [folder, copy] = [join(stack.dataDir, 'redis'), join(stack.dataDir, 'redis-copy')];
    const load = startLoad();
    await progress(load);
    cpSync(folder, copy, { recursive: true });
    await progress(load);
    await stack.kill('redis');
    await stopLoad(load);
    rmSync(folder, { recursive: true });
    cpSync(copy, folder, { recursive: true });
    await stack.start('redis');
    await untilRefused();
    await restore(t);
    await assertBooks(t, load);
  },
);
