import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Type } from 'typebox';
import { createJsonReader } from '../../../scripts/launch/parse/json-reader.ts';

const SUITE = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

const parseChecks = createJsonReader(
  Type.Array(Type.Object({ status: Type.String(), name: Type.String(), errorMessage: Type.Optional(Type.String()) })),
  'checks.json of the conformance suite',
);

/** Runs the scenarios of revisions 2025-06-18 and 2025-11-25. @returns the failures of each scenario, by its name */
export async function runConformance(url: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const args = [SUITE, 'server', '--url', url, '--suite', 'all', '--spec-version', '2025-11-25', '-o', folder];
    // The exit code also depends on scenarios that do not apply.
    await new Promise((resolve) => execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, resolve));
    return new Map(readdirSync(folder).map((name) => [scenarioOf(name), failuresOf(join(folder, name))]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The suite names a folder by the scenario and the time. */
const scenarioOf = (name: string): string =>
  name.replace(/^server-/, '').replace(/-[0-9]{4}-[0-9]{2}-[0-9]{2}T.*$/, '');

function failuresOf(folder: string): readonly string[] {
  const checks = parseChecks(readFileSync(join(folder, 'checks.json'), 'utf8'));
  if (checks.length === 0) return ['nothing was checked'];
  const failed = checks.filter(({ status }) => status !== 'SUCCESS');
  return failed.map(({ status, name, errorMessage }) => `${name} ${status} ${errorMessage ?? 'without a message'}`);
}
