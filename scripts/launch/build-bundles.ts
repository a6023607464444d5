import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLogFile } from './processes/log-file.ts';
import { startTied } from './processes/tied-process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** An install without development dependencies has no bundler. Then every start runs the sources. */
function hasBundler(): boolean {
  try {
    import.meta.resolve('esbuild');
    return true;
  } catch {
    return false;
  }
}

/** Builds bundles for the next start, in a process that ends with this one. A failure only has an effect on its log. */
export function buildBundlesInBackground(dataDir: string): void {
  if (!hasBundler()) return;
  const log = openLogFile(join(dataDir, 'logs'), 'bundles');
  const builder = startTied({
    command: process.execPath,
    args: ['scripts/bundles/main.ts'],
    env: process.env,
    cwd: ROOT,
    logFd: log.fd,
  });
  void builder.exited.then(log.close);
}
