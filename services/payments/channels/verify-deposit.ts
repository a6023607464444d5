import type { Hex } from 'viem';
import { recoverSigner } from '../../platform/ethereum/recover-address.ts';
import type { Rpc } from '../chain/nodes.ts';
import { balanceAt } from '../chain/token-calls.ts';
import type { ChannelContext } from './channel-context.ts';
import type { ChannelState } from './contract-reader.ts';
import type { DepositPayload } from './deposit-payload.ts';
import type { Reason } from './reasons.ts';
import { type DepositAuthorization, depositNonce } from './typed-data.ts';

/** A deposit whose authorization must stay valid for this long, so that its transaction can be mined. */
const LEAST_VALIDITY_S = 6n;
/** Longest validity: until then, the deposit can have no ending but its transaction. */
const MOST_VALIDITY_S = 3600n;

export const authorizationOf = ({
  config,
  amount,
  validAfter,
  validBefore,
  ...rest
}: DepositPayload): DepositAuthorization => ({
  payer: config.payer,
  amount,
  validAfter,
  validBefore,
  nonce: depositNonce(rest.voucher.channelId, rest.salt),
});

/** Checks what needs no chain. @returns why the deposit is refused */
export function checkDeposit(
  { terms, channelTerms, typedData }: Pick<ChannelContext, 'terms' | 'channelTerms' | 'typedData'>,
  payload: DepositPayload,
  nowMs: number,
): Reason | undefined {
  const { config, voucher, amount, validAfter, validBefore } = payload;
  const nowS = BigInt(Math.floor(nowMs / 1000));
  if (payload.scheme !== 'batch-settlement') return 'scheme';
  if (payload.network !== terms.network) return 'network_mismatch';
  if (typedData.channelIdOf(config) !== voucher.channelId) return 'channel_id_mismatch';
  if (config.receiver !== terms.payTo) return 'receiver_mismatch';
  if (config.receiverAuthorizer !== channelTerms.receiverAuthorizer) return 'receiver_authorizer_mismatch';
  if (config.token !== terms.asset) return 'token_mismatch';
  if (config.withdrawDelay !== channelTerms.withdrawDelaySeconds) return 'withdraw_delay_mismatch';
  if (amount < channelTerms.minDeposit) return 'deposit_below_min_deposit';
  if (validAfter > nowS) return 'payload_authorization_valid_after';
  if (validBefore < nowS + LEAST_VALIDITY_S || validBefore > nowS + MOST_VALIDITY_S)
    return 'payload_authorization_valid_before';
  const voucherDigest = typedData.voucherDigest(voucher.channelId, voucher.maxClaimableAmount);
  if (recoverSigner(voucherDigest, voucher.signature) !== config.payerAuthorizer) return 'voucher_signature';
  // The last check: the signature of a contract wallet can still be valid.
  const signer = recoverSigner(typedData.depositDigest(authorizationOf(payload)), payload.signature);
  return signer === config.payer ? undefined : 'receive_authorization_signature';
}

/** Checks the deposit against the contract and the payer's tokens. @returns why it is refused */
export async function checkFunds(
  rpc: Rpc,
  asset: Hex,
  { config, voucher, amount }: DepositPayload,
  { balance, totalClaimed, block }: ChannelState,
): Promise<Reason | undefined> {
  if ((await balanceAt({ rpc, asset, block }, config.payer)) < amount) return 'insufficient_balance';
  if (voucher.maxClaimableAmount > balance + amount) return 'cumulative_exceeds_balance';
  return voucher.maxClaimableAmount > totalClaimed ? undefined : 'cumulative_below_claimed';
}
