import type { ExecutionContext } from 'ava';
import { decodeFunctionData, getAddress, type Hex, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createCalls } from '../../../../services/payments/chain/calls.ts';
import { MULTICALL3_ADDRESS } from '../../../../services/payments/chain/multicall.ts';
import { createRpc } from '../../../../services/payments/chain/nodes.ts';
import { createBatchSettlement, type Member } from '../../../../services/payments/facilitator/batch-settlement.ts';
import { createOwnSigner } from '../../../../services/payments/facilitator/own-signer.ts';
import { createVerifier } from '../../../../services/payments/facilitator/verification.ts';
import type { Lock } from '../../../../services/payments/payment/context.ts';
import { createPaymentReader } from '../../../../services/payments/payment/payment.ts';
import { createTerms, offerOf, SANDBOX_NETWORK } from '../../../../services/payments/payment/terms.ts';
import {
  createTransactionSender,
  type TransactionSender,
} from '../../../../services/payments/signer/transaction-sender.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { connectChain, createWallet, signPayment } from '../../../kit/chain.ts';
import { burningAfter } from '../burning-code.ts';
import { createMemoryTransactions } from '../memory-transactions.ts';
import { startGasBudgets } from '../test-gas-budget.ts';
import { placeContracts, startChain } from '../test-sandbox.ts';
import { type AccountKind, BY_KEY, createAccount } from '../wallet-accounts.ts';

/** Anvil's third development account. */
const SIGNER_KEY = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a';
export const SIGNER = privateKeyToAccount(SIGNER_KEY).address;
export const AMOUNT = 3000n;
const MULTICALL = parseAbi(['function aggregate3((address target, bool allowFailure, bytes callData)[] calls)']);

/** Code that uses up all gas. */
export const BURNING = '0xfe';

export type Settlers = Awaited<ReturnType<typeof startSettlers>>;

/** The payer of a member gets code while its transaction is written down. */
export const turning = ({ setCode }: Pick<Settlers, 'setCode'>, member: Member, bytecode: Hex): Member => ({
  ...member,
  note: async (transaction, signed) => {
    await setCode(member.payment.payer, bytecode);
    await member.note(transaction, signed);
  },
});

/** A lock of one process. */
function createLockOfOne(): Lock {
  let last: Promise<unknown> = Promise.resolve();
  return (_, work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

/** Starts a chain on which payments can be settled in batches. */
export async function startSettlers() {
  const terms = createTerms({ network: SANDBOX_NETWORK, payTo: createWallet().address, sandbox: true });
  const readPayment = createPaymentReader(terms);
  const [sandbox, budgets] = await Promise.all([startChain(), startGasBudgets()]);
  await placeContracts(sandbox.rpcUrl);
  const chain = connectChain(sandbox.rpcUrl, getAddress(terms.asset));
  const rpc = createRpc(sandbox.rpcUrl);
  const logger = createLogger({ name: 'test', level: 'silent' });
  const offer = offerOf(terms, `${AMOUNT}`);
  const setCode = (address: Hex, bytecode: Hex) => chain.node.setCode({ address, bytecode });

  /** Payments of one new wallet. */
  async function createMembers(count: number, funded = count, kind: AccountKind = BY_KEY) {
    const wallet = await createAccount(kind, setCode);
    await chain.mint(wallet.address, AMOUNT * BigInt(funded));
    const noted: string[][] = [];
    const members = await Promise.all(
      Array.from({ length: count }, async (_, index): Promise<Member> => {
        const read = readPayment(JSON.stringify(await signPayment(wallet, offer)), `${AMOUNT}`);
        if (!read.ok) throw new Error(read.reason);
        const own: string[] = [];
        noted[index] = own;
        return { payment: read.payment, note: async (transaction) => void own.push(transaction) };
      }),
    );
    return { members, noted, wallet, left: () => chain.balanceOf(wallet.address) };
  }

  /** Payments of one new wallet whose code says yes to everything. */
  async function createCoded(count: number) {
    const created = await createMembers(count);
    await setCode(created.wallet.address, burningAfter(10n ** 9n));
    return created;
  }

  /** Keeps transactions unmined until the returned function is called, or the test ends. */
  async function hold(t: ExecutionContext): Promise<() => Promise<void>> {
    const release = async () => {
      await chain.node.setAutomine(true);
      await chain.node.mine({ blocks: 1 });
    };
    await chain.node.setAutomine(false);
    t.teardown(release);
    return release;
  }

  /** Settles with a sender that may be changed, and counts the members of each transaction that was sent. */
  function createSettler(
    change: (sender: TransactionSender) => Partial<TransactionSender> = () => ({}),
    settleTimeoutMs = 10_000,
  ) {
    const { transactions } = createMemoryTransactions();
    const { versionsOf } = transactions;
    const real = createTransactionSender({
      rpc,
      chainId: terms.chainId,
      privateKey: SIGNER_KEY,
      maxFeePerGas: 10n ** 10n,
      replaceAfterMs: 1000,
      lock: createLockOfOne(),
      transactions,
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
    const sender = { ...counted, ...change(counted) };
    const calls = createCalls(rpc);
    const gasBudget = budgets.open();
    const now = Date.now;
    const settling = { rpc, terms, calls, sender, gasBudget, versionsOf, settleTimeoutMs, now, logger };
    const verifier = createVerifier(settling);
    const settleBatch = createBatchSettlement({ ...settling, verifier });
    const settle = (members: readonly Member[]) => Promise.all(settleBatch(members).reports);
    const settleTo = async (members: readonly Member[]) => (await settle(members)).map(({ kind }) => kind);
    const signer = createOwnSigner(settling);
    return { settle, settleTo, settleBatch, verifier, signer, gasBudget, sizes };
  }

  /** A settler that lets somebody act as soon as its first transaction is mined, before it looks for the receipt. */
  function createSettlerWith(act: () => Promise<unknown>) {
    const sent: Hex[] = [];
    const settler = createSettler((sender) => ({
      async send(request, note) {
        const hash = await sender.send(request, note);
        sent.push(hash);
        if (sent.length > 1) return hash;
        // The node answers before it mines.
        await chain.node.waitForTransactionReceipt({ hash, pollingInterval: 10 });
        await act();
        return hash;
      },
    }));
    const firstUsed = async () => (await chain.node.getTransactionReceipt({ hash: defined(sent[0]) })).gasUsed;
    return { ...settler, firstUsed };
  }

  const stop = async () => void (await Promise.all([sandbox.stop(), budgets.stop()]));
  return {
    chain,
    offer,
    setCode,
    createMembers,
    createCoded,
    hold,
    createSettler,
    createSettlerWith,
    openBudget: budgets.open,
    stop,
  };
}
