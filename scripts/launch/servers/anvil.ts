import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failedStart, startTied } from '../processes/tied-process.ts';
import { START_TIMEOUT_MS, waitFor } from '../processes/wait-for.ts';
import { freePort } from './free-port.ts';
import type { RunningServer, ServerPlace } from './server.ts';

/** The saved state is loaded in one request, which can exceed anvil's default limit of 2 MB. */
const NO_SIZE_LIMIT = '--no-request-size-limit';

/** The id of the play-money chain. No real network has this id. */
export const SANDBOX_CHAIN_ID = 31337;

const STOP_GRACE_MS = 2_000;

/** The program itself. The package's launcher would add a Node process. */
function anvilBinary(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${arch}`;
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`))), 'bin/anvil');
  } catch (cause) {
    throw new Error(`The sandbox chain needs ${name}, which is not installed (omit=optional, or no such platform)`, {
      cause,
    });
  }
}

async function servesChain(url: string, chainId: number): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  try {
    const headers = { 'content-type': 'application/json' };
    // A shorter limit would end before an answer that is there, while this process is busy.
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(START_TIMEOUT_MS) });
    const reply: unknown = await response.json();
    return JSON.stringify(reply).includes(`"0x${chainId.toString(16)}"`);
  } catch {
    return false;
  }
}

/**
 * Starts an empty development chain (a block per transaction) on the loopback interface.
 *
 * @param place `port` keeps the `url` the same after a restart; a free port by default. `chainId` is that of the sandbox by
 *   default; tests rehearse with others
 * @throws {Error} if anvil is not installed for this platform, or does not start
 */
export async function startAnvil(
  place: ServerPlace & { readonly port?: number; readonly chainId?: number },
): Promise<RunningServer> {
  const { dataDir, log, chainId = SANDBOX_CHAIN_ID } = place;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const port = place.port ?? (await freePort());
  const anvil = startTied({
    command: anvilBinary(),
    args: ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId), '--quiet', NO_SIZE_LIMIT],
    // anvil keeps a cache under HOME.
    env: { PATH: process.env['PATH'], HOME: dataDir },
    cwd: dataDir,
    output: log.output,
  });
  const url = `http://127.0.0.1:${port}`;
  const hopeless = () => !anvil.running();
  const ready = await waitFor(() => servesChain(url, chainId), { timeoutMs: START_TIMEOUT_MS, hopeless });
  if (!ready) throw await failedStart('anvil', anvil, log);
  return { url, pid: anvil.pid, exited: anvil.exited, stop: () => anvil.stop('SIGTERM', STOP_GRACE_MS) };
}
