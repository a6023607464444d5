import test from 'ava';
import {
  areConsistent,
  type Checkpoint,
  openCheckpoint,
} from '../../../../services/verification/contract/proof/checkpoint.ts';
import { signingKeyFromSeed } from '../../../../services/verification/proof/ed25519.ts';
import { proveConsistency, rootOf } from '../../../../services/verification/proof/merkle-tree.ts';
import { signCheckpoint } from '../../../../services/verification/proof/sign-checkpoint.ts';
import { signNote } from '../../../../services/verification/proof/sign-note.ts';
import { CT_ENTRIES, NUMBERED_ENTRIES, storeOf } from './test-log.ts';

const log = { origin: 'example.com/behind-the-sofa', key: signingKeyFromSeed(Buffer.alloc(32, 1)) };
const root = Buffer.from('CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=', 'base64');
const TEXT = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';

test("a checkpoint has the text of the specification's example, signed under the origin", (t) => {
  t.is(signCheckpoint({ size: 20_852_163, root }, log), signNote(TEXT, log.origin, log.key));
});

test('opens a checkpoint of a trusted log', async (t) => {
  const signed = signCheckpoint({ size: 20_852_163, root }, log);
  t.deepEqual(await openCheckpoint(signed, [log]), {
    origin: log.origin,
    size: 20_852_163,
    root: new Uint8Array(root),
  });
});

test('refuses a checkpoint of an untrusted log', async (t) => {
  const signed = signCheckpoint({ size: 1, root }, log);
  await t.throwsAsync(async () => openCheckpoint(signed, [{ ...log, origin: 'example.com/other' }]), {
    code: 'LOG_UNKNOWN',
  });
  await t.throwsAsync(async () => openCheckpoint(signed, []), { code: 'LOG_UNKNOWN' });
});

test('refuses a checkpoint that another key signed in the name of the log', async (t) => {
  const forged = signCheckpoint({ size: 1, root }, { ...log, key: signingKeyFromSeed(Buffer.alloc(32, 2)) });
  await t.throwsAsync(async () => openCheckpoint(forged, [log]), { code: 'CHECKPOINT_SIGNATURE_INVALID' });
});

test('opens checkpoints of a log with its old and its new key, if both are trusted', async (t) => {
  const newer = { ...log, key: signingKeyFromSeed(Buffer.alloc(32, 2)) };
  for (const signer of [log, newer])
    t.is((await openCheckpoint(signCheckpoint({ size: 1, root }, signer), [log, newer])).size, 1);
});

const ROOT = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';
const o = log.origin;

const REFUSED: readonly (readonly [string, string])[] = [
  ['an extension line', `${TEXT}extension\n`],
  ['no root', `${o}\n1\n`],
  ['a size with a leading zero', `${o}\n01\n${ROOT}\n`],
  ['a size with a sign', `${o}\n+1\n${ROOT}\n`],
  ['a size beyond safe integers', `${o}\n9007199254740992\n${ROOT}\n`],
  ['a size in hexadecimal', `${o}\n0x1\n${ROOT}\n`],
  ['a root of 33 bytes', `${o}\n1\n${Buffer.alloc(33).toString('base64')}\n`],
  ['a root with unused bits set', `${o}\n1\n${ROOT.replace('I=', 'J=')}\n`],
  ['a root in the URL alphabet', `${o}\n1\n${ROOT.replace('/', '_')}\n`],
  ['a space after the origin', `${o} \n1\n${ROOT}\n`],
  ['an origin that is not the name of the key', `${o}/x\n1\n${ROOT}\n`],
];

for (const [name, text] of REFUSED) {
  test(`refuses a checkpoint with ${name}, although the log signed it`, async (t) => {
    await t.throwsAsync(async () => openCheckpoint(signNote(text, o, log.key), [log]), {
      code: 'CHECKPOINT_MALFORMED',
    });
  });
}

test('refuses to sign a head or an origin that no log can have', (t) => {
  for (const head of [
    { size: -1, root },
    { size: 1.5, root },
    { size: 2 ** 53, root },
    { size: 1, root: root.subarray(1) },
  ]) {
    t.throws(() => signCheckpoint(head, log), { instanceOf: RangeError });
  }
  for (const origin of ['', 'a b', 'a+b', 'a\n1', 'ä']) {
    t.throws(() => signCheckpoint({ size: 1, root }, { ...log, origin }), { instanceOf: RangeError });
  }
});

const store = storeOf(NUMBERED_ENTRIES);
const head = (size: number, of = store): Checkpoint => ({ origin: o, size, root: rootOf(of, size) });

test('two checkpoints of one log are consistent in either order', async (t) => {
  const proof = proveConsistency(store, 7, 20);
  t.true(await areConsistent(head(7), head(20), proof));
  t.true(await areConsistent(head(20), head(7), proof));
  t.true(await areConsistent(head(7), head(7), []));
});

test('checkpoints of two trees under one origin are not consistent', async (t) => {
  const other = storeOf(CT_ENTRIES);
  t.false(await areConsistent(head(7), head(7, other), []));
  t.false(await areConsistent(head(7), head(8, other), proveConsistency(other, 7, 8)));
  t.false(await areConsistent(head(7), head(8, other), proveConsistency(store, 7, 8)));
});

test('checkpoints of two logs are not consistent, even if their trees are', async (t) => {
  t.false(await areConsistent(head(7), { ...head(7), origin: 'example.com/other' }, []));
});
