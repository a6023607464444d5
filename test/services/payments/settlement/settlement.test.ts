import test from 'ava';
import type { ChainState } from '../../../../services/payments/chain/chain.ts';
import type {
  Claim,
  Claims,
  Result,
  SealedAuthorization,
  StartOutcome,
} from '../../../../services/payments/claims/claims.ts';
import type { Facilitator, SettlementReport } from '../../../../services/payments/facilitator/facilitator.ts';
import type { Payment } from '../../../../services/payments/payment/payment.ts';
import { createSettlement, resolvedOf } from '../../../../services/payments/settlement/settlement.ts';
import type { SettlingContext } from '../../../../services/payments/settlement/settling-context.ts';
import { createLogger, type Logger } from '../../../../services/platform/process/logger.ts';
import { contextOf } from '../../../kit/context-of.ts';
import { keepLog } from '../../../kit/keep-log.ts';
import { SIGNED } from '../claims/claims-fixture.ts';
import { claimOf, failedJson, NETWORK, ONCHAIN, OTHER, payment, SENT, settledJson } from './claim-fixture.ts';

const SEALED = { keyId: 'k1', sealed: Buffer.from('sealed') };
const silent = createLogger({ name: 'test', level: 'silent' });
const VOID = { kind: 'void', reason: 'late', isConfirmed: true } as const satisfies ChainState;
/** Ten minutes after the authorization of these claims has expired. */
const LAPSED_MS = 2000 * 1000 + 600_000;

interface Setting {
  readonly views?: readonly (ChainState | 'fails')[];
  readonly hasChain?: boolean;
  readonly report?: SettlementReport;
  readonly started?: StartOutcome;
  readonly before?: Claim;
  readonly after?: Claim | undefined;
  readonly isStored?: boolean;
  readonly isNoted?: boolean;
  readonly nowMs?: number;
  readonly settleFails?: boolean;
  readonly authorization?: SealedAuthorization | undefined;
  readonly openAuthorization?: () => Payment;
  readonly logger?: Logger;
}

/** A settlement over stubs that note what they are asked. The last view stays. */
function open({
  views = [{ kind: 'unused' }],
  hasChain = true,
  report = { kind: 'unsent' },
  before = claimOf({ state: 'retained' }),
  authorization = SEALED,
  openAuthorization = () => payment,
  started = { kind: 'started', before, authorization },
  after,
  isStored = true,
  isNoted = true,
  nowMs = 0,
  settleFails = false,
  logger = silent,
}: Setting = {}) {
  const asked: string[] = [];
  const results: { readonly attemptId: string | undefined; readonly result: Result }[] = [];
  const queries: (Claim['transaction'] | undefined)[] = [];
  let leaseMs = 0;
  const claims = {
    async startSettling(_ref, attempt) {
      ({ leaseMs } = attempt);
      return started;
    },
    async noteTransaction(_ref, attemptId, transaction) {
      asked.push(`note ${transaction} ${attemptId === undefined ? 'without' : 'with'} an attempt`);
      return isNoted;
    },
    async finish(_ref, attemptId, result) {
      results.push({ attemptId, result });
      return isStored;
    },
    findById: async () => after,
  } as Partial<Claims> as Claims;
  const facilitator: Facilitator = {
    verify: async () => ({ ok: true }),
    async settle(_payment, beforeSending) {
      asked.push('settle');
      if (settleFails) await beforeSending(SENT, SIGNED);
      return report;
    },
    async noteEnded({ transaction }, state) {
      asked.push(`ended ${state} ${transaction}`);
    },
  };
  const left = [...views];
  const chain = {
    async stateOf({ transaction }: Claim) {
      queries.push(transaction);
      const view = left.length > 1 ? left.shift() : left[0];
      if (view === undefined || view === 'fails') throw new Error('no answer');
      return view;
    },
  };
  let onSettled = 0;
  const settlement = createSettlement(
    contextOf<SettlingContext>({
      network: NETWORK,
      claims,
      facilitator,
      chain: hasChain ? (chain as never) : undefined,
      settleTimeoutMs: 1000,
      now: () => nowMs,
      logger,
      onSettled: () => {
        onSettled += 1;
      },
      authorizations: { open: openAuthorization },
    }),
  );
  return {
    asked,
    results,
    stored: () => results.map(({ result }) => result),
    queries,
    leaseMs: () => leaseMs,
    onSettled: () => onSettled,
    consult: settlement.consult,
    attempt: () => settlement.attempt(before.claimId),
  };
}

const settled = { kind: 'settled', paymentResponseJson: settledJson(OTHER) };

test('an attempt that is not started says why', async (t) => {
  for (const kind of ['busy', 'gone'] as const) {
    const { attempt, asked, results } = open({ started: { kind } });
    t.is(await attempt(), kind);
    t.deepEqual([asked, results], [[], []]);
  }
});

test('a claim that is resolved is answered as it was, and nothing is sent', async (t) => {
  const claim = claimOf({ state: 'failed', paymentResponseJson: '{}' });
  const { attempt, asked } = open({ started: { kind: 'resolved', claim } });
  t.deepEqual(await attempt(), { kind: 'failed', paymentResponseJson: '{}' });
  t.deepEqual(asked, []);
});

test('a first attempt is sent without a question to the chain, and its proof is stored', async (t) => {
  const { attempt, asked, results, queries, leaseMs, onSettled } = open({
    report: { kind: 'settled', transaction: OTHER, proof: ONCHAIN },
  });
  t.deepEqual(await attempt(), settled);
  t.deepEqual([asked, queries], [['settle'], []]);
  t.is(typeof results[0]?.attemptId, 'string');
  t.like(results[0]?.result, { state: 'settled', transaction: OTHER });
  t.is(leaseMs(), 9000, 'the time of the facilitator, of the proof, and to store the result');
  t.is(onSettled(), 1);
});

const REPORTED: SettlementReport = { kind: 'settled', transaction: OTHER };
const failed = (reason: string) => ({ kind: 'failed', paymentResponseJson: failedJson(reason) });
const REVERTED = failed('invalid_exact_evm_transaction_failed');
const LATER = claimOf({ transaction: SENT });
const AGAIN = claimOf({ state: 'retained', transaction: SENT });
const UNUSED: ChainState = { kind: 'unused' };
const pending = { kind: 'pending' };
const unsent = { kind: 'unsent' };
/** What is answered, and what the facilitator and the chain are asked for it. */
const attempts: readonly (readonly [string, Setting, unknown, readonly string[], (readonly unknown[])?])[] = [
  [
    'waits until the chain shows a transaction that was reported without a proof',
    { report: REPORTED, views: [UNUSED, ONCHAIN] },
    ...([settled, ['settle'], [OTHER, OTHER]] as const),
  ],
  [
    'fails where the chain shows a reported payment as void',
    { report: REPORTED, views: [UNUSED, VOID] },
    failed('late'),
    ['settle'],
  ],
  ['believes the report without a chain', { report: REPORTED, hasChain: false }, settled, ['settle'], []],
  ['sends nothing that is settled', { before: LATER, views: [ONCHAIN] }, settled, [`ended settled ${SENT}`]],
  ['sends nothing that is void', { before: LATER, views: [VOID] }, failed('late'), [`ended failed ${SENT}`]],
  ['sends nothing that is on its way', { before: LATER, views: [{ kind: 'in_flight' }] }, pending, []],
  ['sends nothing of which the chain says nothing', { before: LATER, views: ['fails'] }, pending, []],
  ['sends nothing that was reverted', { before: LATER, views: [{ kind: 'reverted' }] }, REVERTED, []],
  ['sends what was not sent and is unused', { before: claimOf({ state: 'unsent' }) }, unsent, ['settle']],
  ['sends it without a chain', { before: claimOf({ state: 'unsent' }), hasChain: false }, unsent, ['settle']],
  [
    'tells the facilitator what the chain proves after another report',
    { before: AGAIN, report: { kind: 'unknown', transaction: OTHER }, views: [ONCHAIN] },
    ...([settled, ['settle', `ended settled ${OTHER}`], [OTHER]] as const),
  ],
  ['leaves what was noted', { before: AGAIN, report: { kind: 'unknown' } }, pending, ['settle'], [SENT]],
];
for (const [title, setting, answer, asked, queries] of attempts) {
  test(`an attempt ${title}`, async (t) => {
    const opened = open(setting);
    t.deepEqual(await opened.attempt(), answer as never);
    t.deepEqual(opened.asked, [...asked]);
    if (queries) t.deepEqual(opened.queries as unknown, queries);
    t.is(opened.onSettled(), answer === settled ? 1 : 0);
    if (answer === pending) t.deepEqual(opened.stored(), [{ state: 'pending' }]);
  });
}

test('an attempt that lost its lease sends nothing, and its claim stays pending', async (t) => {
  const { attempt, stored } = open({ settleFails: true, isNoted: false });
  await t.throwsAsync(attempt(), { message: /lost its lease/ });
  t.deepEqual(stored(), [{ state: 'pending' }]);
});

test('a result that was not stored is answered as another attempt stored it', async (t) => {
  const report = { ...REPORTED, proof: ONCHAIN };
  for (const kind of ['settled', 'failed'] as const) {
    const [paymentResponseJson, state] = ['stored', kind];
    const after = claimOf({ state, paymentResponseJson });
    t.deepEqual(await open({ report, isStored: false, after }).attempt(), { kind, paymentResponseJson });
  }
  t.deepEqual(await open({ report, isStored: false, after: claimOf() }).attempt(), { kind: 'pending' });
  t.deepEqual(await open({ report, isStored: false }).attempt(), { kind: 'pending' });
  t.deepEqual(await open({ isStored: false }).attempt(), { kind: 'unsent' });
});

const NOT_STORED = { kind: 'started', before: claimOf({ state: 'retained' }), authorization: undefined } as const;
const NO_KEY = 'the authorization key k0 is not configured';
function lackKey(): never {
  throw new Error(NO_KEY);
}
for (const [name, setting, error] of [
  ['is not stored', { started: NOT_STORED }, 'no authorization is stored'],
  ['cannot be read', { openAuthorization: lackKey }, NO_KEY],
  ['is of another payment', { openAuthorization: () => ({ ...payment, digest: 'd2' }) }, 'not that of the claim'],
] as const satisfies readonly (readonly [string, Setting, string])[]) {
  test(`a payment whose authorization ${name} is not sent, and can be settled later`, async (t) => {
    const { logger, text } = keepLog();
    const { attempt, asked } = open({ ...setting, logger });
    t.deepEqual(await attempt(), { kind: 'unsent' });
    t.deepEqual(asked, []);
    t.regex(text(), new RegExp(`${error}.*a payment cannot be settled until it is sent again`));
  });
}

test('a payment whose authorization is not stored is settled by what an earlier attempt sent', async (t) => {
  const before = claimOf({ transaction: SENT });
  const started = { kind: 'started', before, authorization: undefined } as const;
  t.deepEqual(await open({ before, started, views: [ONCHAIN] }).attempt(), settled);
  t.deepEqual(await open({ before, started }).attempt(), { kind: 'pending' });
});

test('a consulted claim gets what the chain proves, and the claim afterwards is answered', async (t) => {
  const [claim, after] = [claimOf({ transaction: SENT }), claimOf({ state: 'settled' })];
  const { consult, asked, results } = open({ views: [ONCHAIN], after });
  t.deepEqual(await consult(claim), { claim: after, view: ONCHAIN });
  t.deepEqual(asked, [`ended settled ${SENT}`]);
  t.like(results, [{ attemptId: undefined, result: { state: 'settled', transaction: OTHER } }]);
  t.is((await open({ views: [ONCHAIN] }).consult(claim)).claim, claim, 'a claim that was released meanwhile');
});

test('a consulted claim without a proof stays', async (t) => {
  const sent = claimOf({ transaction: SENT });
  for (const view of [{ kind: 'in_flight' }, { kind: 'unused' }, 'fails'] as const) {
    const { consult, asked, results } = open({ views: [view] });
    t.is((await consult(sent)).claim, sent);
    t.deepEqual([asked, results], [[], []]);
  }
  t.deepEqual((await open({ views: ['fails'] }).consult(sent)).view, { kind: 'unsure' });
  t.deepEqual((await open({ hasChain: false }).consult(sent)).view, { kind: 'unsure' });
});

for (const [state, hasChain, nowMs, isLapsed] of [
  ['retained', false, LAPSED_MS + 1, true],
  ['unsent', false, LAPSED_MS + 1, true],
  ['retained', false, LAPSED_MS, false],
  ['settling', false, LAPSED_MS + 1, false],
  ['executing', false, LAPSED_MS + 1, false],
  ['retained', true, LAPSED_MS + 1, false],
] as const) {
  test(`a ${state} claim ${hasChain ? 'with' : 'without'} a chain at ${nowMs} ${isLapsed ? 'has failed' : 'stays'}`, async (t) => {
    const { consult, stored } = open({ hasChain, nowMs });
    await consult(claimOf({ state }));
    const reason = 'invalid_exact_evm_payload_authorization_valid_before';
    const lapsed = { state: 'failed', final: true, isPayersFault: false, paymentResponseJson: failedJson(reason) };
    t.deepEqual(stored(), isLapsed ? [lapsed as Result] : []);
  });
}

test('only a claim that is settled or failed, with its answer, is resolved', (t) => {
  const paymentResponseJson = '{}';
  for (const kind of ['settled', 'failed'] as const) {
    t.deepEqual(resolvedOf(claimOf({ state: kind, paymentResponseJson })), { kind, paymentResponseJson });
    t.throws(() => resolvedOf(claimOf({ state: kind })), { message: /c1 is not resolved/ });
  }
  for (const state of ['settling', 'unsent', 'retained', 'executing'] as const) {
    t.throws(() => resolvedOf(claimOf({ state, paymentResponseJson })), { message: /is not resolved/ });
  }
});
