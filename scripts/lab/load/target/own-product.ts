import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Type } from 'typebox';
import { readHealth } from '../../../launch/health.ts';
import { createJsonReader } from '../../../launch/parse/json-reader.ts';
import { runFolderOf } from '../../../launch/processes/run-folder.ts';
import { waitFor } from '../../../launch/processes/wait-for.ts';
import { readSandboxKeys, type SandboxKeys } from '../../../launch/sandbox-keys.ts';
import { freePort } from '../../../launch/servers/free-port.ts';
import type { Aftermath } from '../report/result.ts';

/** The first start of a checkout also builds bundles, and may unpack Redis. */
const START_MS = 240_000;
/** More than the launcher gives its processes to end. They die with it. */
const STOP_MS = 90_000;
/** From the root of a checkout. */
const LAUNCHER = 'scripts/launch/main.ts';
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** Settings without which the load tool would measure the limits that protect the product from one client. */
const UNLIMITED = {
  RATE_LIMIT_PER_MINUTE: '0',
  MAX_CONNECTIONS_PER_CLIENT: '0',
  TRIAL_DAILY_BUDGET_MICRO_USD: '1000000000000',
  LOG_LEVEL: 'warn',
};

/** A product of our own, as `npm start` starts it. */
export interface OwnProduct {
  readonly origin: string;
  readonly pid: number;
  readonly dataDir: string;
  readonly keys: SandboxKeys | undefined;
  stop(): Promise<void>;
}

export interface ProductOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** Root of the checkout whose product is started. This checkout by default. */
  readonly root?: string;
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal;
}

/** Starts the product on a new data folder, which is deleted at the end. Ends with this process. */
export async function startOwnProduct({
  settings = {},
  root = ROOT,
  signal,
}: ProductOptions = {}): Promise<OwnProduct> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollhouse-load-'));
  // PostgreSQL may run as another user, who must be able to reach its folder.
  chmodSync(dataDir, 0o711);
  const runDir = runFolderOf(dataDir);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [join(root, LAUNCHER)], {
    cwd: root,
    // Ctrl-C reaches only this process, which stops the launcher. A second signal would make the launcher kill everything.
    detached: true,
    // With the variable of npm, the launcher ends when its parent does.
    env: {
      npm_lifecycle_event: 'load',
      ...process.env,
      ...UNLIMITED,
      ...settings,
      TOLLHOUSE_DATA: dataDir,
      PORT: String(port),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  const { pid } = child;
  if (pid === undefined) throw new Error('the product cannot be started');
  const stop = async () => {
    child.kill('SIGTERM');
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await exited;
    clearTimeout(kill);
    for (const folder of [dataDir, runDir, `${runDir}-pg`]) rmSync(folder, { recursive: true, force: true });
  };
  const isUp = async () => {
    const { isReady, trials } = await readHealth(origin);
    return isReady && trials === 'available' && readSandboxKeys(dataDir) !== undefined;
  };
  const hopeless = () => child.exitCode !== null || signal?.aborted === true;
  try {
    if (!(await waitFor(isUp, { timeoutMs: START_MS, hopeless }))) throw new Error('the product did not start');
    return { origin, pid, dataDir, keys: readSandboxKeys(dataDir), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type RunCommand = (
  args: readonly string[],
  terminal: { readonly environment: NodeJS.ProcessEnv; readonly say: (line: string) => void },
) => Promise<void>;

const parseAudits = createJsonReader(
  Type.Array(Type.Object({ pending: Type.Number(), violations: Type.Array(Type.Unknown()) })),
  'ledger audit',
);
/** Sweeps end what a gateway gave up on. */
const SETTLED_MS = 60_000;

/** Audits the ledger, once no reservation is open any more. */
export async function readAftermath({ dataDir }: OwnProduct, runCommand: RunCommand): Promise<Aftermath> {
  const audit = async () => {
    const lines: string[] = [];
    const terminal = { environment: { TOLLHOUSE_DATA: dataDir }, say: (line: string) => lines.push(line) };
    // The command fails where the audit finds differences. They are in its output too.
    await runCommand(['ledger', 'audit', '--json'], terminal).catch((error: unknown) => {
      if (lines.length === 0) throw error;
    });
    const audits = parseAudits(lines.join('\n'));
    return {
      pending: audits.reduce((sum, { pending }) => sum + pending, 0),
      violations: audits.reduce((sum, { violations }) => sum + violations.length, 0),
    };
  };
  let found = await audit();
  await waitFor(
    async () => {
      found = await audit();
      return found.pending === 0;
    },
    { timeoutMs: SETTLED_MS },
  );
  return found;
}
