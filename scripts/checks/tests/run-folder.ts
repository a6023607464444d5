import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { runFolderPath } from '../../launch/processes/run-folder.ts';
import { isListening } from '../../launch/processes/wait-for.ts';

const PREFIX = 'tollhouse-tests-';
/** Names the run to everything that it starts. Test folders are in a folder of this name, in memory if there is enough. */
const RUN_VARIABLE = 'TOLLHOUSE_TEST_RUN';

/** The folder of temporary files of a run of tests. */
export interface RunFolder {
  readonly env: { readonly TMPDIR: string; readonly TOLLHOUSE_TEST_RUN: string };
  remove(): void;
}

/** Where runs have folders. Other places are for tests. */
export interface Places {
  readonly temporary: string;
  readonly memory: string;
}

/**
 * Creates the folder of a run, with a socket that tells others that the run is alive. The kernel closes the socket, even after
 * SIGKILL. What killed runs have left is removed first: their folders, and the processes that know their names.
 */
export async function openRunFolder(places: Places = { temporary: '/tmp', memory: '/dev/shm' }): Promise<RunFolder> {
  const { temporary } = places;
  for (const name of readdirSync(temporary)) if (name.startsWith(PREFIX)) await removeIfDead(name, places);
  const draft = mkdtempSync(join(temporary, 'tollhouse-new-tests-'));
  // For root, servers run as another user, who must be able to reach their folders.
  chmodSync(draft, 0o711);
  const owner = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => owner.once('error', reject).listen(join(draft, 'owner'), resolve));
  owner.unref();
  const name = `${PREFIX}${basename(draft).slice(-6)}`;
  // Others see the folder only once its socket listens.
  renameSync(draft, join(temporary, name));
  return {
    env: { TMPDIR: join(temporary, name), [RUN_VARIABLE]: name },
    remove: () => {
      owner.close();
      removeFolders(name, places);
    },
  };
}

/** Has this process, and what it starts, keep temporary files in the folder of a new run, which is removed at its end. */
export async function enterRunFolder(): Promise<void> {
  const { env, remove } = await openRunFolder();
  Object.assign(process.env, env);
  process.once('exit', remove);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
}

async function removeIfDead(name: string, places: Places): Promise<void> {
  const folder = join(places.temporary, name);
  const isOurs = lstatSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.();
  if (!isOurs || (await isListening(join(folder, 'owner')))) return;
  for (const pid of processesOf(name)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
  removeFolders(name, places);
}

function processesOf(run: string): readonly number[] {
  const hasVariable = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${RUN_VARIABLE}=${run}`);
    } catch {
      return false;
    }
  };
  const pids = existsSync('/proc/self') ? readdirSync('/proc').filter((entry) => /^\d+$/.test(entry)) : [];
  return pids.filter(hasVariable).map(Number);
}

/** The folder with the socket is removed last, so that another run can go on if this one is killed meanwhile. */
function removeFolders(name: string, { temporary, memory }: Places): void {
  // Servers that were killed may still write for a moment.
  const options = { recursive: true, force: true, maxRetries: 10 };
  for (const folder of [join(memory, name), join(temporary, name)].filter((path) => existsSync(path))) {
    for (const data of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
      const sockets = runFolderPath(join(folder, data.name));
      for (const path of [sockets, `${sockets}-pg`]) rmSync(path, options);
    }
    rmSync(folder, options);
  }
}
