import test from 'ava';
import { parseGwei } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { RefusalCode, SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { CallError } from '../../../services/platform/grpc/grpc-client.ts';
import { connectChain, createWallet, signPayment } from '../../kit/chain.ts';
import { until } from '../../kit/until.ts';
import { AMOUNT, expectCase, offerOf, present, refusalOf, startPayments } from './harness.ts';
import { placeContracts, SANDBOX_ASSET, startSandbox } from './test-sandbox.ts';

/** Anvil's third development account. */
const SIGNER_KEY = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a';

const payTo = createWallet().address;
const sandbox = await startSandbox();
await placeContracts(sandbox.rpcUrl);
const wallet = createWallet();
const chain = connectChain(sandbox.rpcUrl, SANDBOX_ASSET);
await chain.mint(wallet.address, 10_000_000n);
const env = {
  DATABASE_URL: sandbox.databaseUrl,
  X402_SIGNER_KEY: SIGNER_KEY,
  X402_RPC_URL: sandbox.rpcUrl,
  X402_PAY_TO: payTo,
  X402_NETWORK: 'eip155:31337',
  X402_MAX_FEE_GWEI: '10',
  X402_REPLACE_AFTER_MS: '1000',
};
const service = await startPayments({ env });
const offer = offerOf(await service.terms());
test.after.always(async () => {
  await service.stop();
  await sandbox.stop();
});

async function executed() {
  const payment = await signPayment(wallet, offer, { validBefore: `${Math.floor(Date.now() / 1000) + 600}` });
  const { claimId } = expectCase(await service.begin(present(payment)), 'execute');
  const before = await chain.balanceOf(payTo);
  return {
    settle: () => service.settle(claimId),
    paid: async () => (await chain.balanceOf(payTo)) - before,
  };
}

test.serial('a validAfter that the latest block has not reached is named, with what would pass', async (t) => {
  const payment = await signPayment(wallet, offer, { validAfter: `${Math.floor(Date.now() / 1000)}` });
  const { reason } = expectCase(await service.begin(present(payment)), 'refuse');
  t.regex(reason, /^invalid_exact_evm_payload_authorization_valid_after: validAfter must be earlier than the latest/);
});

/** The fee of the signer's only waiting transaction, in wei per gas. */
async function waitingFee(): Promise<bigint | undefined> {
  const { pending } = await chain.node.getTxpoolContent();
  const [transaction] = Object.values(pending).flatMap((byNonce) => Object.values(byNonce));
  return transaction?.maxFeePerGas === undefined ? undefined : BigInt(transaction.maxFeePerGas);
}

async function mineAt(baseFee: string): Promise<void> {
  await chain.node.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei(baseFee) });
  await chain.node.mine({ blocks: 1 });
}

/** Mines a block at this base fee without the waiting transactions: anvil would drop one with a lower fee. */
async function passBlockAt(baseFee: string): Promise<void> {
  await chain.node.setBlockGasLimit({ gasLimit: 1000n });
  await mineAt(baseFee);
  await chain.node.setBlockGasLimit({ gasLimit: 30_000_000n });
}

test.serial('a settlement whose fee is below the base fee is sent again with a higher fee', async (t) => {
  const { settle, paid } = await executed();
  t.teardown(() => chain.node.setAutomine(true));
  await chain.node.setAutomine(false);
  const settling = settle();
  await until(async () => (await waitingFee()) !== undefined);
  await passBlockAt('7');
  await until(async () => ((await waitingFee()) ?? 0n) >= parseGwei('7'));
  await mineAt('7');
  t.is((await settling).outcome, SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED);
  t.is(await paid(), BigInt(AMOUNT));
});

test.serial('a signer without gas executes no payment, and recovers when it is funded', async (t) => {
  await mineAt('1');
  const { settle, paid } = await executed();
  const { address } = privateKeyToAccount(SIGNER_KEY);
  const begin = async () => service.begin(present(await signPayment(wallet, offer)));
  const balance = await chain.node.getBalance({ address });
  // Enough for a settlement, and too little for the reserve of twenty.
  await chain.node.setBalance({ address, value: 2n * 10n ** 15n });
  let refusal: CallError | undefined;
  const isRefused = () =>
    begin().then(
      () => false,
      (error: CallError) => {
        refusal = error;
        return true;
      },
    );
  await until(isRefused);
  t.is(refusal?.code, 'PAYMENT_UNAVAILABLE');
  const found = `the signer ${address} has 2000000 gwei, and 20 settlements and claims of 0 channels cost up to`;
  t.true(refusal?.message.includes(found), refusal?.message);
  t.is((await settle()).outcome, SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED, 'an executed payment is settled');
  t.is(await paid(), BigInt(AMOUNT));
  await chain.node.setBalance({ address, value: balance });
  await until(async () => !(await isRefused()));
});

test.serial('while the node is away, payments are refused, and the log says so once without a payment', async (t) => {
  const MESSAGE = '"msg":"facilitator failure"';
  const signed = await Promise.all([1, 2, 3].map(() => signPayment(wallet, offer)));
  await sandbox.killChain();
  for (const payment of signed) {
    t.is(refusalOf(await service.begin(present(payment))), RefusalCode.REFUSAL_CODE_FACILITATOR_FAILURE);
  }
  await until(() => service.log().includes(MESSAGE));
  t.is(service.log().split(MESSAGE).length, 2);
  for (const { payload } of signed) t.false(service.log().includes(payload.signature.slice(2, 66)));
});
