import {
  BATCH_SETTLEMENT_ADDRESS,
  BATCH_SETTLEMENT_DOMAIN,
  claimBatchTypes,
  ERC3009_DEPOSIT_COLLECTOR_ADDRESS,
  refundTypes,
  voucherTypes,
} from '@x402/evm';
import { computeChannelId } from '@x402/evm/batch-settlement/client';
import {
  BaseError,
  type ContractFunctionArgs,
  type ContractFunctionName,
  createTestClient,
  decodeErrorResult,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  isHex,
  keccak256,
  parseEventLogs,
  publicActions,
  walletActions,
} from 'viem';
import { SETTLEMENT_ABI } from '../../../../services/payments/channels/settlement-abi.ts';
import { contractsWith } from '../../../../services/payments/sandbox/contracts.ts';
import { awaitReceipt, createNonce, createWallet, toChain, type Wallet } from '../../../kit/chain.ts';
import { startTestAnvil } from '../../../kit/servers.ts';
import { TOKEN_ABI } from './token-abi.ts';

export const CHANNEL_TOKEN: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const CHAIN_ID = 31337;
export const NO_ADDRESS: Hex = '0x0000000000000000000000000000000000000000';
/** One hour. */
export const DELAY_S = 3600;
/** What `openNew` deposits, and a part of it that tests claim. */
export const DEPOSIT = 1_000_000_000n;
export const CLAIM = 100_000_000n;
const FAR_FUTURE_S = 2n ** 40n;

export const DOMAIN = {
  ...BATCH_SETTLEMENT_DOMAIN,
  chainId: CHAIN_ID,
  verifyingContract: BATCH_SETTLEMENT_ADDRESS,
} as const;
const RECEIVE_TYPES = {
  ReceiveWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

export interface ChannelConfig {
  readonly payer: Hex;
  readonly payerAuthorizer: Hex;
  readonly receiver: Hex;
  readonly receiverAuthorizer: Hex;
  readonly token: Hex;
  readonly withdrawDelay: number;
  readonly salt: Hex;
}

/** A channel with the keys of all its parties. */
export interface Channel {
  readonly config: ChannelConfig;
  readonly id: Hex;
  readonly payer: Wallet;
  readonly payerAuthorizer: Wallet;
  readonly receiver: Wallet;
  readonly receiverAuthorizer: Wallet;
}

export interface ClaimRow {
  readonly voucher: { readonly channel: ChannelConfig; readonly maxClaimableAmount: bigint };
  readonly signature: Hex;
  readonly totalClaimed: bigint;
}

export function newChannel(changes: Partial<ChannelConfig> = {}): Channel {
  const [payer, payerAuthorizer] = [createWallet(), createWallet()];
  const [receiver, receiverAuthorizer] = [createWallet(), createWallet()];
  return withConfig({ payer, payerAuthorizer, receiver, receiverAuthorizer }, changes);
}

type Parties = Pick<Channel, 'payer' | 'payerAuthorizer' | 'receiver' | 'receiverAuthorizer'>;

/** Another channel of the same parties, or of parties with some addresses replaced. */
export function withConfig(parties: Parties, changes: Partial<ChannelConfig> = {}): Channel {
  const { payer, payerAuthorizer, receiver, receiverAuthorizer } = parties;
  const config = {
    payer: payer.address,
    payerAuthorizer: payerAuthorizer.address,
    receiver: receiver.address,
    receiverAuthorizer: receiverAuthorizer.address,
    token: CHANNEL_TOKEN,
    withdrawDelay: DELAY_S,
    salt: createNonce(),
    ...changes,
  };
  return { config, id: computeChannelId(config, CHAIN_ID), payer, payerAuthorizer, receiver, receiverAuthorizer };
}

export const signVoucher = (signer: Wallet, channelId: Hex, maxClaimableAmount: bigint): Promise<Hex> => {
  const message = { channelId, maxClaimableAmount };
  return signer.signTypedData({ domain: DOMAIN, types: voucherTypes, primaryType: 'Voucher', message });
};

export const signRefund = (signer: Wallet, channelId: Hex, nonce: bigint, amount: bigint): Promise<Hex> => {
  const message = { channelId, nonce, amount };
  return signer.signTypedData({ domain: DOMAIN, types: refundTypes, primaryType: 'Refund', message });
};

export const signClaims = (signer: Wallet, rows: readonly ClaimRow[]): Promise<Hex> => {
  const claims = rows.map(({ voucher: { channel, maxClaimableAmount }, totalClaimed }) => ({
    ...{ channelId: computeChannelId(channel, CHAIN_ID), maxClaimableAmount, totalClaimed },
  }));
  return signer.signTypedData({
    domain: DOMAIN,
    types: claimBatchTypes,
    primaryType: 'ClaimBatch',
    message: { claims },
  });
};

/** A claim of `totalClaimed` with a voucher for `max`. */
export async function claimRow(
  channel: Channel,
  totalClaimed: bigint,
  max = totalClaimed,
  signer = channel.payerAuthorizer,
): Promise<ClaimRow> {
  const signature = await signVoucher(signer, channel.id, max);
  return { voucher: { channel: channel.config, maxClaimableAmount: max }, signature, totalClaimed };
}

type Args<F extends ContractFunctionName<typeof SETTLEMENT_ABI, 'nonpayable'>> = ContractFunctionArgs<
  typeof SETTLEMENT_ABI,
  'nonpayable',
  F
>;
const abi = SETTLEMENT_ABI;

/** The data of calls to the contracts. */
export const calls = {
  deposit: (...args: Args<'deposit'>) => encodeFunctionData({ abi, functionName: 'deposit', args }),
  claim: (...args: Args<'claim'>) => encodeFunctionData({ abi, functionName: 'claim', args }),
  claimWithSignature: (...args: Args<'claimWithSignature'>) =>
    encodeFunctionData({ abi, functionName: 'claimWithSignature', args }),
  settle: (...args: Args<'settle'>) => encodeFunctionData({ abi, functionName: 'settle', args }),
  initiateWithdraw: (...args: Args<'initiateWithdraw'>) =>
    encodeFunctionData({ abi, functionName: 'initiateWithdraw', args }),
  finalizeWithdraw: (...args: Args<'finalizeWithdraw'>) =>
    encodeFunctionData({ abi, functionName: 'finalizeWithdraw', args }),
  refund: (...args: Args<'refund'>) => encodeFunctionData({ abi, functionName: 'refund', args }),
  refundWithSignature: (...args: Args<'refundWithSignature'>) =>
    encodeFunctionData({ abi, functionName: 'refundWithSignature', args }),
  multicall: (...args: Args<'multicall'>) => encodeFunctionData({ abi, functionName: 'multicall', args }),
  collect: (...args: Args<'collect'>) => encodeFunctionData({ abi, functionName: 'collect', args }),
};

interface DepositTerms {
  readonly amount: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly signer?: Wallet;
}

/** Authorizes a deposit for the EIP-3009 collector. @returns also the arguments with which anyone can send it */
export async function signDeposit(channel: Channel, { signer = channel.payer, ...deposit }: DepositTerms) {
  const { amount, validAfter, validBefore } = deposit;
  const salt = createNonce();
  const parts = [channel.id, hexToBigInt(salt)] as const;
  const nonce = keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], parts));
  const signature = await signer.signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId: CHAIN_ID, verifyingContract: CHANNEL_TOKEN },
    types: RECEIVE_TYPES,
    primaryType: 'ReceiveWithAuthorization',
    message: {
      from: channel.payer.address,
      to: ERC3009_DEPOSIT_COLLECTOR_ADDRESS,
      value: amount,
      validAfter,
      validBefore,
      nonce,
    },
  });
  const collectorData = encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }, { type: 'bytes' }],
    [validAfter, validBefore, hexToBigInt(salt), signature],
  );
  return { salt, nonce, signature, collectorData };
}

/** The data of a deposit that never expires. */
export async function encodeDeposit(channel: Channel, amount: bigint): Promise<Hex> {
  const { collectorData } = await signDeposit(channel, { amount, validAfter: 0n, validBefore: FAR_FUTURE_S });
  return calls.deposit(channel.config, amount, ERC3009_DEPOSIT_COLLECTOR_ADDRESS, collectorData);
}

export type ChannelChain = ReturnType<typeof connectChannels> & { readonly stop: () => Promise<void> };

/** Starts a chain with the contracts of the sandbox, without the services. */
export async function startChannelChain(): Promise<ChannelChain> {
  const anvil = await startTestAnvil();
  const chain = connectChannels(anvil.url);
  for (const contract of contractsWith(CHANNEL_TOKEN)) await chain.node.setCode(contract);
  return { ...chain, stop: anvil.stop };
}

/** Calls the settlement contract of a chain from any address. */
export function connectChannels(url: string) {
  const node = createTestClient({ mode: 'anvil', transport: toChain(url) })
    .extend(publicActions)
    .extend(walletActions);
  const settlement = { address: BATCH_SETTLEMENT_ADDRESS, abi: SETTLEMENT_ABI } as const;
  const token = { address: CHANNEL_TOKEN, abi: TOKEN_ABI } as const;

  /** Sends a transaction from any address, without its key. */
  async function sendTo(to: Hex, from: Hex, data: Hex) {
    await node.impersonateAccount({ address: from });
    await node.setBalance({ address: from, value: 10n ** 18n });
    const hash = await node.sendTransaction({ account: from, chain: null, to, data });
    return awaitReceipt(node, hash);
  }

  /** Sends a transaction to the contract. @returns its events */
  async function send(from: Hex, data: Hex) {
    const { status, logs } = await sendTo(BATCH_SETTLEMENT_ADDRESS, from, data);
    if (status !== 'success') throw new Error('the transaction was reverted');
    return parseEventLogs({ abi: SETTLEMENT_ABI, logs: logs.filter(isOfSettlement) }).map(({ eventName, args }) => ({
      eventName,
      args,
    }));
  }

  return {
    url,
    node,
    settlement,
    token,
    send,
    /** @returns the name and arguments of the error that a call would be reverted with */
    async errorOf(from: Hex, data: Hex, to: Hex = BATCH_SETTLEMENT_ADDRESS) {
      const reason = await node.call({ account: from, to, data }).then(
        () => undefined,
        (error: unknown) => revertDataOf(error),
      );
      return reason === undefined ? undefined : decodeErrorResult({ abi: SETTLEMENT_ABI, data: reason }).errorName;
    },
    mint: (to: Hex, value: bigint) =>
      sendTo(CHANNEL_TOKEN, to, encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [to, value] })),
    balanceOf: (account: Hex) => node.readContract({ ...token, functionName: 'balanceOf', args: [account] }),
    /** Gives the payer tokens and deposits them. */
    async open(channel: Channel, amount: bigint) {
      await this.mint(channel.payer.address, amount);
      return send(channel.receiver.address, await encodeDeposit(channel, amount));
    },
    /** Opens a channel of new parties. */
    async openNew(changes: Partial<ChannelConfig> = {}) {
      const channel = newChannel(changes);
      await this.open(channel, DEPOSIT);
      return channel;
    },
    /** Claims as the receiver's authorizer. */
    async claim(channel: Channel, totalClaimed: bigint) {
      return send(channel.config.receiverAuthorizer, calls.claim([await claimRow(channel, totalClaimed)]));
    },
    /** Gives a new address the code of a contract. */
    async placeCode(bytecode: Hex) {
      const { address } = createWallet();
      await node.setCode({ address, bytecode });
      return address;
    },
    async stateOf({ id }: Pick<Channel, 'id'>) {
      const [[balance, totalClaimed], [amount, initiatedAt], refundNonce] = await Promise.all([
        node.readContract({ ...settlement, functionName: 'channels', args: [id] }),
        node.readContract({ ...settlement, functionName: 'pendingWithdrawals', args: [id] }),
        node.readContract({ ...settlement, functionName: 'refundNonce', args: [id] }),
      ]);
      return { balance, totalClaimed, withdrawal: { amount, initiatedAt }, refundNonce };
    },
    async totalsOf(receiver: Hex) {
      const args = [receiver, CHANNEL_TOKEN] as const;
      const [totalClaimed, totalSettled] = await node.readContract({ ...settlement, functionName: 'receivers', args });
      return { totalClaimed, totalSettled };
    },
    async passSeconds(seconds: number) {
      await node.increaseTime({ seconds });
      await node.mine({ blocks: 1 });
    },
  };
}

const isOfSettlement = ({ address }: { readonly address: Hex }) =>
  address.toLowerCase() === BATCH_SETTLEMENT_ADDRESS.toLowerCase();

/** The data of a revert in any error of viem. */
function revertDataOf(error: unknown): Hex {
  if (!(error instanceof BaseError)) throw error;
  const cause: unknown = error.walk((each) => each instanceof Error && 'data' in each && isHex(each.data));
  if (cause instanceof Error && 'data' in cause && isHex(cause.data)) return cause.data;
  throw error;
}
