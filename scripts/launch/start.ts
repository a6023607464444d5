import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ConfigurationError, EX_CONFIG } from '../../services/platform/process/environment.ts';
import { COMMAND_LINES, isInstalled, ROOT } from '../../services/platform/process/installation.ts';
import { readSecretFiles } from '../../services/platform/process/secret-files.ts';
import { releaseMemory } from '../../workers/thread/release-memory.ts';
import { announce } from './announce.ts';
import { checkPrograms } from './check-programs.ts';
import { readHealth, readOperations } from './health.ts';
import { ClaimedError, claim } from './processes/claim.ts';
import { runFolderOf } from './processes/run-folder.ts';
import { markRunning } from './processes/running-mark.ts';
import { createSupervisor, type Unit } from './processes/supervisor.ts';
import { FailedStart, UNUSABLE } from './processes/tied-process.ts';
import { START_TIMEOUT_MS, waitFor } from './processes/wait-for.ts';
import { ensureOperatorKey } from './sandbox-key-file.ts';
import type { SandboxKeys } from './sandbox-keys.ts';
import { ensureSandboxPlan } from './sandbox-plan.ts';
import { assertPortFree, LAUNCH_SECRETS, originOf, readSettings, type Settings } from './settings.ts';
import { type Layout, type Servers, serverlessUnits, serverUnits, serviceUnits } from './units.ts';

const PROGRESS_EVERY_MS = 10_000;
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

/** The tools of the examples. */
const SANDBOX_CATALOGUE = 'docs/verified-execution/examples/tools.yaml';
/** The plan that waits in a new sandbox. */
const SANDBOX_PLAN = 'docs/verified-execution/examples/refund.yaml';

const say = (line: string): void => console.log(line);

let isStarted = false;
const unusable = Promise.withResolvers<never>();
unusable.promise.catch(() => {});
const supervisor = createSupervisor({
  report: (line) => say(`  ${line}`),
  onUnusable(error) {
    if (isStarted) say(error.message);
    else unusable.reject(error);
  },
});

/** What the start waits for. */
const awaited = new Set<string>();

let stoppingSinceMs: number | undefined;

/** Stops everything in order and ends this process. A child that is still running then dies with it: see tied-process. */
async function stop(reason: string, exitCode: number, lastWords?: string): Promise<void> {
  if (stoppingSinceMs !== undefined) return;
  stoppingSinceMs = Date.now();
  say(reason);
  for (const names of STOP_ORDER) await supervisor.stop(names);
  if (lastWords !== undefined) console.error(lastWords);
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

async function keepAll(units: readonly Unit[]): Promise<void> {
  const keep = async (unit: Unit) => {
    awaited.add(unit.name);
    await supervisor.keep(unit);
    awaited.delete(unit.name);
  };
  await Promise.all(units.map(keep));
}

/** Names every ten seconds what the start waits for. @returns a function that ends it */
function showProgress(startedAtMs: number): () => void {
  const show = () => {
    if (awaited.size === 0 || stoppingSinceMs !== undefined) return;
    say(`  waiting for ${[...awaited].join(', ')} (${Math.round((Date.now() - startedAtMs) / 1000)} s)`);
  };
  const timer = setInterval(show, PROGRESS_EVERY_MS);
  return () => clearInterval(timer);
}

async function keepServersAndTheirClients(layout: Layout, servers: Servers): Promise<void> {
  await keepAll(servers.units);
  const { services, gateway } = serviceUnits(layout, servers.urls());
  // The gateway itself waits for the services.
  await keepAll([...services, gateway]);
}

async function waitUntilReady(origin: string): Promise<void> {
  const waiting = 'the gateway to be ready';
  awaited.add(waiting);
  if (!(await waitFor(async () => (await readHealth(origin)).isReady, { timeoutMs: START_TIMEOUT_MS }))) {
    throw new Error(`The gateway is not ready: ${(await readHealth(origin)).text}`);
  }
  awaited.delete(waiting);
  await waitFor(async () => (await readHealth(origin)).trials === 'available', { timeoutMs: TRIALS_TIMEOUT_MS });
}

/** The verification service, which is up by now, has created the tables of the keys. */
async function findSandboxKeys(
  { isSandbox, dataDir, databaseUrl }: Settings,
  servers: Servers,
): Promise<SandboxKeys | undefined> {
  const url = databaseUrl ?? servers.urls().postgres;
  if (!isSandbox || url === undefined) return undefined;
  // Loaded now, because the modules of the database would delay the start of every process.
  const { ensureSandboxKeys } = await import('./sandbox-keys.ts');
  const { ensureSandboxTools } = await import('./sandbox-tools.ts');
  await ensureSandboxTools(url, join(ROOT, SANDBOX_CATALOGUE));
  return ensureSandboxKeys(url, dataDir);
}

/** A sandbox without the example works as well. */
async function proposeExample(origin: string, { agent }: SandboxKeys): Promise<void> {
  await ensureSandboxPlan(origin, agent, readFileSync(join(ROOT, SANDBOX_PLAN), 'utf8')).catch((error: unknown) => {
    say(`  the example plan was not proposed: ${error instanceof Error ? error.message : String(error)}`);
  });
}

async function startAll(bundles: string | undefined): Promise<void> {
  const startedAtMs = Date.now();
  const endProgress = showProgress(startedAtMs);
  const check = 'the check of the settings';
  awaited.add(check);
  const faults = await checkPrograms(process.env, bundles);
  awaited.delete(check);
  if (faults.length > 0) throw new ConfigurationError(faults);
  // The processes that start below open the files of their secrets themselves.
  const environment = { ...process.env };
  readSecretFiles(environment, LAUNCH_SECRETS);
  const settings = readSettings(environment);
  const runDir = runFolderOf(settings.dataDir);
  await claim(runDir, 'start').catch((error: unknown) => {
    if (!(error instanceof ClaimedError)) throw error;
    throw new Error(
      `Tollhouse already runs on ${settings.dataDir} (process ${error.pid}). Stop it, or choose another folder: TOLLHOUSE_DATA=other PORT=8403 ${COMMAND_LINES.start}`,
    );
  });
  await assertPortFree(settings);
  if (!isInstalled) markRunning(ROOT, bundles && basename(bundles));
  const operatorKey = settings.makesOperatorKey ? ensureOperatorKey(settings.dataDir) : undefined;
  const operatorKeyHashes = operatorKey && `sandbox:${createHash('sha256').update(operatorKey).digest('hex')}`;
  const layout = { settings, runDir, bundles, operatorKeyHashes };
  const servers = await serverUnits(layout);
  await Promise.all([keepAll(serverlessUnits(layout)), keepServersAndTheirClients(layout, servers)]);
  const origin = originOf(settings);
  const [keys] = await Promise.all([findSandboxKeys(settings, servers), waitUntilReady(origin)]);
  if (keys !== undefined) await proposeExample(origin, keys);
  const { trials, unavailable } = await readHealth(origin);
  const operations = await readOperations(origin);
  endProgress();
  const tookMs = Date.now() - startedAtMs;
  announce({
    say,
    settings,
    origin,
    trials,
    unavailable,
    operations,
    servers: servers.units,
    keys,
    operatorKey,
    chainUrl: servers.urls().anvil,
    tookMs,
  });
  isStarted = true;
  releaseMemory();
}

/**
 * Starts servers, services and the gateway, all on this machine, until a signal stops this process.
 * @param bundles folder of the bundles to start; undefined to run from sources
 */
export async function start(bundles: string | undefined): Promise<void> {
  // The reader of the output may close it. That must not end the product.
  process.stdout.removeAllListeners('error').on('error', () => {});
  process.stderr.on('error', () => {});
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stopOn);
  stopWithNpm();
  try {
    await Promise.race([startAll(bundles), unusable.promise]);
  } catch (error) {
    const isUnusable = error instanceof FailedStart ? error.ended === UNUSABLE : error instanceof ConfigurationError;
    void stop('not started', isUnusable ? EX_CONFIG : 1, error instanceof Error ? error.message : String(error));
  }
}
