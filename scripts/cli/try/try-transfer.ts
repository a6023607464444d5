import { createWalletClient, type Hex, http, isAddress, parseAbi, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createTerms, SANDBOX_NETWORK } from '../../../services/payments/payment/terms.ts';
import { CommandError } from '../terminal/command.ts';
import { sayStep } from './steps.ts';

/** anvil's second development account, which the sandbox pays. Its key is public, and it holds no real money. */
const SELLER: Hex = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const ABI = parseAbi(['function transfer(address to, uint256 value) returns (bool)']);

/** Sends play money of the sandbox's seller, such as a refund. @throws {CommandError} outside the sandbox */
export async function tryTransfer(nodeUrl: string, to: string, amount: string): Promise<void> {
  if (!isAddress(to)) throw new CommandError(`${to} is not an address`, 2);
  if (!/^[1-9]\d{0,15}$/.test(amount)) throw new CommandError('the amount is a number of micro-USD', 2);
  const account = privateKeyToAccount(SELLER);
  const node = createWalletClient({ account, transport: http(nodeUrl) }).extend(publicActions);
  const { chainId, asset } = createTerms({ network: SANDBOX_NETWORK, payTo: account.address, sandbox: true });
  const found = await node.getChainId().catch(() => undefined);
  if (found !== chainId) throw new CommandError(`${nodeUrl} is not the sandbox's chain, which npm start names`);
  const call = { address: asset, abi: ABI, functionName: 'transfer', args: [to, BigInt(amount)] } as const;
  const transaction = await node.writeContract({ ...call, chain: null });
  const { status } = await node.waitForTransactionReceipt({ hash: transaction });
  if (status !== 'success') throw new CommandError(`transaction ${transaction} failed: the seller has too little`);
  sayStep("Sent from the seller's wallet", { from: account.address, to, amount: `${amount} micro-USD`, transaction });
}
