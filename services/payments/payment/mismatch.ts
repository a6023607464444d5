import type { Authorization } from './authorization.ts';
import { isHexAddress } from './hex.ts';
import { explain } from './reason.ts';
import type { Offer } from './terms.ts';

/** What a payer says that it accepted. Nothing of it is signed. */
interface Accepted {
  readonly [name: string]: unknown;
  readonly extra?: Readonly<Record<string, unknown>> | null;
}

/** Why a payment does not match what is offered now; undefined when it matches. */
export function findMismatch(accepted: Accepted, authorization: Authorization, offer: Offer): string | undefined {
  const { extra, ...members } = offer;
  const fault = findOther('accepted', accepted, members) ?? findOther('accepted.extra', accepted.extra ?? {}, extra);
  if (fault !== undefined) return explain('invalid_payment_requirements', fault);
  if (!isSame(authorization.to, offer.payTo)) {
    return explain('invalid_exact_evm_recipient_mismatch', `payload.authorization.to must be ${offer.payTo}`);
  }
  if (authorization.value !== BigInt(offer.amount)) {
    return explain(
      'invalid_exact_evm_payload_authorization_value_mismatch',
      `payload.authorization.value must be ${offer.amount}`,
    );
  }
  return undefined;
}

/** The first member that differs from what is offered. Members that were not offered are the payer's own. */
function findOther(
  path: string,
  accepted: Readonly<Record<string, unknown>>,
  offered: Readonly<Record<string, string | number>>,
): string | undefined {
  const other = Object.entries(offered).find(([name, value]) => !isSame(accepted[name], value));
  return other && `${path}.${other[0]} must be ${other[1]}`;
}

/** Addresses may differ in letter case. */
const isSame = (one: unknown, other: string | number): boolean =>
  one === other ||
  (typeof one === 'string' &&
    typeof other === 'string' &&
    isHexAddress(other) &&
    one.toLowerCase() === other.toLowerCase());
