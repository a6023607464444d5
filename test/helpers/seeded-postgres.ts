import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startPostgres } from '../../scripts/launch/servers/postgres.ts';
import { postgresBinaries } from '../../scripts/launch/servers/postgres-binaries.ts';
import type { RunningServer, ServerPlace } from '../../scripts/launch/servers/server.ts';
import { createLogger } from '../../services/platform/process/logger.ts';
import { migrate } from '../../services/store/database.ts';
import { createTestFolder } from './test-folder.ts';

const run = promisify(execFile);
const MIGRATIONS = fileURLToPath(new URL('../../services/store/migrations', import.meta.url));
const CACHE_DIR = fileURLToPath(new URL('../../.cache', import.meta.url));

/** `cp -a`, for the files belong to the user that the server runs as. */
const copy = (from: string, to: string) => run('cp', ['-a', from, to]);

function templateFolder(): string {
  const packageJson = join(postgresBinaries(undefined), '../../package.json');
  const { version } = JSON.parse(readFileSync(packageJson, 'utf8')) as { readonly version: string };
  const migrations = createHash('sha256');
  for (const file of readdirSync(MIGRATIONS).toSorted()) migrations.update(readFileSync(join(MIGRATIONS, file)));
  const schema = migrations.digest('hex').slice(0, 12);
  return join(CACHE_DIR, `postgres-template-${version}-${schema}-${process.getuid?.() ?? 0}`);
}

let template: Promise<string | undefined> | undefined;

/** The data of a server that has the product's schema, or undefined where it cannot lie in a test's folder. */
async function makeTemplate(): Promise<string | undefined> {
  const ready = templateFolder();
  if (existsSync(ready)) return ready;
  const folder = createTestFolder();
  try {
    const place = folder.place('postgres');
    const server = await startPostgres(place);
    await migrate(server.url ?? '', createLogger({ name: 'test', level: 'silent' }));
    await server.stop();
    if (lstatSync(place.dataDir).isSymbolicLink()) return undefined;
    mkdirSync(CACHE_DIR, { recursive: true });
    const work = `${ready}.${process.pid}`;
    await copy(place.dataDir, work);
    keep(work, ready);
    return ready;
  } finally {
    folder.remove();
  }
}

/** Of two that made it at the same time, one is kept. */
function keep(work: string, ready: string): void {
  try {
    renameSync(work, ready);
  } catch (error) {
    rmSync(work, { recursive: true, force: true });
    if (!existsSync(ready)) throw error;
  }
}

/** The product's PostgreSQL, on a copy of a cluster instead of one that it makes: that takes most of its start. */
export async function startSeededPostgres(place: ServerPlace): Promise<RunningServer> {
  if (!existsSync(place.dataDir)) {
    // Servers that start together share it: they would copy into the same folder.
    template ??= makeTemplate();
    const seed = await template;
    if (seed !== undefined) await copy(seed, place.dataDir);
  }
  return startPostgres(place);
}
