import { TRANSFER_TYPES } from '../../services/payments/contract/transfer-types.ts';
import { hexWord, numberWord } from '../../services/platform/ethereum/abi-words.ts';
import type { Hex, Signer } from './connection.ts';
import { keccak256 } from './keccak256.ts';
import { chainIdOf, isAddress, type Offer, random32, signData, tokenDomain, validBeforeOf } from './payment.ts';
import { membersOf, toHex } from './values.ts';

/** What identifies a channel. A withdrawal, which a transaction of the wallet makes, needs it too. */
export interface ChannelConfig {
  readonly payer: Hex;
  readonly payerAuthorizer: Hex;
  readonly receiver: Hex;
  readonly receiverAuthorizer: Hex;
  readonly token: Hex;
  /** Seconds. */
  readonly withdrawDelay: number;
  readonly salt: Hex;
}

export interface Voucher {
  readonly channelId: string;
  readonly maxClaimableAmount: string;
  readonly signature: string;
}

/** The contracts of the scheme have the same addresses on every chain. */
const SETTLEMENT: Hex = '0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003';
const COLLECTOR: Hex = '0x4020806089470a89826cB9fB1f4059150b550004';
const NAME = 'x402 Batch Settlement';
const VERSION = '1';
const DOMAIN_TYPE = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
const CONFIG_TYPE =
  'ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)';
const VOUCHER_TYPES = {
  Voucher: [
    { name: 'channelId', type: 'bytes32' },
    { name: 'maxClaimableAmount', type: 'uint128' },
  ],
};
/** With the fields of a transfer (EIP-3009). */
const RECEIVE_TYPES = { ReceiveWithAuthorization: TRANSFER_TYPES.TransferWithAuthorization };
/** The bounds of the contract. */
const MIN_WITHDRAW_DELAY_S = 900;
const MAX_WITHDRAW_DELAY_S = 2_592_000;

const hashText = (text: string): string => toHex(keccak256(new TextEncoder().encode(text)));
const hashWords = (digits: string): string =>
  toHex(keccak256(Uint8Array.from({ length: digits.length / 2 }, (_, index) => byteAt(digits, index))));
const byteAt = (digits: string, index: number): number => Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16);

/** The channel of a wallet on the terms of an offer. Undefined if the contract would not accept them. */
export function configOf({ payTo, asset, accepted }: Offer, payer: Hex, salt: Hex): ChannelConfig | undefined {
  const { receiverAuthorizer, withdrawDelay } = membersOf(accepted['extra']);
  if (!isAddress(receiverAuthorizer) || typeof withdrawDelay !== 'number' || !Number.isInteger(withdrawDelay))
    return undefined;
  if (withdrawDelay < MIN_WITHDRAW_DELAY_S || withdrawDelay > MAX_WITHDRAW_DELAY_S) return undefined;
  return { payer, payerAuthorizer: payer, receiver: payTo, receiverAuthorizer, token: asset, withdrawDelay, salt };
}

/** The hash of the configuration (EIP-712), bound to chain and contract. In lower case. */
export function channelIdOf(config: ChannelConfig, network: string): Hex {
  const { payer, payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay, salt } = config;
  const contract = numberWord(chainIdOf(network)) + hexWord(SETTLEMENT);
  const domain = hashWords([DOMAIN_TYPE, NAME, VERSION].map(hashText).join('') + contract);
  const addresses = [payer, payerAuthorizer, receiver, receiverAuthorizer, token].map(hexWord).join('');
  const struct = hashWords(hashText(CONFIG_TYPE) + addresses + numberWord(withdrawDelay) + hexWord(salt));
  return `0x${hashWords(`1901${domain}${struct}`)}`;
}

/** Signs for the sum of all charges of a channel. @throws the error of the wallet */
export async function signVoucher(signer: Signer, network: string, channelId: Hex, sum: bigint): Promise<Voucher> {
  const domain = { name: NAME, version: VERSION, chainId: chainIdOf(network), verifyingContract: SETTLEMENT };
  const message = { channelId, maxClaimableAmount: sum };
  const signature = await signData(signer, { domain, types: VOUCHER_TYPES, primaryType: 'Voucher', message });
  return { channelId, maxClaimableAmount: `${sum}`, signature };
}

/** Signs a deposit into a channel. Its nonce binds it to that channel. @throws the error of the wallet */
export async function signDeposit(signer: Signer, offer: Offer, channelId: Hex, amount: bigint): Promise<object> {
  const salt = random32();
  const validBefore = validBeforeOf(offer);
  const signature = await signData(signer, {
    domain: tokenDomain(offer),
    types: RECEIVE_TYPES,
    primaryType: 'ReceiveWithAuthorization',
    message: {
      from: signer.address,
      to: COLLECTOR,
      value: amount,
      validAfter: 0n,
      validBefore: BigInt(validBefore),
      nonce: `0x${hashWords(hexWord(channelId) + hexWord(salt))}`,
    },
  });
  const erc3009Authorization = { validAfter: '0', validBefore: `${validBefore}`, salt, signature };
  return { amount: `${amount}`, authorization: { erc3009Authorization } };
}
