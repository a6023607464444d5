import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { runFolderPath } from '../../launch/processes/run-folder.ts';
import { isListening } from '../../launch/processes/wait-for.ts';

const PREFIX = 'tollhouse-tests-';
/** Where test folders are, if there is enough memory. */
const MEMORY = '/dev/shm';
/** Names the run to everything that it starts. */
export const RUN_VARIABLE = 'TOLLHOUSE_TEST_RUN';

/** What a run of tests has on this machine: its folders, and processes that know its name. */
export interface RunFolder {
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

/**
 * Creates the folder of temporary files of one run, whose socket tells others that the run is alive. The kernel closes it, even
 * after SIGKILL. Before, what is left of runs that were killed is removed.
 */
export async function openRunFolder(): Promise<RunFolder> {
  const found = [tmpdir(), MEMORY].filter((folder) => existsSync(folder)).flatMap((folder) => readdirSync(folder));
  for (const name of new Set(found)) if (name.startsWith(PREFIX)) await removeIfDead(name);
  const draft = mkdtempSync(join(tmpdir(), 'tollhouse-new-tests-'));
  // For root, servers run as another user, who must be able to reach their folders.
  chmodSync(draft, 0o711);
  const owner = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => owner.once('error', reject).listen(join(draft, 'owner'), resolve));
  owner.unref();
  const name = `${PREFIX}${basename(draft).slice(-6)}`;
  // Others see the folder only once its socket listens.
  renameSync(draft, join(tmpdir(), name));
  return {
    env: { TMPDIR: join(tmpdir(), name), [RUN_VARIABLE]: name },
    remove: () => {
      owner.close();
      removeRun(name);
    },
  };
}

async function removeIfDead(name: string): Promise<void> {
  const isOurs = (folder: string) =>
    lstatSync(join(folder, name), { throwIfNoEntry: false })?.uid === process.getuid?.();
  if (![tmpdir(), MEMORY].some(isOurs) || (await isListening(join(tmpdir(), name, 'owner')))) return;
  for (const pid of processesOf(name)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
  removeRun(name);
}

/** The processes that have the variable of a run. */
function processesOf(run: string): readonly number[] {
  const has = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${RUN_VARIABLE}=${run}`);
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && has(name))
    .map(Number);
}

function removeRun(name: string): void {
  // Servers that were killed may still write for a moment.
  const options = { recursive: true, force: true, maxRetries: 10 };
  for (const folder of [join(MEMORY, name), join(tmpdir(), name)].filter((path) => existsSync(path))) {
    for (const data of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
      const sockets = runFolderPath(join(folder, data.name));
      for (const path of [sockets, `${sockets}-pg`]) rmSync(path, options);
    }
    rmSync(folder, options);
  }
}
