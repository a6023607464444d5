import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { Type } from 'typebox';
import { createJsonReader } from '../../../scripts/launch/parse/json-reader.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { startToolApp } from '../../gateway/mcp/tool-app.ts';
import { fixtures } from './fixture-tools.ts';

const SUITE = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

const parseChecks = createJsonReader(
  Type.Array(Type.Object({ status: Type.String(), name: Type.String(), errorMessage: Type.Optional(Type.String()) })),
  'checks.json of the conformance suite',
);

/** Runs the scenarios of revisions 2025-06-18 and 2025-11-25. @returns the failures of each scenario, by its name */
async function runConformance(url: string): Promise<ReadonlyMap<string, readonly string[]>> {
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

/** The scenarios for servers that only have tools. The tools of this test use the transport of the product's tools. */
const PASS = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'json-schema-2020-12',
  'dns-rebinding-protection',
];

const NO_STREAM = 'needs messages before the answer, but every answer is a single JSON text';
const NO_CLIENT_CALLS = 'needs requests from the server to the client, which need a stream';
const NO_RESOURCES = 'resources are not declared: tools read everything';
const NO_PROMPTS = 'prompts are not declared: the descriptions of tools explain their use';
const NO_SESSION = 'needs sessions or streams, but requests are independent of each other';

/** Scenarios of features that are not declared at `initialize`, with the reason. */
const DO_NOT_APPLY: Readonly<Record<string, string>> = {
  'logging-set-level': 'logging is not declared: logs are for the operator',
  'completion-complete': 'completions are not declared: there are no prompts or templates to complete',
  'tools-call-with-logging': NO_STREAM,
  'tools-call-with-progress': NO_STREAM,
  'tools-call-sampling': NO_CLIENT_CALLS,
  'tools-call-elicitation': NO_CLIENT_CALLS,
  'elicitation-sep1034-defaults': NO_CLIENT_CALLS,
  'elicitation-sep1330-enums': NO_CLIENT_CALLS,
  'server-sse-polling': NO_SESSION,
  'server-sse-multiple-streams': NO_SESSION,
  'resources-list': NO_RESOURCES,
  'resources-read-text': NO_RESOURCES,
  'resources-read-binary': NO_RESOURCES,
  'resources-templates-read': NO_RESOURCES,
  'resources-subscribe': NO_RESOURCES,
  'resources-unsubscribe': NO_RESOURCES,
  'prompts-list': NO_PROMPTS,
  'prompts-get-simple': NO_PROMPTS,
  'prompts-get-with-args': NO_PROMPTS,
  'prompts-get-embedded-resource': NO_PROMPTS,
  'prompts-get-with-image': NO_PROMPTS,
};

test('passes every conformance scenario that applies, and fails only the others', async (t) => {
  const app = await startToolApp(fixtures);
  t.teardown(() => app.close());
  const results = await runConformance(app.url);
  t.deepEqual([...results.keys()].toSorted(), [...PASS, ...Object.keys(DO_NOT_APPLY)].toSorted());
  for (const name of PASS) t.deepEqual(results.get(name), [], name);
  for (const [name, reason] of Object.entries(DO_NOT_APPLY))
    t.true(defined(results.get(name)).length > 0, `${name}: ${reason}`);
});
