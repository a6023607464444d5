import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Type } from 'typebox';
import { createJsonReader } from '../../scripts/launch/parse/json-reader.ts';
import { startPostgres } from '../../scripts/launch/servers/postgres.ts';
import { postgresBinaries } from '../../scripts/launch/servers/postgres-binaries.ts';
import type { RunningServer, ServerPlace } from '../../scripts/launch/servers/server.ts';
import { createLogger } from '../../services/platform/process/logger.ts';
import { migrate } from '../../services/store/database.ts';
import { LEDGER_FUNCTIONS } from '../../services/store/ledger-functions.ts';
import { preparationFor } from '../../services/store/preparation-sql.ts';
import { giveToOwner } from './owned-database.ts';
import { createTestFolder } from './test-folder.ts';

const run = promisify(execFile);
const MIGRATIONS = fileURLToPath(new URL('../../services/store/migrations', import.meta.url));
const CACHE_DIR = fileURLToPath(new URL('../../.cache', import.meta.url));

/** Uses `cp -a`, because the files belong to the user of the server. */
const copy = (from: string, to: string) => run('cp', ['-a', from, to]);

const parsePackage = createJsonReader(Type.Object({ version: Type.String() }), 'package.json');

function templateFolder(): string {
  const packageJson = readFileSync(join(postgresBinaries(undefined), '../../package.json'), 'utf8');
  const { version } = parsePackage(packageJson);
  const migrations = createHash('sha256');
  for (const file of readdirSync(MIGRATIONS).toSorted()) migrations.update(readFileSync(join(MIGRATIONS, file)));
  migrations.update(LEDGER_FUNCTIONS);
  migrations.update(preparationFor('postgresql://owner@localhost/tollhouse'));
  const schema = migrations.digest('hex').slice(0, 12);
  return join(CACHE_DIR, `postgres-template-${version}-${schema}-${userInfo().uid}`);
}

let template: Promise<string | undefined> | undefined;

/** A data folder with the product's schema. Undefined if the data cannot be in a test's folder. */
async function makeTemplate(): Promise<string | undefined> {
  const ready = templateFolder();
  if (existsSync(ready)) return ready;
  const folder = createTestFolder();
  try {
    const place = folder.place('postgres');
    const server = await startPostgres(place);
    await migrate(await giveToOwner(server.url), createLogger({ name: 'test', level: 'silent' }));
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

/** Keeps one folder if two processes made it at the same time. */
function keep(work: string, ready: string): void {
  try {
    renameSync(work, ready);
  } catch (error) {
    rmSync(work, { recursive: true, force: true });
    if (!existsSync(ready)) throw error;
  }
}

/**
 * Starts the product's PostgreSQL on a copy of a cluster, because creating a cluster takes most of the start. The user of the URL
 * owns its database and has no other right, as in production. So a migration or query that needs more fails the tests.
 */
export async function startSeededPostgres(place: ServerPlace): Promise<RunningServer> {
  if (!existsSync(place.dataDir)) {
    // Servers that start together share the template.
    template ??= makeTemplate();
    const seed = await template;
    if (seed !== undefined) await copy(seed, place.dataDir);
  }
  const server = await startPostgres(place);
  return { ...server, url: await giveToOwner(server.url) };
}
