import type { ExecutionContext } from 'ava';
import { decodeFunctionData, parseAbi } from 'viem';
import { MULTICALL3_ADDRESS } from '../../../services/payments/chain/multicall.ts';
import { createWallet, type PaymentPayload, signPayment, type Wallet } from '../../kit/chain.ts';
import { until } from '../../kit/until.ts';
import { AMOUNT, expectCase, type Payments, present } from './harness.ts';
import { startOwnPayee } from './own-payee.ts';

const MULTICALL = parseAbi(['function aggregate3((address target, bool allowFailure, bytes callData)[] calls)']);

export interface Executed {
  readonly wallet: Wallet;
  readonly payment: PaymentPayload;
  readonly claimId: string;
}

export type BatchedPayments = Awaited<ReturnType<typeof startBatchedPayments>>;

/** An array with `count` times the same value. */
export const all = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

/** A payments service with its own payee, on a chain that can hold transactions back. */
export async function startBatchedPayments() {
  const stack = await startOwnPayee();
  const { node, balanceOf, mint } = stack.chain;

  const settle = async ({ claimId }: Executed, service: Payments = stack.service()) =>
    (await service.settle(claimId)).outcome;

  /** How many payments each waiting transaction has, in the order of their nonces. */
  async function waitingSizes(): Promise<number[]> {
    const { pending } = await node.getTxpoolContent();
    return Object.values(pending)
      .flatMap((byNonce) => Object.values(byNonce))
      .toSorted((one, other) => Number(one.nonce) - Number(other.nonce))
      .map(({ to, input }) =>
        to?.toLowerCase() === MULTICALL3_ADDRESS.toLowerCase()
          ? decodeFunctionData({ abi: MULTICALL, data: input }).args[0].length
          : 1,
      );
  }

  /** Mines what waits, and everything from now on. */
  async function release(): Promise<void> {
    await node.setAutomine(true);
    await node.mine({ blocks: 1 });
  }

  return {
    stack,
    /** Executes payments of new wallets. */
    async execute(count: number, service: Payments = stack.service()): Promise<Executed[]> {
      const executed: Executed[] = [];
      const validBefore = `${Math.floor(Date.now() / 1000) + 600}`;
      for (let index = 0; index < count; index += 1) {
        const wallet = createWallet();
        await mint(wallet.address, BigInt(AMOUNT));
        const payment = await signPayment(wallet, stack.offer, { validBefore });
        const begun = expectCase(await service.begin(present(payment, { operationTimeoutMs: 1000 })), 'execute');
        executed.push({ wallet, payment, claimId: begun.claimId });
      }
      return executed;
    },
    settle,
    settleAll: (executed: readonly Executed[], service?: Payments) =>
      Promise.all(executed.map((each) => settle(each, service))),
    allUnpaid: (executed: readonly Executed[]) => Promise.all(executed.map(({ wallet }) => balanceOf(wallet.address))),
    waitingSizes,
    untilWaiting: (count: number) =>
      until(async () => (await waitingSizes()).reduce((sum, size) => sum + size, 0) === count),
    async hold(t: ExecutionContext): Promise<void> {
      await node.setAutomine(false);
      t.teardown(release);
    },
    release,
    stop: () => stack.stop(),
  };
}
