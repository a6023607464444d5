import test from 'ava';
import { numberToHex } from 'viem';
import type { ChainState } from '../../../../services/payments/chain/chain.ts';
import { createConfirmedBlocks } from '../../../../services/payments/chain/confirmed-blocks.ts';
import type { Claim } from '../../../../services/payments/claims/claims.ts';
import { createFinalityFollower } from '../../../../services/payments/finality/finality-follower.ts';
import type { UnlocatedClaim } from '../../../../services/payments/finality/unfinal-claims.ts';
import { createAuthorizationCipher } from '../../../../services/payments/settlement/authorization-cipher.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { contextOf } from '../../../kit/context-of.ts';
import { CONFIRMATIONS, hex32, startWatchedChain } from '../channels/watched-chain.ts';
import { SIGNED } from '../claims/claims-fixture.ts';
import { claimOf, ONCHAIN, payment, SENT } from '../settlement/claim-fixture.ts';

const chain = await startWatchedChain();
test.after.always(() => chain.stop());
test.before(() => chain.node.mine({ blocks: 20 }));
test.beforeEach(() => chain.forget());

const logger = createLogger({ name: 'test', level: 'silent' });
const unlocated = (changes: Partial<UnlocatedClaim> = {}): UnlocatedClaim => ({
  claimId: 'c1',
  wasMissing: false,
  ...changes,
});

/** A block with a settlement, `back` blocks before the latest one. */
interface SettledIn {
  readonly back: number;
  /** Whether it had another hash, as after a reorganization. */
  readonly isChanged?: boolean;
}

interface Setting {
  readonly block?: SettledIn;
  readonly isLacking?: boolean;
  readonly confirmations?: number;
  readonly claims?: readonly UnlocatedClaim[];
  readonly state?: ChainState | Error;
  readonly kept?: boolean;
  readonly report?: 'settled' | 'unsent';
  readonly found?: Claim | undefined;
  readonly isSandbox?: boolean;
}

async function settledIn({ back, isChanged = false }: SettledIn) {
  const { number: latest } = await chain.latest();
  const number = latest - BigInt(back);
  const isReal = number <= latest && !isChanged;
  return { number, hash: isReal ? (await chain.blockAt(number)).hash : hex32(1) };
}

/** One look at settlements. The sandbox has all blocks. */
async function follow(setting: Setting = {}, signal = new AbortController().signal) {
  const { claims = [], state = { kind: 'unused' }, confirmations = CONFIRMATIONS } = setting;
  const blocks = setting.block ? [await settledIn(setting.block)] : [];
  const wanted = blocks.map(({ number }) => numberToHex(number));
  if (setting.isLacking) {
    chain.lie(({ method, params }) =>
      method === 'eth_getBlockByNumber' && wanted.some((each) => each === params?.[0]) ? { result: null } : undefined,
    );
  }
  const done: string[] = [];
  let deletedUntilS: bigint | undefined;
  const follow = createFinalityFollower(
    contextOf<Parameters<typeof createFinalityFollower>[0]>({
      unfinal: {
        blocks: async () => blocks,
        unlocated: async (after, limit) => claims.filter(({ claimId }) => claimId > after).slice(0, limit),
        locate: async (claimId, { transaction }) => void done.push(`locate ${claimId} ${transaction}`),
        async forget() {
          done.push('forget');
          return ['c1'];
        },
        finalize: async () => void done.push('finalize'),
        noteMissing: async (claimId) => void done.push(`missing ${claimId}`),
        noteTransaction: async (claimId, transaction) => void done.push(`note ${claimId} ${transaction}`),
        lose: async (claimId, reason) => void done.push(`lose ${claimId} ${reason}`),
      },
      authorizations: {
        find: async () => (setting.kept === false ? undefined : payment),
        async deleteEnded(untilS) {
          deletedUntilS = untilS;
        },
      },
      chain: {
        async stateOf() {
          if (state instanceof Error) throw state;
          return state;
        },
      },
      blocks: createConfirmedBlocks({ rpc: chain.rpc, confirmations }),
      facilitator: {
        verify: async () => ({ ok: true }),
        async settle(_payment, beforeSending) {
          done.push('settle');
          await beforeSending(SENT, SIGNED);
          return setting.report === 'settled' ? { kind: 'settled', transaction: SENT } : { kind: 'unsent' };
        },
      },
      claims: {
        findById: async (claimId) =>
          'found' in setting ? setting.found : claimOf({ claimId, state: 'settled', transaction: SENT }),
      },
      settlement: {
        async consult(claim) {
          done.push(`consult ${claim.claimId}`);
          if (setting.state instanceof Error) throw setting.state;
          return { claim, view: { kind: 'unused' } };
        },
      },
      terms: { sandbox: setting.isSandbox ?? false },
      onSettled: () => void done.push('sent'),
      logger,
    }),
  );
  await follow(signal);
  return { done, deletedUntilS };
}

const FINAL = CONFIRMATIONS - 1;
for (const [name, setting, expected] of [
  ['in the latest final block', { block: { back: FINAL } }, ['finalize']],
  ['in the first block that is not final', { block: { back: FINAL - 1 } }, []],
  ['on a chain without a final block', { block: { back: FINAL }, confirmations: 1_000_000 }, []],
  ['in a block that is another one now', { block: { back: FINAL, isChanged: true } }, ['forget']],
  ['in a block that the node lacks', { block: { back: FINAL + 1 }, isLacking: true }, []],
  ['in a latest block that is another one now', { block: { back: 0, isChanged: true } }, ['forget']],
  ['in a block after the latest one', { block: { back: -1 } }, []],
  ['in a block that the sandbox lost', { block: { back: -1 }, isSandbox: true }, ['forget']],
  ['in a block of the sandbox', { block: { back: FINAL }, isSandbox: true }, ['finalize']],
] as const satisfies readonly (readonly [string, Setting, readonly string[]])[]) {
  test.serial(`a settlement ${name}: ${expected}`, async (t) => {
    t.deepEqual((await follow(setting)).done, [...expected]);
  });
}

test.serial('authorizations that ended before the latest final block are deleted', async (t) => {
  const { number } = await chain.latest();
  t.is((await follow()).deletedUntilS, (await chain.blockAt(number - BigInt(FINAL))).timestamp);
  t.is((await follow({ confirmations: 1_000_000 })).deletedUntilS, undefined);
});

for (const [name, setting, expected] of [
  ['that is found', { state: ONCHAIN }, [`locate c1 ${ONCHAIN.transaction}`]],
  ['that is on its way', { state: { kind: 'in_flight' } }, []],
  ['that is void for now', { state: { kind: 'void', reason: 'x', isConfirmed: false } }, []],
  ['that is void for good', { state: { kind: 'void', reason: 'x', isConfirmed: true } }, ['lose c1 x']],
  ['that was reverted', { state: { kind: 'reverted' } }, []],
  ['that is missing', {}, ['missing c1']],
  ['that is missing again', { claims: [unlocated({ wasMissing: true })] }, ['settle', `note c1 ${SENT}`]],
  [
    'that is sent again and settled',
    { claims: [unlocated({ wasMissing: true })], report: 'settled' },
    ['settle', `note c1 ${SENT}`, 'sent'],
  ],
  ['that cannot be sent again', { claims: [unlocated({ wasMissing: true })], kept: false }, []],
  ['of which the node says nothing', { state: new Error('no answer') }, []],
] as const satisfies readonly (readonly [string, Setting, readonly string[]])[]) {
  test.serial(`a settlement without a block, ${name}`, async (t) => {
    t.deepEqual((await follow({ claims: [unlocated()], ...setting })).done, [...expected]);
  });
}

for (const [name, found, expected] of [
  ['that is being settled', claimOf(), ['consult c1']],
  ['whose attempt goes on', claimOf({ isLeased: true }), []],
  ['that has failed', claimOf({ state: 'failed' }), []],
  ['that is gone', undefined, []],
] as const) {
  test.serial(`a claim ${name}, whose transaction was noted`, async (t) => {
    t.deepEqual((await follow({ claims: [unlocated()], found })).done, [...expected]);
  });
}

test.serial('claims are followed a page at a time, and a fault of one stops no other', async (t) => {
  const ids = Array.from({ length: 101 }, (_, n) => `c${1000 + n}`);
  const claims = ids.map((claimId) => unlocated({ claimId }));
  t.is((await follow({ claims })).done.length, 101);
  const faulty = await follow({ claims, found: claimOf(), state: new Error('no answer') });
  t.is(faulty.done.length, 101);
  t.deepEqual((await follow({ claims, block: { back: FINAL } }, AbortSignal.abort())).done, []);
});

test.serial('a cipher opens what it sealed for a claim, also with an earlier key', (t) => {
  const [one, two] = [
    { id: 'one', secret: Buffer.alloc(32, 1) },
    { id: 'two', secret: Buffer.alloc(32, 2) },
  ];
  const sealed = createAuthorizationCipher([one]).seal('{"é":1}', 'c1');
  const both = createAuthorizationCipher([two, one]);
  t.is(both.keyId, 'two');
  t.deepEqual(JSON.parse(both.open(sealed, 'one', 'c1')), { é: 1 });
  t.is(sealed.length, both.seal('{}', 'c1').length);
  t.throws(() => both.open(sealed, 'one', 'c2'));
  t.throws(() => both.open(sealed, 'two', 'c1'));
  t.throws(() => both.open(sealed, 'three', 'c1'), { message: /key three is not configured/ });
});
