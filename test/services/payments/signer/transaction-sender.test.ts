import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { type Hex, isAddressEqual, numberToHex, parseGwei, slice } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createRpc } from '../../../../services/payments/chain/nodes.ts';
import { hashOf } from '../../../../services/payments/signer/native-account.ts';
import {
  createTransactionSender,
  NotSentError,
  TooLittleEtherError,
} from '../../../../services/payments/signer/transaction-sender.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { portOf } from '../../../kit/port-of.ts';
import { type NodeCall, startWatchedChain } from '../channels/watched-chain.ts';
import { createMemoryTransactions } from '../memory-transactions.ts';

const chain = await startWatchedChain();
const { node } = chain;
/** Code that returns its caller, and code that reverts. */
const [TO, REVERTING] = [await chain.placeCode('0x335f5260205ff3'), await chain.placeCode('0x5f5ffd')];
/** What the node counts as a usual tip. */
const TIP = await chain.rpc.estimateMaxPriorityFeePerGas();
test.after.always(() => chain.stop());

const gwei = (value: number) => parseGwei(`${value}`);
const [BASE, MAX_FEE, REPLACE_MS] = [gwei(100), gwei(1000), 5000];
/** What a transaction offers. */
const FEE = (BASE * 12n) / 10n + TIP;
const MOST_GAS = 16_777_216n;
const RICH = 10n ** 21n;

/** Makes a block with a base fee, and what waits in it. */
async function setBaseFee(baseFeePerGas: bigint) {
  await node.setNextBlockBaseFeePerGas({ baseFeePerGas });
  await node.mine({ blocks: 1 });
}
/** Makes a block without what waits: anvil would drop what offers less. */
async function passBaseFee(baseFeePerGas: bigint) {
  await node.setBlockGasLimit({ gasLimit: 1000n });
  await setBaseFee(baseFeePerGas);
  await node.setBlockGasLimit({ gasLimit: 30_000_000n });
}
test.before(() => node.setAutomine(false));
test.beforeEach(async () => {
  chain.forget();
  await setBaseFee(BASE);
});

const REQUEST = { to: TO, data: '0x12', gas: 100_000n } as const;

interface Setting {
  readonly balance?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly url?: string;
}

/** A new signer. */
async function open({ balance = RICH, maxFeePerGas = MAX_FEE, url }: Setting = {}) {
  const privateKey = generatePrivateKey();
  const wallet = privateKeyToAccount(privateKey);
  const { address } = wallet;
  await node.setBalance({ address, value: balance });
  const { transactions, noted: stored } = createMemoryTransactions();
  const locked: string[] = [];
  const clock = { ms: 0 };
  const sender = createTransactionSender({
    rpc: url === undefined ? chain.rpc : createRpc(url),
    chainId: 31337,
    privateKey,
    maxFeePerGas,
    replaceAfterMs: REPLACE_MS,
    lock(name, work) {
      locked.push(name);
      return work();
    },
    transactions,
    now: () => clock.ms,
  });
  return {
    ...{ sender, address, transactions, locked, stored, clock },
    /** Sends a transaction with these fees, which waits. */
    async wait(maxFee: bigint, { tip = gwei(8), nonce = 0 } = {}): Promise<Hex> {
      const fees = { maxFeePerGas: maxFee, maxPriorityFeePerGas: tip };
      const serializedTransaction = await wallet.signTransaction({
        ...{ chainId: 31337, type: 'eip1559', nonce, ...REQUEST, ...fees },
      });
      return node.sendRawTransaction({ serializedTransaction });
    },
  };
}
const sent = (hash: Hex | undefined) => node.getTransaction({ hash: defined(hash) });
const timesAsked = (method: string) => chain.askedFor(method).length;
/** Lets the node answer a method with what is left of some answers. */
function answerFirst(wanted: string, answers: readonly object[], isAsked = (_params: NodeCall['params']) => true) {
  const left = [...answers];
  chain.lie(({ method, params }) => (method === wanted && isAsked(params) ? left.shift() : undefined));
}

test.serial('a transaction has the fees, nonce and key of its sender, and is noted before it is sent', async (t) => {
  const { sender, address, locked, stored } = await open();
  await node.setNonce({ address, nonce: 7 });
  t.is(sender.address, address);
  const noted: unknown[] = [];
  const hash = await sender.send(REQUEST, async (noteHash, { signer, nonce, serialized }) => {
    noted.push(noteHash, signer, nonce, hashOf(serialized));
    await t.throwsAsync(sent(noteHash), { message: /could not be found/ });
  });
  t.deepEqual(noted, [hash, address, 7, hash]);
  t.deepEqual(stored, []);
  const fees = { maxFeePerGas: FEE, maxPriorityFeePerGas: TIP };
  t.like(await sent(hash), { from: address.toLowerCase(), nonce: 7, input: '0x12', gas: 100_000n, ...fees });
  t.deepEqual(locked, [`signer:${address}`]);
});

test.serial('a transaction that something sent twice is sent', async (t) => {
  const { sender } = await open();
  chain.lie(async ({ method, params = [] }) => {
    if (method === 'eth_sendRawTransaction') await node.sendRawTransaction({ serializedTransaction: params[0] as Hex });
    return undefined;
  });
  t.like(await sent(await sender.send(REQUEST)), { blockNumber: null });
});

test.serial('a base fee up to the maximum is paid, and a higher one is not', async (t) => {
  const most = await open({ maxFeePerGas: BASE });
  t.like(await sent(await most.sender.send(REQUEST)), { maxFeePerGas: BASE, maxPriorityFeePerGas: TIP });
  const below = await open({ maxFeePerGas: BASE - 1n });
  for (const refused of [below.sender.send(REQUEST), below.sender.price(1n)]) {
    await t.throwsAsync(refused, { instanceOf: NotSentError, message: /base fee is above/ });
  }
  t.is(timesAsked('eth_sendRawTransaction'), 1);
});

test.serial('what its caller refuses, or is not signed, was not sent', async (t) => {
  const { sender } = await open();
  const cause = new Error('no');
  const refusal = sender.send(REQUEST, () => Promise.reject(cause));
  t.is((await t.throwsAsync(refusal, { instanceOf: NotSentError })).cause, cause);
  answerFirst('eth_getTransactionCount', [{ error: { code: -32_000, message: 'busy' } }]);
  await t.throwsAsync(sender.send(REQUEST), { instanceOf: NotSentError, message: 'nothing was sent' });
  t.is(timesAsked('eth_sendRawTransaction'), 0);
});

test.serial('a transaction that a node refuses was not sent, and is not tried again', async (t) => {
  const { sender } = await open({ balance: 1n });
  const message = 'the node refused the transaction';
  await t.throwsAsync(sender.send(REQUEST), { instanceOf: NotSentError, message });
  t.is(timesAsked('eth_sendRawTransaction'), 1);
});

test.serial('a transaction without an answer may have been sent', async (t) => {
  // It passes on what it gets, and answers no transaction.
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const answer = await fetch(chain.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const reply = await answer.text();
    if (body.includes('eth_sendRawTransaction')) response.destroy();
    else response.end(reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { sender, address } = await open({ url: `http://127.0.0.1:${portOf(server)}` });
  let hash: Hex | undefined;
  const failed = sender.send(REQUEST, async (signed) => {
    hash = signed;
  });
  t.false((await t.throwsAsync(failed)) instanceof NotSentError);
  t.true(isAddressEqual((await sent(hash)).from, address));
});

for (const [name, isMined, lies, tries] of [
  ['mined, three times', true, 3, 3],
  ['mined, until a node knows the next one', true, 2, 3],
  ['on its way, three times', false, 3, 3],
  ['on its way, until a node knows the next one', false, 1, 2],
] as const) {
  test.serial(`a nonce is tried whose transaction is ${name}`, async (t) => {
    const { sender, wait } = await open();
    await wait(gwei(900));
    if (isMined) await setBaseFee(BASE);
    answerFirst('eth_getTransactionCount', Array<object>(lies).fill({ result: '0x0' }));
    if (lies === 3) await t.throwsAsync(sender.send(REQUEST), { instanceOf: NotSentError });
    else t.is((await sent(await sender.send(REQUEST))).nonce, 1);
    t.is(timesAsked('eth_sendRawTransaction'), tries);
  });
}

test.serial('a nonce is tried again only after it was signed', async (t) => {
  const { sender, address } = await open();
  await node.setNonce({ address, nonce: 1 });
  answerFirst('eth_getTransactionCount', Array(3).fill({ result: '0x0' }));
  const asked: number[] = [];
  const failed = sender.send(REQUEST, async (_hash, { nonce }) => {
    asked.push(nonce);
    if (asked.length === 2) throw new Error('no');
  });
  await t.throwsAsync(failed, { instanceOf: NotSentError, message: 'nothing was sent' });
  t.deepEqual(asked, [0, 0]);
});

test.serial('a simulation and an estimate have the conditions of their transaction', async (t) => {
  const { sender, address } = await open();
  const simulated = await sender.simulate(REQUEST);
  if (!simulated.success) return t.fail(simulated.message);
  t.true(isAddressEqual(slice(simulated.data, 12), address), 'the contract is called by the signer');
  const fees = { maxFeePerGas: numberToHex(FEE), maxPriorityFeePerGas: numberToHex(TIP) };
  const [call, block] = chain.askedFor('eth_call')[0] ?? [];
  t.like(call, { ...REQUEST, gas: numberToHex(REQUEST.gas), from: address, ...fees });
  t.is(block, 'latest');
  t.true((await sender.estimateGas({ to: TO, data: '0x12' })) > 21_000n);
  const [estimated, at] = chain.askedFor('eth_estimateGas')[0] ?? [];
  t.like(estimated, { to: TO, data: '0x12', from: address, ...fees });
  t.is(at, 'latest');
});

test.serial('a simulation, and a price, need as much ether as the gas costs, to the wei', async (t) => {
  const exact = await open({ balance: REQUEST.gas * FEE });
  t.true((await exact.sender.simulate(REQUEST)).success);
  t.is(await exact.sender.price(REQUEST.gas), REQUEST.gas * FEE);
  const poor = await open({ balance: REQUEST.gas * FEE - 1n });
  for (const refused of [poor.sender.simulate(REQUEST), poor.sender.price(REQUEST.gas)]) {
    await t.throwsAsync(refused, { instanceOf: TooLittleEtherError, message: /too little ether/ });
  }
  t.is(timesAsked('eth_call'), 1);
});

const refusal = (message: string, code = -32_000) => ({ error: { code, message } });
const [REVERTED, SHORT] = [refusal('execution reverted', 3), refusal('gas required exceeds allowance (12)')];
for (const [name, to, balance, answers, isTooPoor, tries] of [
  ['a revert of one who can pay is a revert', REVERTING, MOST_GAS * FEE, [], false, 1],
  ['what reverts without fees too is a revert', REVERTING, MOST_GAS * FEE - 1n, [], false, 2],
  ['a revert of one who cannot pay says nothing', TO, MOST_GAS * FEE - 1n, [REVERTED], true, 2],
  ['too little gas of one who can pay is a fault', TO, MOST_GAS * FEE, [SHORT], false, 1],
  ['too little gas of one who cannot pay says nothing', TO, 21_000n * FEE, [], true, 2],
  ['a fault of the node is one', TO, 21_000n * FEE, [refusal('the node is busy')], false, 1],
] as const) {
  test.serial(`of an estimate, ${name}`, async (t) => {
    const { sender, address } = await open({ balance });
    answerFirst('eth_estimateGas', answers);
    const error = await t.throwsAsync(sender.estimateGas({ to, data: '0x12' }));
    t.is(error instanceof TooLittleEtherError, isTooPoor, String(error));
    const asked = chain.askedFor('eth_estimateGas');
    t.is(asked.length, tries);
    if (tries === 2) t.like(asked[1]?.[0], { to, from: address, maxFeePerGas: undefined });
  });
}

test.serial('a transaction below the base fee is replaced at once, and then its replacement', async (t) => {
  const { sender, address, transactions, locked, stored, wait } = await open();
  const first = await wait(gwei(200));
  await passBaseFee(gwei(400));
  const noted: Hex[] = [];
  const second = defined(await sender.hasten(first, async (replacement) => void noted.push(replacement)));
  t.deepEqual(noted, [second]);
  t.deepEqual(stored, [[second, 0, first]]);
  t.deepEqual(await transactions.versionsOf(first), [first, second]);
  const tip = (gwei(8) * 9n) / 8n + 1n;
  const request = { from: address.toLowerCase(), nonce: 0, to: TO.toLowerCase(), input: '0x12', gas: 100_000n };
  t.like(await sent(second), { ...request, maxFeePerGas: gwei(480) + TIP, maxPriorityFeePerGas: tip });
  t.deepEqual(locked, [`signer:${address}`]);
  await passBaseFee(gwei(500));
  const third = defined(await sender.hasten(first));
  t.deepEqual(await transactions.versionsOf(first), [first, second, third]);
  t.like(await sent(third), { ...request, maxFeePerGas: gwei(600) + TIP });
  t.is(await sender.hasten(first), undefined, 'it can be mined');
});

test.serial('a transaction that is not known, is mined or of another address is not replaced', async (t) => {
  const [{ sender, wait }, other] = [await open(), await open()];
  const mined = await wait(gwei(200));
  await setBaseFee(BASE);
  const others = await other.wait(gwei(200));
  await passBaseFee(gwei(400));
  for (const hash of [`0x${'1'.repeat(64)}`, mined, others] as const) t.is(await sender.hasten(hash), undefined);
  t.is(timesAsked('eth_sendRawTransaction'), 0);
  t.is(typeof (await other.sender.hasten(others)), 'string');
});

for (const [name, base, maxFee, isReplaced] of [
  ['up to the maximum', 880, 879, true],
  ['no eighth below the maximum', 950, 900, false],
  ['a base fee of the maximum', 1000, 800, true],
  ['a base fee above the maximum', 1001, 800, false],
] as const) {
  test.serial(`a fee is raised ${isReplaced ? '' : 'not '}with ${name}`, async (t) => {
    const { sender, wait } = await open();
    const hash = await wait(gwei(maxFee));
    await passBaseFee(gwei(base));
    const replacement = await sender.hasten(hash);
    t.is(timesAsked('eth_sendRawTransaction'), isReplaced ? 1 : 0);
    if (isReplaced) t.is((await sent(replacement)).maxFeePerGas, MAX_FEE);
    else t.is(replacement, undefined);
  });
}

test.serial('a transaction whose fee equals the base fee waits for its time', async (t) => {
  const { sender, wait, clock } = await open();
  const hash = await wait(BASE);
  t.is(await sender.hasten(hash), undefined);
  clock.ms = REPLACE_MS - 1;
  t.is(await sender.hasten(hash), undefined);
  clock.ms = REPLACE_MS;
  t.is(typeof (await sender.hasten(hash)), 'string');
});

test.serial('only the next transaction of an address is stuck', async (t) => {
  const { sender, wait, clock } = await open();
  const [next, later] = [await wait(gwei(200)), await wait(gwei(200), { nonce: 1 })];
  for (const hash of [next, later]) t.is(await sender.hasten(hash), undefined);
  clock.ms = REPLACE_MS;
  t.is(await sender.hasten(later), undefined);
  t.is(typeof (await sender.hasten(next)), 'string');
});

test.serial('a transaction that was mined once, and waits again, has waited for no time', async (t) => {
  const { sender, wait, clock } = await open();
  const hash = await wait(gwei(200));
  await sender.hasten(hash);
  const snapshot = await node.snapshot();
  await setBaseFee(BASE);
  clock.ms = REPLACE_MS;
  await sender.hasten(hash);
  await node.revert({ id: snapshot });
  t.is(await wait(gwei(200)), hash);
  t.is(await sender.hasten(hash), undefined);
  clock.ms += REPLACE_MS;
  t.is(typeof (await sender.hasten(hash)), 'string');
});

test.serial('a replacement that was noted and not sent hides no transaction that waits', async (t) => {
  const { sender, wait, clock, transactions } = await open();
  const hash = await wait(gwei(200));
  await sender.hasten(hash);
  clock.ms = REPLACE_MS;
  let noted = hash;
  const note = async (version: Hex) => {
    noted = version;
  };
  answerFirst('eth_sendRawTransaction', [{ error: { code: -32_005, message: 'limit exceeded' } }]);
  await t.throwsAsync(sender.hasten(hash, note), { instanceOf: NotSentError });
  t.not(noted, hash);
  const replacement = await sender.hasten(noted);
  t.like(await sent(replacement), { nonce: 0, blockNumber: null });
  const versions = await transactions.versionsOf(hash);
  t.deepEqual([versions.at(0), versions.at(-1)], [hash, replacement]);
});

test.serial('a transaction that a node refuses, because it does not know its type, is not sent', async (t) => {
  const { sender } = await open();
  answerFirst('eth_sendRawTransaction', [{ error: { code: -32_000, message: 'unknown transaction type' } }]);
  await t.throwsAsync(sender.send(REQUEST), { instanceOf: NotSentError });
});

test.serial('work that needs a quiet address waits until what was sent is mined', async (t) => {
  const { sender, address, locked } = await open();
  await node.setNonce({ address, nonce: 7 });
  answerFirst('eth_getTransactionCount', Array(2).fill({ result: '0x6' }), (params) => params?.[1] !== 'pending');
  t.is(await sender.whileQuiet(async () => timesAsked('eth_getTransactionCount')), 6);
  t.deepEqual(locked, [`signer:${address}`]);
});
