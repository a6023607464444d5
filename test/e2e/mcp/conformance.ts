import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SUITE = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

interface Check {
  readonly status: string;
  readonly name: string;
  readonly errorMessage?: string;
}

/** The scenarios of revision 2025-06-18 and those that 2025-11-25 adds, by name: what failed in each. */
export async function runConformance(url: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const args = [SUITE, 'server', '--url', url, '--suite', 'all', '--spec-version', '2025-11-25', '-o', folder];
    // Whether it ends well depends on scenarios that do not apply.
    await new Promise((resolve) => execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, resolve));
    return new Map(readdirSync(folder).map((name) => [scenarioOf(name), failuresOf(join(folder, name))]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A folder is named by its scenario and the time. */
const scenarioOf = (name: string): string =>
  name.replace(/^server-/, '').replace(/-[0-9]{4}-[0-9]{2}-[0-9]{2}T.*$/, '');

function failuresOf(folder: string): readonly string[] {
  const checks = JSON.parse(readFileSync(join(folder, 'checks.json'), 'utf8')) as readonly Check[];
  if (checks.length === 0) return ['nothing was checked'];
  const failed = checks.filter(({ status }) => status !== 'SUCCESS');
  return failed.map(({ status, name, errorMessage = '' }) => `${name} ${status} ${errorMessage}`);
}
