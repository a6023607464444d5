import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The file from which a test starts a process of the product: its bundle in a run of all tests, otherwise its source.
 * @param source path from the root of the checkout, such as `gateway/main.ts`
 */
export function entryPoint(source: string): string {
  const bundles = process.env['TEST_BUNDLES'];
  return bundles === undefined ? join(ROOT, source) : join(bundles, source.replace(/\.ts$/, '.js'));
}
