import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import type { ProofFile } from '../../services/verification/contract/proof-file.ts';
import { canonicalBytes } from '../../services/verification/proof/digests.ts';
import { publishIssuerKey, publishLogKey } from '../../services/verification/proof/keys.ts';
import { signEnvelope } from '../../services/verification/proof/sign-envelope.ts';
import { findPython } from '../kit/python.ts';
import { createTestFolder } from '../kit/test-folder.ts';
import { HANG_MS } from '../kit/until.ts';
import { createTestLog, issuer, log } from '../services/verification/proof/test-proof.ts';

// What an auditor has: the verifiers, and nothing of the checkout beside them.
const FOLDER = fileURLToPath(new URL('../../docs/verified-execution/', import.meta.url));
const folder = createTestFolder();
for (const name of ['verify-proof.mjs', 'verify_proof.py']) copyFileSync(join(FOLDER, name), join(folder.path, name));
const [, check = ''] = /^```js\n(.*?)^```$/ms.exec(readFileSync(join(FOLDER, 'proofs.md'), 'utf8')) ?? [];
writeFileSync(join(folder.path, 'check.mjs'), check);

const sample = {
  proof: readFileSync(join(FOLDER, 'sample/proof.json')),
  keys: readFileSync(join(FOLDER, 'sample/keys.json')),
};
const testLog = await createTestLog(11);
test.after.always(folder.remove);
const file = testLog.proof(5, 9);
const keys = { keys: [publishIssuerKey(issuer), publishLogKey(log)] };
const [issuerKey, logKey] = keys.keys;

type Content = object | Uint8Array;
let count = 0;
function keep(content: Content): string {
  count += 1;
  const path = join(folder.path, `${count}.json`);
  writeFileSync(path, content instanceof Uint8Array ? content : canonicalBytes(content));
  return path;
}

/** What a program prints, after its exit status. */
const run = (command: string, args: readonly string[], env = process.env) =>
  new Promise<string>((resolve) => {
    const child = execFile(command, args, { env, cwd: folder.path, timeout: HANG_MS }, (_, stdout, stderr) =>
      resolve(`${child.exitCode} ${stdout}${stderr}`),
    );
  });

const withLog = (change: Partial<ProofFile['log']>) => ({ ...file, log: { ...file.log, ...change } });
const otherSignature = (base64: string) => base64.replace(/.(?=.{8}$)/, (digit) => (digit === 'A' ? 'B' : 'A'));
/** With a bit set that decoders leave out. */
const inOtherBase64 = (hash: string) =>
  hash.replace(/.(?==$)/, (digit) => String.fromCharCode(digit.charCodeAt(0) + 1));
const ed448 = Buffer.from(issuerKey?.public_key ?? '', 'base64').fill(0x71, 8, 9);
const otherAlgorithm = {
  ...issuerKey,
  public_key: ed448.toString('base64'),
  keyid: createHash('sha256').update(ed448).digest('hex'),
};
const [{ keyid, sig }] = file.envelope.signatures;
const valid = /^0 VALID: proof .*NOT checked: the verdicts were not recomputed/s;

const ROWS: readonly (readonly [what: string, proof: Content, says: RegExp, keys?: Content])[] = [
  ['the sample', sample.proof, valid, sample.keys],
  ...[
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 8],
    [8, 9],
    [6, 7],
    [10, 11],
  ].map(([index = 0, size = 0]) => [`leaf ${index} of ${size}`, testLog.proof(index, size), valid] as const),
  ['one leaf of many', file, valid],
  [
    'another signature of the issuer',
    { ...file, envelope: { ...file.envelope, signatures: [{ keyid, sig: otherSignature(sig) }] } },
    /^1 .*no trusted issuer/,
  ],
  ['no signature', { ...file, envelope: { ...file.envelope, signatures: [] } }, /^1 NOT VALID/],
  ['another payload', { ...file, envelope: { ...file.envelope, payload: btoa('{}') } }, /^1 .*no trusted issuer/],
  ['another payload type', { ...file, envelope: { ...file.envelope, payloadType: 'text/plain' } }, /^1 .*another type/],
  ['the statement of another proof', { ...file, envelope: testLog.proof(4, 9).envelope }, /^1 .*names another proof/],
  ['another id', { ...file, proof_id: 'proof_4' }, /^1 .*names another proof/],
  [
    'another statement',
    { ...file, envelope: signEnvelope(canonicalBytes({ predicateType: 'x' }), issuer) },
    /^1 .*another type/,
  ],
  [
    'the statement signed by the log',
    { ...file, envelope: { ...file.envelope, signatures: [{ keyid: log.key.keyid, sig }] } },
    /^1 .*no trusted issuer/,
  ],
  ['another index', withLog({ index: 4 }), /^1 .*not in the log/],
  ['an index outside the tree', withLog({ index: 9 }), /^1 .*outside the tree/],
  ['another leaf', withLog(testLog.proof(4, 9).log), /^1 .*not in the log/],
  ['a hash in other base64', withLog({ inclusion: file.log.inclusion.map(inOtherBase64) }), /^1 .*base64/],
  ['no inclusion', withLog({ inclusion: [] }), /^1 .*another length/],
  ['a longer inclusion', withLog({ inclusion: [...file.log.inclusion, ...file.log.inclusion] }), /^1 .*another length/],
  ['another size', withLog({ tree_size: 10 }), /^1 .*another log or size/],
  ['another log', withLog({ origin: 'elsewhere' }), /^1 .*another log or size/],
  ['a checkpoint of another tree', withLog({ checkpoint: testLog.checkpoint(10), tree_size: 10 }), /^1 NOT VALID/],
  [
    'a checkpoint that was changed',
    withLog({ checkpoint: file.log.checkpoint.replace('\n9\n', '\n8\n'), tree_size: 8 }),
    /^1 .*no trusted log/,
  ],
  [
    'a checkpoint with an extension',
    withLog({ checkpoint: file.log.checkpoint.replace('\n\n', '\nx\n\n') }),
    /^1 .*not origin/,
  ],
  ['a newline at the end', Buffer.concat([canonicalBytes(file), Buffer.from('\n')]), /^1 .*not canonical/],
  ['deep nesting', Buffer.from('['.repeat(1e5)), /^1 NOT VALID/],
  ['no issuer', file, /^1 .*no trusted issuer/, { keys: [logKey] }],
  ['no log', file, /^1 .*no trusted log/, { keys: [issuerKey] }],
  [
    'keys for each other',
    file,
    /^1 .*no trusted issuer/,
    {
      keys: [
        { ...issuerKey, use: 'log', origin: log.origin },
        { ...logKey, use: 'issuer' },
      ],
    },
  ],
  [
    'a key for two uses',
    file,
    /^2 .*two uses/,
    { keys: [issuerKey, { ...issuerKey, use: 'log', origin: log.origin }] },
  ],
  ['a key of another algorithm', file, /^2 .*Ed25519/, { keys: [otherAlgorithm, logKey] }],
  ['a key under the id of another', file, /^2 .*key id/, { keys: [{ ...issuerKey, keyid: log.key.keyid }, logKey] }],
  ['no keys', file, /^2 CANNOT BE USED/, Buffer.from('[]')],
];

test('the program in Python takes true proofs, refuses any other, and says what it did not check', async (t) => {
  const python = await findPython('cryptography', { packages: ['python3-cryptography'], name: 'python3-cryptography' });
  for (const [what, proof, says, trusted = keys] of ROWS) {
    t.regex(await run(python.command, ['verify_proof.py', keep(proof), keep(trusted)], python.env), says, what);
  }
  t.regex(await run(python.command, ['verify_proof.py', keep(file)], python.env), /^2 CANNOT BE USED/);
});

test("the module needs nothing beside it, in this Node and in the machine's", async (t) => {
  const paths = (process.env['PATH'] ?? '').split(':').filter((path) => !path.includes('node_modules'));
  for (const PATH of [join(process.execPath, '..'), paths.join(':')]) {
    const verify = (proof: Content) => run('node', ['check.mjs', keep(proof), keep(keys)], { PATH });
    t.regex(await verify(file), /^0 .*outcome: 'valid'.*The verdicts were not recomputed.*name: 'plan\/plan_5'/s, PATH);
    t.regex(await verify(withLog({ index: 4 })), /^1 .*NOT_INCLUDED/s, PATH);
  }
});
