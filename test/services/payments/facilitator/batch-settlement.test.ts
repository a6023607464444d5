import test from 'ava';
import { decodeFunctionData, getAddress, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createCalls } from '../../../../services/payments/chain/calls.ts';
import { MULTICALL3_ADDRESS } from '../../../../services/payments/chain/multicall.ts';
import { createRpc } from '../../../../services/payments/chain/rpc.ts';
import { createBatchSettlement, type Member } from '../../../../services/payments/facilitator/batch-settlement.ts';
import { createVerifier } from '../../../../services/payments/facilitator/verification.ts';
import { createPaymentReader } from '../../../../services/payments/payment/payment.ts';
import { createTerms, offerOf, SANDBOX_NETWORK } from '../../../../services/payments/payment/terms.ts';
import {
  createTransactionSender,
  type TransactionSender,
} from '../../../../services/payments/signer/transaction-sender.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { connectChain, createWallet, signPayment } from '../../../helpers/chain.ts';
import { createMemoryReplacements } from '../memory-replacements.ts';
import { placeContracts, startSandbox } from '../test-sandbox.ts';

/** Anvil's third development account. */
const SIGNER_KEY = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a';
const SIGNER = privateKeyToAccount(SIGNER_KEY).address;
const AMOUNT = 3000n;
const terms = createTerms({ network: SANDBOX_NETWORK, payTo: createWallet().address, sandbox: true });
const readPayment = createPaymentReader(terms);
const MULTICALL = parseAbi(['function aggregate3((address target, bool allowFailure, bytes callData)[] calls)']);

const sandbox = await startSandbox();
await placeContracts(sandbox.rpcUrl);
const chain = connectChain(sandbox.rpcUrl, getAddress(terms.asset));
test.after.always(() => sandbox.stop());

/** Payments of one new wallet. */
async function createMembers(count: number, funded = count) {
  const wallet = createWallet();
  await chain.mint(wallet.address, AMOUNT * BigInt(funded));
  const noted: string[][] = [];
  const members = await Promise.all(
    Array.from({ length: count }, async (_, index): Promise<Member> => {
      const read = readPayment(JSON.stringify(await signPayment(wallet, offerOf(terms, `${AMOUNT}`))), `${AMOUNT}`);
      if (!read.ok) throw new Error(read.reason);
      const own: string[] = [];
      noted[index] = own;
      return { payment: read.payment, note: async (transaction) => void own.push(transaction) };
    }),
  );
  return { members, noted, wallet, left: () => chain.balanceOf(wallet.address) };
}

/** Settles with a sender that may be changed, and counts the members of each transaction that was sent. */
function createSettler(change: (sender: TransactionSender) => Partial<TransactionSender> = () => ({})) {
  const rpc = createRpc(sandbox.rpcUrl);
  const real = createTransactionSender({
    rpc,
    chainId: terms.chainId,
    privateKey: SIGNER_KEY,
    maxFeePerGas: 10n ** 10n,
    replaceAfterMs: 1000,
    lock: (_, work) => work(),
    replacements: createMemoryReplacements(),
    now: Date.now,
  });
  const sizes: number[] = [];
  const counted: TransactionSender = {
    ...real,
    async send(request, note) {
      const hash = await real.send(request, note);
      const isBatch = request.to === MULTICALL3_ADDRESS;
      sizes.push(isBatch ? decodeFunctionData({ abi: MULTICALL, data: request.data }).args[0].length : 1);
      return hash;
    },
  };
  const verifier = createVerifier({ calls: createCalls(rpc), terms, now: Date.now });
  const sender = { ...counted, ...change(counted) };
  return { settle: createBatchSettlement({ rpc, terms, sender, verifier, timeoutMs: 10_000 }), sizes };
}

test.serial('a hundred payments settle in one transaction, each with its own proof', async (t) => {
  const { members, noted, left } = await createMembers(100);
  const { settle, sizes } = createSettler();
  const reports = await settle(members);
  t.deepEqual(sizes, [100]);
  const [first] = defined(noted[0]);
  const isSettled = (report: (typeof reports)[number]) =>
    report.kind === 'settled' && report.transaction === first && report.proof?.transaction === first;
  t.true(reports.every(isSettled));
  t.true(noted.every((own) => own.length === 1 && own[0] === first));
  t.is(await left(), 0n);
});

test.serial('a member that reverts fails alone, with the reason of the token', async (t) => {
  const { members, left } = await createMembers(4, 3);
  const { settle, sizes } = createSettler();
  const reports = await settle(members);
  t.deepEqual(
    reports.map(({ kind }) => kind),
    ['settled', 'settled', 'settled', 'refused'],
  );
  t.like(reports[3], { reason: 'invalid_exact_evm_insufficient_balance' });
  t.deepEqual(sizes, [4], 'it is not sent again');
  t.is(await left(), 0n);
});

test.serial('a member that must not be sent is left out, and the others are sent without it', async (t) => {
  const { members, noted, left } = await createMembers(3);
  const forbidden: Member = { ...defined(members[1]), note: () => Promise.reject(new Error('the lease is lost')) };
  const { settle, sizes } = createSettler();
  const reports = await settle([defined(members[0]), forbidden, defined(members[2])]);
  t.deepEqual(
    reports.map(({ kind }) => kind),
    ['settled', 'unsent', 'settled'],
  );
  t.deepEqual(sizes, [2]);
  t.is(defined(noted[0]).at(-1), defined(noted[2]).at(-1));
  t.is(await left(), AMOUNT);
});

/** Gives a batch enough gas for the transaction itself, and too little for its calls. */
const starve = (sender: TransactionSender): Partial<TransactionSender> => ({
  send: (request, note) =>
    sender.send(request.to === MULTICALL3_ADDRESS ? { ...request, gas: 60_000n } : request, note),
});

test.serial('members of a batch without enough gas are sent alone, after the batch is mined', async (t) => {
  const { members, left } = await createMembers(3);
  const { settle, sizes } = createSettler(starve);
  const reports = await settle(members);
  t.true(reports.every(({ kind }) => kind === 'settled'));
  t.deepEqual(sizes, [3, 1, 1, 1]);
  t.is(await left(), 0n);
});

// The batch may come back after a reorganization, so nobody may say that nothing of the payment was sent.
test.serial('a member that was in a mined batch and cannot be sent alone is not reported as unsent', async (t) => {
  const { members, noted, left } = await createMembers(2);
  const { settle, sizes } = createSettler(starve);
  const [first, second] = [defined(members[0]), defined(members[1])];
  const late: Member = {
    ...second,
    note: async (transaction) => {
      if (sizes.length > 0) throw new Error('the lease is lost');
      await second.note(transaction);
    },
  };
  const [settled, unknown] = await settle([first, late]);
  t.is(settled?.kind, 'settled');
  t.deepEqual(unknown, { kind: 'unknown', transaction: defined(noted[1])[0] });
  t.deepEqual(sizes, [2, 1]);
  t.is(await left(), AMOUNT);
});

test.serial('a signer that cannot pay for a whole batch sends smaller ones', async (t) => {
  const { members, left } = await createMembers(8);
  const { settle, sizes } = createSettler();
  const balance = await chain.node.getBalance({ address: SIGNER });
  await chain.node.setBalance({ address: SIGNER, value: 10n ** 15n });
  t.teardown(() => chain.node.setBalance({ address: SIGNER, value: balance }));
  await chain.node.setNextBlockBaseFeePerGas({ baseFeePerGas: 10n ** 9n });
  await chain.node.mine({ blocks: 1 });
  const reports = await settle(members);
  t.true(reports.every(({ kind }) => kind === 'settled'));
  t.true(sizes.length > 1);
  t.is(
    sizes.reduce((sum, size) => sum + size),
    8,
  );
  t.is(await left(), 0n);
});
