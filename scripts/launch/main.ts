// `npm start`: servers, services and the gateway, all on this machine.

import { announce } from './announce.ts';
import { readHealth, readOperations } from './health.ts';
import { ClaimedError, claim } from './processes/claim.ts';
import { runFolderOf } from './processes/run-folder.ts';
import { markRunning } from './processes/running-mark.ts';
import { createSupervisor } from './processes/supervisor.ts';
import { waitFor } from './processes/wait-for.ts';
import { ensureSandboxKeys } from './sandbox-keys.ts';
import { assertPortFree, originOf, readSettings } from './settings.ts';
import { serverUnits, serviceUnits } from './units.ts';

/** More than the gateway's START_GRACE_MS. */
const READY_TIMEOUT_MS = 45_000;
const TRIALS_TIMEOUT_MS = 3_000;
/** On Ctrl-C, this process gets the signal from the terminal and again from npm. Signals within this time count once. */
const SAME_SIGNAL_MS = 1_000;
const PARENT_CHECK_MS = 500;

/** The order in which processes stop. Each group has ended before the next group is stopped. */
const STOP_ORDER = [
  ['gateway'],
  ['backoffice', 'payments', 'content', 'maps', 'verification'],
  ['anvil', 'postgres', 'redis'],
];

const say = (line: string): void => console.log(line);
// The reader of the output may close it. That must not end the product.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

const supervisor = createSupervisor({ report: (line) => say(`  ${line}`) });

let stoppingSinceMs: number | undefined;

/** Stops everything in order and ends this process. A child that is still running then dies with it: see tied-process. */
async function stop(reason: string, exitCode: number): Promise<void> {
  if (stoppingSinceMs !== undefined) return;
  stoppingSinceMs = Date.now();
  say(reason);
  for (const names of STOP_ORDER) await supervisor.stop(names);
  process.exit(exitCode);
}

function stopOn(signal: NodeJS.Signals): void {
  if (stoppingSinceMs === undefined) void stop(`${signal}: finishing open work (repeat to force)`, 0);
  else if (Date.now() - stoppingSinceMs > SAME_SIGNAL_MS) process.exit(1);
}

/** Stops when npm has been killed, because npm cannot pass that on. */
function stopWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const watch = () => process.ppid !== parent && void stop('npm has ended: stopping', 0);
  setInterval(watch, PARENT_CHECK_MS).unref();
}

async function start(): Promise<void> {
  const settings = readSettings(process.env);
  const runDir = runFolderOf(settings.dataDir);
  await claim(runDir, 'start').catch((error: unknown) => {
    if (!(error instanceof ClaimedError)) throw error;
    throw new Error(`Tollhouse already runs on ${settings.dataDir} (process ${error.pid}); stop it first`);
  });
  await assertPortFree(settings);
  markRunning();
  const startedAtMs = Date.now();
  const servers = await serverUnits({ settings, runDir });
  await Promise.all(servers.units.map(supervisor.keep));
  const { services, gateway } = serviceUnits({ settings, runDir }, servers.urls());
  // The gateway itself waits for the services.
  await Promise.all([...services, gateway].map(supervisor.keep));
  const origin = originOf(settings);
  if (!(await waitFor(async () => (await readHealth(origin)).isReady, { timeoutMs: READY_TIMEOUT_MS }))) {
    throw new Error(`The gateway is not ready: ${(await readHealth(origin)).text}`);
  }
  await waitFor(async () => (await readHealth(origin)).trials === 'available', { timeoutMs: TRIALS_TIMEOUT_MS });
  const { trials, unavailable } = await readHealth(origin);
  const operations = await readOperations(origin);
  const { postgres } = servers.urls();
  const keys =
    settings.isSandbox && postgres !== undefined ? await ensureSandboxKeys(postgres, settings.dataDir) : undefined;
  const tookMs = Date.now() - startedAtMs;
  announce({ say, settings, origin, trials, unavailable, operations, servers: servers.units, keys, tookMs });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stopOn);
stopWithNpm();
start().catch((error: unknown) => {
  if (stoppingSinceMs !== undefined) return;
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  void stop('not started', 1);
});
