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
/** npm passes on the Ctrl-C that the terminal sent to us as well: two within this time are one. */
const SAME_SIGNAL_MS = 1_000;
const PARENT_CHECK_MS = 500;

/** In the order in which they stop; each group is gone before the next is asked to go. */
const STOP_ORDER = [
  ['gateway'],
  ['backoffice', 'payments', 'content', 'maps', 'verification'],
  ['anvil', 'postgres', 'redis'],
];

const say = (line: string): void => console.log(line);
// who reads our output may leave; that must not end the service
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

const supervisor = createSupervisor({ report: (line) => say(`  ${line}`) });

let stoppingSinceMs: number | undefined;

/** Ends this process. What does not stop in order is ended by its tie to us. */
async function stop(reason: string, exitCode: number): Promise<void> {
  if (stoppingSinceMs !== undefined) return;
  stoppingSinceMs = Date.now();
  say(reason);
  for (const names of STOP_ORDER) await supervisor.stop(names);
  process.exit(exitCode);
}

function stopOn(signal: NodeJS.Signals): void {
  if (stoppingSinceMs === undefined) void stop(`${signal}: finishing what runs (again to force)`, 0);
  else if (Date.now() - stoppingSinceMs > SAME_SIGNAL_MS) process.exit(1);
}

/** npm that was killed cannot tell us; we must not stay behind it. */
function stopWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const watch = () => process.ppid !== parent && void stop('npm has gone: stopping', 0);
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
  // the gateway waits for the services by itself
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
