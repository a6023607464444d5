import test from 'ava';
import { verifyLogContinues } from '../../../../services/verification/contract/proof/log-history.ts';
import { signingKeyFromSeed } from '../../../../services/verification/proof/ed25519.ts';
import { signCheckpoint } from '../../../../services/verification/proof/sign-checkpoint.ts';
import { createTestLog, log } from './test-proof.ts';

const testLog = await createTestLog(9);
const otherView = await createTestLog(9, 100);
const logKeys = [log];

test('a log that grew continues what was seen, with the consistency proof', async (t) => {
  for (const [first, second] of [
    [1, 9],
    [4, 7],
    [8, 9],
    [9, 9],
  ] as const) {
    const history = { remembered: testLog.checkpoint(first), head: testLog.checkpoint(second) };
    await t.notThrowsAsync(
      verifyLogContinues({ logKeys, ...history, consistency: testLog.consistency(first, second) }),
    );
  }
});

test('a log that has fewer leaves than before is refused, whatever it proves', async (t) => {
  const history = { remembered: testLog.checkpoint(7), head: testLog.checkpoint(4) };
  for (const consistency of [[], testLog.consistency(4, 7)]) {
    await t.throwsAsync(verifyLogContinues({ logKeys, ...history, consistency }), { code: 'LOG_SHRUNK' });
  }
});

test('a log that shows another tree is refused', async (t) => {
  for (const size of [4, 9]) {
    const history = { remembered: otherView.checkpoint(4), head: testLog.checkpoint(size) };
    for (const view of [testLog, otherView]) {
      const consistency = view.consistency(4, size);
      await t.throwsAsync(verifyLogContinues({ logKeys, ...history, consistency }), { code: 'INCONSISTENT' });
    }
  }
});

test('a missing or malformed consistency proof does not pass', async (t) => {
  const history = { remembered: testLog.checkpoint(4), head: testLog.checkpoint(7) };
  for (const consistency of [[], ['x'], testLog.consistency(4, 7).map((hash) => `${hash}\n`)]) {
    await t.throwsAsync(verifyLogContinues({ logKeys, ...history, consistency }), { code: 'INCONSISTENT' });
  }
});

test('what is remembered must be signed by the log, and be of the same log', async (t) => {
  const head = testLog.checkpoint(7);
  const stranger = { origin: log.origin, key: signingKeyFromSeed(Buffer.alloc(32, 3)) };
  const other = { origin: 'elsewhere.example/log', key: signingKeyFromSeed(Buffer.alloc(32, 4)) };
  const root = Buffer.alloc(32, 1);
  for (const remembered of [
    '',
    signCheckpoint({ size: 7, root }, stranger),
    signCheckpoint({ size: 7, root }, other),
  ]) {
    await t.throwsAsync(verifyLogContinues({ logKeys: [log, other], remembered, head, consistency: [] }), {
      code: 'REMEMBERED_CHECKPOINT_INVALID',
    });
  }
});

test('the head must be signed by the log', async (t) => {
  const head = testLog.checkpoint(7).replace(log.origin, 'elsewhere.example/log');
  const history = { remembered: testLog.checkpoint(4), head, consistency: [] };
  await t.throwsAsync(verifyLogContinues({ logKeys, ...history }), { code: 'CHECKPOINT_MALFORMED' });
});
