import type { Hex } from 'viem';
import { hexWord, numberWord } from '../../platform/ethereum/abi-words.ts';
import { createStructHasher, typeWord } from '../../platform/ethereum/typed-data.ts';

/** The EIP-712 type `ChannelConfig`. Addresses and the salt are in lower case. */
export interface ChannelConfig {
  readonly payer: string;
  /** The account that signs vouchers. */
  readonly payerAuthorizer: string;
  readonly receiver: string;
  readonly receiverAuthorizer: string;
  readonly token: string;
  readonly withdrawDelaySeconds: number;
  /** 32 bytes, hexadecimal with 0x. */
  readonly salt: string;
}

export type ChannelHasher = ReturnType<typeof createChannelHasher>;

const CONFIG_TYPE =
  'ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)';
const VOUCHER_TYPE = 'Voucher(bytes32 channelId,uint128 maxClaimableAmount)';
export const DOMAIN_NAME = 'x402 Batch Settlement';
export const DOMAIN_VERSION = '1';

const CONFIG_WORD = typeWord(CONFIG_TYPE);
const VOUCHER_WORD = typeWord(VOUCHER_TYPE);

/** Hashes configurations and vouchers of the contract of one chain. */
export function createChannelHasher(domain: { readonly chainId: bigint | number; readonly contract: string }) {
  const digestOf = createStructHasher({ name: DOMAIN_NAME, version: DOMAIN_VERSION, ...domain });
  return {
    /** The id of a channel: the EIP-712 digest of its configuration. 32 bytes, hexadecimal in lower case with 0x. */
    idOf(config: ChannelConfig): Hex {
      const addresses = [
        config.payer,
        config.payerAuthorizer,
        config.receiver,
        config.receiverAuthorizer,
        config.token,
      ];
      const rest = numberWord(config.withdrawDelaySeconds) + hexWord(config.salt);
      const digest = digestOf(CONFIG_WORD + addresses.map(hexWord).join('') + rest);
      return `0x${Buffer.from(digest).toString('hex')}`;
    },
    /** The EIP-712 digest that the payer's authorizer signs. */
    voucherDigest: (channelId: string, cumulative: bigint): Uint8Array =>
      digestOf(VOUCHER_WORD + hexWord(channelId) + numberWord(cumulative)),
  };
}
