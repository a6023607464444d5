import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { Type } from 'typebox';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { entryPoint } from '../../../kit/entry-point.ts';
import { INHERITED } from '../../../kit/inherited.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const readFaults = createJsonReader(Type.Array(Type.String()), 'the answer to --check');

interface Row {
  readonly entry: string;
  readonly args?: readonly string[];
  readonly wrong: NodeJS.ProcessEnv;
  /** How the faults begin, in their order. */
  readonly faults: readonly string[];
  readonly right: NodeJS.ProcessEnv;
}

const DATABASE_URL = 'postgres://127.0.0.1:1/none';
const KEY = Buffer.alloc(32, 1).toString('base64');
const PAY_TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const ROWS: readonly Row[] = [
  {
    entry: 'gateway/main.ts',
    wrong: { PORT: '0', TRUST_PROXY: 'proxy', OPERATOR_KEY_HASHES: 'ada:secret', CHALLENGE_KEYS: 'short' },
    faults: [
      ...['PORT', 'REDIS_URL', 'CHALLENGE_KEYS', 'FINGERPRINT_KEY', 'TRUST_PROXY', 'PUBLIC_URLS', 'CONTACT'],
      'OPERATOR_KEY_HASHES',
    ],
    right: {
      REDIS_URL: 'redis://127.0.0.1:1',
      PUBLIC_URLS: 'https://api.example.com',
      CONTACT: 'mailto:support@example.com',
      CHALLENGE_KEYS: KEY,
      FINGERPRINT_KEY: KEY,
    },
  },
  {
    // Keys that a sandbox makes are not missing.
    entry: 'gateway/main.ts',
    args: ['--sandbox'],
    wrong: { HOST: '0.0.0.0', REDIS_URL: 'redis://127.0.0.1:1' },
    faults: ['HOST, PUBLIC_URLS'],
    right: { REDIS_URL: 'redis://127.0.0.1:1' },
  },
  {
    entry: 'services/content/main.ts',
    wrong: { CONTENT_THREADS: 'many', CONTENT_TIME_LIMIT_MS: '0' },
    faults: ['CONTENT_THREADS', 'CONTENT_TIME_LIMIT_MS'],
    right: {},
  },
  {
    entry: 'services/maps/main.ts',
    wrong: { MAPS_PROVIDER: 'azure', MAPS_THREADS: '0', MAPS_PROVIDER_URL: 'http://maps.example' },
    faults: ['MAPS_PROVIDER_URL', 'MAPS_THREADS', 'MAPS_PROVIDER_KEY'],
    right: {},
  },
  {
    // A wrong key is not a missing one: what would follow from its absence is not said.
    entry: 'services/payments/main.ts',
    wrong: { X402_SIGNER_KEY: 'short', X402_NETWORK: 'eip155:1', AUTHORIZATION_KEYS: 'short' },
    faults: ['DATABASE_URL', 'X402_SIGNER_KEY', 'X402_NETWORK', 'X402_PAY_TO', 'X402_RPC_URL', 'AUTHORIZATION_KEYS'],
    right: {
      ...{ DATABASE_URL, X402_FACILITATOR_URL: 'https://facilitator.example', X402_PAY_TO: PAY_TO },
      AUTHORIZATION_KEYS: `k1:${KEY}`,
    },
  },
  {
    entry: 'services/backoffice/main.ts',
    wrong: {
      ...{ DATABASE_URL, OPERATOR_KEY_HASHES: 'ada:secret', RETENTION_KEYS: 'short', RETENTION_DAYS: '0' },
      WEBHOOK_URL: 'https://hooks.example',
    },
    faults: ['RETENTION_DAYS', 'OPERATOR_KEY_HASHES', 'WEBHOOK_SECRET', 'RETENTION_KEYS'],
    right: { DATABASE_URL, RETENTION_KEYS: `k1:${KEY}` },
  },
  {
    entry: 'services/verification/main.ts',
    wrong: {
      PROOF_ISSUER_KEY: '!',
      PROOF_LOG_KEY: '!',
      TOOL_EFFECTS: 'x',
      HUBSPOT_URL: 'http://hub',
      HUBSPOT_TOKENS: 'x',
    },
    faults: ['DATABASE_URL', 'PROOF_ISSUER_KEY', 'PROOF_LOG_KEY', 'TOOL_EFFECTS', 'HUBSPOT_URL', 'HUBSPOT_TOKENS'],
    right: { DATABASE_URL, PROOF_ISSUER_KEY: KEY, PROOF_LOG_KEY: Buffer.alloc(32, 2).toString('base64') },
  },
  // Without keys, a process that may not make them names each.
  ...[
    [
      'services/payments/main.ts',
      { X402_FACILITATOR_URL: 'https://a.example', X402_PAY_TO: PAY_TO },
      'AUTHORIZATION_KEYS',
    ],
    ['services/backoffice/main.ts', {}, 'RETENTION_KEYS'],
    ['services/verification/main.ts', {}, 'PROOF_ISSUER_KEY', 'PROOF_LOG_KEY'],
  ].map(
    ([entry, settings, ...faults]): Row => ({
      entry: String(entry),
      wrong: { DATABASE_URL, ...Object(settings) },
      faults: faults.map(String),
      right: { DATABASE_URL, ...Object(settings), CREATE_KEYS: 'true' },
    }),
  ),
];

/** The answer of a program to `--check`, and what it wrote into the folder in which it ran. */
async function check(entry: string, args: readonly string[], settings: NodeJS.ProcessEnv) {
  const folder = mkdtempSync(join(tmpdir(), 'tollhouse-test-'));
  const env = { ...INHERITED, CREATE_KEYS: 'false', TOLLHOUSE_DATA: join(folder, 'data'), ...settings };
  const child = spawn(process.execPath, [entryPoint(entry), '--check', ...args], { cwd: ROOT, env });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const exitCode = await closed;
  const written = readdirSync(folder);
  rmSync(folder, { recursive: true });
  return { exitCode, err, faults: readFaults(out), written };
}

test('every program prints all that is wrong with its settings, starts nothing and writes nothing', async (t) => {
  const nameOf = (fault: string) => fault.replace(/:.*/s, '');
  for (const { entry, args = [], wrong, faults, right } of ROWS) {
    const found = await check(entry, args, wrong);
    t.deepEqual(found.faults.map(nameOf).toSorted(), faults.toSorted(), `${entry}: ${found.faults.join('\n')}`);
    t.like(found, { exitCode: 78, err: '', written: [] }, entry);
    t.deepEqual(await check(entry, args, right), { exitCode: 0, err: '', faults: [], written: [] }, entry);
  }
});

test('a file of a secret that cannot be read is said once, beside the other faults', async (t) => {
  const settings = { CHALLENGE_KEYS_FILE: '/none', REDIS_URL: 'redis://127.0.0.1:1', FINGERPRINT_KEY: KEY };
  const { faults } = await check('gateway/main.ts', [], { ...settings, PUBLIC_URLS: 'https://a.example' });
  t.deepEqual(
    faults.map((fault) => fault.replace(/:.*/s, '')),
    ['CHALLENGE_KEYS_FILE', 'CONTACT'],
  );
});
