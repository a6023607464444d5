import { keccak256 } from '../../../services/platform/ethereum/keccak256.ts';

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

export interface ChannelHasher {
  /** The id of a channel: the EIP-712 digest of its configuration. 32 bytes, hexadecimal in lower case with 0x. */
  idOf(config: ChannelConfig): string;
  /** The EIP-712 digest that the payer's authorizer signs. */
  voucherDigest(channelId: string, cumulative: bigint): Uint8Array;
}

const DOMAIN_TYPE = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
const CONFIG_TYPE =
  'ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)';
const VOUCHER_TYPE = 'Voucher(bytes32 channelId,uint128 maxClaimableAmount)';
const DOMAIN_NAME = 'x402 Batch Settlement';
const DOMAIN_VERSION = '1';

const hashText = (text: string) => keccak256(Buffer.from(text));
const CONFIG_TYPE_HASH = Buffer.from(hashText(CONFIG_TYPE)).toString('hex');
const VOUCHER_TYPE_HASH = Buffer.from(hashText(VOUCHER_TYPE)).toString('hex');

const word = (digits: string) => digits.padStart(64, '0');
const hexWord = (hex: string) => word(hex.slice(2));
const numberWord = (value: bigint | number) => word(value.toString(16));

/** Hashes configurations and vouchers of the contract of one chain. viem takes 30 times as long. */
export function createChannelHasher(domain: { readonly chainId: bigint; readonly contract: string }): ChannelHasher {
  const separator = keccak256(
    Buffer.concat([
      hashText(DOMAIN_TYPE),
      hashText(DOMAIN_NAME),
      hashText(DOMAIN_VERSION),
      Buffer.from(numberWord(domain.chainId) + hexWord(domain.contract), 'hex'),
    ]),
  );
  const prefix = Buffer.concat([Buffer.from([0x19, 0x01]), separator]);
  const digestOf = (struct: string) => keccak256(Buffer.concat([prefix, keccak256(Buffer.from(struct, 'hex'))]));
  return {
    idOf(config) {
      const addresses = [
        config.payer,
        config.payerAuthorizer,
        config.receiver,
        config.receiverAuthorizer,
        config.token,
      ];
      const rest = numberWord(config.withdrawDelaySeconds) + hexWord(config.salt);
      const digest = digestOf(CONFIG_TYPE_HASH + addresses.map(hexWord).join('') + rest);
      return `0x${Buffer.from(digest).toString('hex')}`;
    },
    voucherDigest: (channelId, cumulative) => digestOf(VOUCHER_TYPE_HASH + hexWord(channelId) + numberWord(cumulative)),
  };
}
