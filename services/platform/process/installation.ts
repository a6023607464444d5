import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the package, or of the checkout. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url)).slice(0, -1);

/** The folder of the bundles of a package. A checkout makes its own. */
export const PACKAGE_BUNDLES = join(ROOT, 'dist');

/** Whether this is an installed package and no checkout. Its folder may be read-only. */
export const isInstalled = existsSync(PACKAGE_BUNDLES);

/** What a user types. */
export const COMMAND_LINES = isInstalled
  ? { start: 'tollhouse start', try: 'tollhouse try', tollhouse: 'tollhouse' }
  : { start: 'npm start', try: 'npm run try --', tollhouse: 'npm run tollhouse --' };

/** The default of TOLLHOUSE_DATA. */
export const DATA_FOLDER = isInstalled ? ofUser('XDG_DATA_HOME', '.local/share') : '.tollhouse';

/** Where programs and compiled code are kept, which can be made again. */
export const CACHE_FOLDER = isInstalled ? ofUser('XDG_CACHE_HOME', '.cache') : join(ROOT, '.cache');

/** A folder of the user, by the XDG Base Directory Specification 0.8, which has relative paths ignored. */
function ofUser(variable: string, otherwise: string): string {
  const given = process.env[variable];
  return join(given !== undefined && isAbsolute(given) ? given : join(homedir(), otherwise), 'tollhouse');
}
