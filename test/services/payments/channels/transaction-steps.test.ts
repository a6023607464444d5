import test from 'ava';
import { ExecutionRevertedError, encodeFunctionData, keccak256 } from 'viem';
import { SETTLEMENT } from '../../../../services/payments/channels/addresses.ts';
import { SETTLEMENT_ABI } from '../../../../services/payments/channels/settlement-abi.ts';
import type { Ending } from '../../../../services/payments/channels/transaction-records.ts';
import { NotSentError } from '../../../../services/payments/signer/transaction-sender.ts';
import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { awaitReceipt } from '../../../kit/chain.ts';
import { until } from '../../../kit/until.ts';
import { signedOnce } from './memory-records.ts';
import { CALL, NEW, NEWER, OWN, openTransactions, type Setting } from './transaction-setting.ts';
import { CONFIRMATIONS, hex32, PAY_TO, startWatchedChain } from './watched-chain.ts';

const chain = await startWatchedChain();
test.after.always(() => chain.stop());
test.beforeEach(() => chain.forget());

/** Makes the latest block final. */
const finalize = () => chain.node.mine({ blocks: CONFIRMATIONS - 1 });
test.before(finalize);

const RESERVED = `reserve deposit:1 ${PAY_TO},code 130001`;
const RELEASED = 'end deposit:1 0 undefined';
const REFUSED: Ending = { state: 'refused', reason: 'no' };

const open = (setting?: Setting) => openTransactions(chain, setting);

test.serial('a transaction is estimated, simulated with more gas, counted and stored before it is sent', async (t) => {
  const { start, asked, counted, memory, signer } = await open();
  const order: string[] = [];
  const vouchers = [{ channelId: OWN, maxClaimableAmount: 5n }];
  t.is(await start({ vouchers, beforeSigning: async () => void order.push(`${memory.signed.length}`) }), 'started');
  t.deepEqual(asked, [
    { to: SETTLEMENT, data: '0x12' },
    { to: SETTLEMENT, data: '0x12', gas: 130_001n },
  ]);
  t.deepEqual(counted, [RESERVED]);
  t.deepEqual(order, ['0'], 'what it needs is stored before it');
  t.deepEqual(memory.signed, [
    { id: NEW.id, signed: { hash: hex32(5), signer, signed: { signer: OWN, nonce: 5, serialized: '0x02' }, vouchers } },
  ]);
});

for (const [name, kind, setting, expected] of [
  ['of the most gas', 'deposit', { estimated: 400_000n }, 'started'],
  ['of too much gas', 'deposit', { estimated: 400_001n }, 'reverts'],
  ['of a claim that takes more', 'claim', { estimated: 400_001n }, 'started'],
  ['that reverts in an estimate', 'deposit', { estimated: new ExecutionRevertedError({}) }, 'reverts'],
  ['that reverts in a simulation', 'deposit', { simulated: false }, 'reverts'],
  ['without gas of the day', 'deposit', { reservation: 'refused' }, 'too_much_gas'],
] as const) {
  test.serial(`a transaction ${name}: ${expected}`, async (t) => {
    const { start, memory } = await open(setting);
    const stored: string[] = [];
    const beforeSigning = async () => void stored.push(name);
    t.is(await start({ beforeSigning }, { kind }), expected);
    t.deepEqual([stored.length, memory.signed.length], expected === 'started' ? [1, 1] : [0, 0]);
  });
}

test.serial('an estimate adds what signatures cost, and stores and counts nothing', async (t) => {
  const { accounts } = CALL;
  const data = encodeFunctionData({ abi: SETTLEMENT_ABI, functionName: 'MIN_WITHDRAW_DELAY' });
  const call = { data, from: PAY_TO, signatures: 2, claims: 1, accounts } as const;
  const gas = (await chain.rpc.estimateGas({ account: PAY_TO, to: SETTLEMENT, data })) + 23_500n;
  for (const [setting, expected] of [
    [{}, { gas, maxCostWei: 3n * ((gas * 13n) / 10n) }],
    [{ reservation: 'refused' }, 'too_much_gas'],
    [{ sendFails: new NotSentError('no') }, 'nothing was sent'],
  ] as const) {
    const { transactions, counted, memory } = await open(setting);
    t.deepEqual(await transactions.estimate(call).catch(({ message }) => message), expected);
    t.deepEqual([counted, memory.known.size], [[], 0]);
  }
  t.is(await (await open()).transactions.estimate({ ...call, data: '0x12' }), 'reverts');
});

for (const [name, setting, counted] of [
  ['cannot be estimated', { estimated: new Error('no answer') }, []],
  ['does not fit beside what is on its way', { reservation: 'full' }, [RESERVED]],
  ['cannot be stored', { signFails: true }, [RESERVED, RELEASED]],
  ['cannot be stored, with an earlier one on its way', { signFails: true, reservation: 'known' }, [RESERVED]],
  ['leaves its gas reserved', { signFails: true, releaseFails: true }, [RESERVED, RELEASED]],
  ['is refused before it is signed', { nonces: [], sendFails: new NotSentError('no') }, []],
] as const) {
  test.serial(`of a transaction that ${name}, nothing was sent`, async (t) => {
    const { start, counted: found } = await open(setting);
    const error = await t.throwsAsync(start(), { instanceOf: ServiceError, message: 'nothing was sent' });
    t.is(error.code, 'PAYMENT_UNAVAILABLE');
    t.false(error.cause instanceof NotSentError && error.cause.cause !== undefined, 'the fault itself is named');
    t.deepEqual(found, [...counted]);
  });
}

test.serial('what must be stored before a signature releases the gas where it fails', async (t) => {
  const { start, counted, memory } = await open();
  await t.throwsAsync(start({ beforeSigning: () => Promise.reject(new Error('no')) }), { instanceOf: ServiceError });
  t.deepEqual([counted.at(-1), memory.signed], [RELEASED, []]);
});

test.serial('a stored transaction is sent whatever the node answers, and reserves once for all nonces', async (t) => {
  for (const sendFails of [new Error('no answer'), new ExecutionRevertedError({})]) {
    t.is(await (await open({ sendFails })).start(), 'started');
  }
  const { start, counted } = await open({ nonces: [5, 5, 6] });
  t.is(await start(), 'started');
  t.deepEqual(counted, Array(3).fill(RESERVED));
});

test.serial('a transaction is followed under its lock until it has an ending', async (t) => {
  const { follow, put, memory, ends, locked, fates } = await open({ decision: REFUSED, endFails: 1 });
  put();
  t.is(await follow(), undefined, 'what comes before the ending failed');
  t.deepEqual([await follow(), memory.known.get(NEW.id)?.ending], [REFUSED, REFUSED]);
  t.deepEqual(ends, [...Array(2).fill('before deposit:1 undefined'), 'after deposit:1 refused']);
  t.deepEqual(locked, Array(2).fill('channel-transaction:deposit:1'));
  t.deepEqual(await follow(), REFUSED);
  t.is(fates.length, 2, 'an ending is not decided again');
});

test.serial('a transaction is asked for until the time has come, and a fault is not an ending', async (t) => {
  const { follow, put, fates } = await open();
  t.is(await follow(), undefined, 'it is not known');
  put();
  t.is(await follow(9), undefined);
  t.is(fates.length, 1);
  const faulty = await open({ decision: new Error('no answer') });
  faulty.put();
  t.is(await faulty.follow(0), undefined);
  const again = await open();
  again.put();
  const followed = again.follow(1000);
  await until(async () => again.fates.length >= 3);
  again.clock.ms = 1001;
  t.is(await followed, undefined);
});

const [ONCE, IN_VAIN] = [{}, { reverts: true }];
for (const [name, { mined, nonce = 0, later = CONFIRMATIONS - 1, isKnown = true, isSigned = true }, fate, isMined] of [
  ['not signed here', { mined: [], isSigned: false }, 'unsigned', false],
  ['with the next nonce', { mined: [] }, 'waiting', false],
  ['with a later nonce', { mined: [], nonce: 1 }, 'waiting', false],
  ['in the latest block', { mined: [ONCE], later: 0 }, 'waiting', true],
  ['in the first block that is not final', { mined: [ONCE], later: CONFIRMATIONS - 2 }, 'waiting', true],
  ['in a final block', { mined: [ONCE] }, 'mined', true],
  ['that was reverted in the latest block', { mined: [IN_VAIN], later: 0 }, 'waiting', false],
  ['that was reverted', { mined: [IN_VAIN] }, 'reverted', false],
  ['that was reverted, and mined as another version', { mined: [IN_VAIN, ONCE], nonce: 1 }, 'mined', true],
  ['that another one replaced', { mined: [ONCE], isKnown: false }, 'replaced', false],
] as const) {
  test.serial(`the fate of a transaction ${name} is ${fate}`, async (t) => {
    const saved: unknown[] = [];
    const { follow, put, mine, fates } = await open({ onMined: async () => void saved.push('saved') });
    const versions: Awaited<ReturnType<typeof mine>>[] = [];
    for (const [at, options] of mined.entries()) versions.push(await mine(at, options));
    if (later > 0) await chain.node.mine({ blocks: later });
    const known = isKnown ? versions : [];
    const signed = isSigned ? { nonce, serialized: '0x02' as const } : undefined;
    put({ transactions: [OWN, ...known.map(({ hash }) => hash), NEWER], signed });
    await follow();
    const gasUsed = known.reduce((sum, version) => sum + version.gasUsed, 0n);
    const { number } = await chain.latest();
    t.is(saved.length, isMined ? 1 : 0, 'a chain without it is not saved');
    t.like(fates[0], { fate, isMined, gasUsed, confirmed: { number: number - BigInt(CONFIRMATIONS) + 1n } });
  });
}

for (const [name, isLost, fate] of [
  ['still there', false, 'mined'],
  ['lost', true, 'waiting'],
] as const) {
  test.serial(`what is mined is saved, and then it is ${name}`, async (t) => {
    const before = await chain.node.snapshot();
    let saved = 0;
    const { follow, put, mine, fates, signer } = await open({
      decision: REFUSED,
      async onMined() {
        saved += 1;
        if (isLost) await chain.node.revert({ id: before });
      },
    });
    const { hash } = await mine(0);
    await finalize();
    put({ transactions: [hash] });
    t.deepEqual(await follow(), REFUSED);
    t.deepEqual([saved, fates.map((at) => at.fate)], [1, [fate]]);
    t.is(await chain.node.getTransactionCount({ address: signer }), isLost ? 0 : 1);
  });
}

test.serial('of a chain that has no final block, also after it was saved, nothing is decided', async (t) => {
  const young = await open({ decision: REFUSED, confirmations: 1_000_000 });
  young.put();
  t.deepEqual([await young.follow(), young.fates], [undefined, []]);
  const first = await chain.rpc.request({ method: 'eth_getBlockByNumber', params: ['0x0', false] });
  const { follow, put, mine, fates } = await open({
    decision: REFUSED,
    onMined: async () => chain.lie(({ method }) => (method === 'eth_getBlockByNumber' ? { result: first } : undefined)),
  });
  put({ transactions: [(await mine(0)).hash] });
  t.is(await follow(), undefined);
  t.deepEqual(fates, []);
});

test.serial('one that waits is sent again after those before it, and its fees are raised', async (t) => {
  const { memory, follow, put, hastened, mine, signed, signer } = await open();
  for (const nonce of [0, 1, 2]) await mine(nonce);
  await chain.node.setAutomine(false);
  t.teardown(() => chain.node.setAutomine(true));
  const sent = await Promise.all([2, 3, 4, 5].map((nonce) => signed(nonce)));
  for (const [i, nonce] of [3, 4, 2].entries()) {
    const serialized = defined(sent[nonce - 2]);
    memory.put({ ...signedOnce({ ...NEW, id: `claim:${i}`, kind: 'claim' }, OWN, { nonce, serialized }) });
  }
  const [, ...waiting] = sent;
  put({ transactions: [NEWER, OWN], signed: { nonce: 5, serialized: defined(waiting[2]) } });
  await follow();
  const sentAgain = () => chain.askedFor('eth_sendRawTransaction').map(([raw]) => raw);
  t.deepEqual(sentAgain(), waiting);
  t.deepEqual(hastened, [OWN]);
  t.deepEqual(memory.signed, [
    { id: NEW.id, signed: { hash: NEWER, signer, signed: { signer: OWN, nonce: 5, serialized: '0x03' } } },
  ]);
  await follow();
  t.deepEqual(sentAgain().slice(3), ['0x03'], 'the node has the others');
  await chain.node.mine({ blocks: 1 });
  for (const raw of waiting) await awaitReceipt(chain.node, keccak256(raw));
  t.is(await chain.node.getTransactionCount({ address: signer }), 6);
});

for (const [name, { isSigned = true, isMined = false, isFinal = false, hasHash = true }] of [
  ['in a block', { isMined: true }],
  ['that was not signed here', { isSigned: false }],
  ['without a hash', { hasHash: false }],
  ['that is mined', { isMined: true, isFinal: true }],
] as const satisfies readonly (readonly [string, Readonly<Record<string, boolean>>])[]) {
  test.serial(`a transaction ${name} is not sent again while it waits`, async (t) => {
    const { follow, put, mine, hastened, fates } = await open();
    const hash = isMined ? (await mine(0)).hash : OWN;
    if (isFinal) await finalize();
    put({ transactions: hasHash ? [hash] : [], ...(!isSigned && { signed: undefined }) });
    await follow();
    t.deepEqual([chain.askedFor('eth_sendRawTransaction'), hastened, fates.length], [[], [], 1]);
  });
}

const AGAIN = { decision: { ...CALL, state: 'again' }, nonces: [9] } as const;
for (const [name, ahead, expected] of [
  ['from its block', -2n, -2n],
  ['from an earlier block, after a reorganization', 5n, 0n],
] as const) {
  test.serial(`a transaction whose nonce another one took is signed again, and is searched ${name}`, async (t) => {
    const { follow, put, mine, memory, counted } = await open(AGAIN);
    await mine(0);
    await finalize();
    const { number } = await chain.latest();
    put({ fromBlock: number + ahead });
    t.is(await follow(), undefined);
    t.like(memory.known.get(NEW.id), { fromBlock: number + expected, signed: { nonce: 9 } });
    t.deepEqual(counted, [RESERVED], 'what was never mined counts for nobody');
  });
}

test.serial('what a transaction used is counted before it is sent again', async (t) => {
  const { follow, put, mine, counted } = await open(AGAIN);
  const { hash, gasUsed } = await mine(0, { reverts: true });
  await finalize();
  put({ transactions: [hash] });
  await follow();
  t.deepEqual(counted, [`end deposit:1 ${gasUsed} undefined`, RESERVED]);
});

for (const [fate, { isMined = false, reverts = false, changes = {} }, expected] of [
  ['mined', { isMined: true }, 'used false'],
  ['reverted', { isMined: true, reverts: true }, 'used undefined'],
  ['replaced', { isMined: true, changes: { transactions: [OWN] } }, '0 undefined'],
  ['waiting', {}, `${2n ** 62n} undefined`],
  ['unsigned', { changes: { signed: undefined, transactions: [] } }, undefined],
] as const) {
  test.serial(`the gas of a transaction that ends ${fate} is counted: ${expected ?? 'nothing'}`, async (t) => {
    const { follow, put, mine, fates, counted } = await open({ decision: REFUSED });
    const { hash, gasUsed } = isMined ? await mine(0, { reverts }) : { hash: OWN, gasUsed: 0n };
    await finalize();
    put({ transactions: [hash], ...changes });
    t.deepEqual(await follow(), REFUSED);
    t.is(fates[0]?.fate, fate);
    t.deepEqual(counted, expected === undefined ? [] : [`end deposit:1 ${expected.replace('used', `${gasUsed}`)}`]);
  });
}

test.serial('all open transactions are continued once, until the work is stopped', async (t) => {
  for (const decision of [REFUSED, new Error('no answer')]) {
    const { transactions, memory, fates } = await open({ decision });
    for (const id of ['claim:1', 'claim:2']) memory.put(signedOnce({ ...NEW, id, kind: 'claim' }, OWN));
    await transactions.followAll(AbortSignal.abort());
    t.is(fates.length, 0);
    await transactions.followAll(new AbortController().signal);
    t.is(fates.length, 2, 'a fault of one does not stop the others');
  }
});
