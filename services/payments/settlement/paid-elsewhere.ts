import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import { FacilitatorError } from '../facilitator/facilitator.ts';
import type { Payment } from '../payment/payment.ts';
import type { SettlingContext } from './settling-context.ts';

/** A used authorization is public, so anyone can send it again and again. A search for it takes a dozen requests. */
const KEPT_MS = 60_000;
const MAX_KEPT = 10_000;

const unreachable = (cause: unknown) => new FacilitatorError('the node cannot be reached', { cause });

/** @throws {FacilitatorError} if the node does not answer */
export const reach = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
  answer.catch((cause: unknown) => {
    throw unreachable(cause);
  });

/**
 * Creates the function that says whether a payment without a claim may have paid us. Without a chain, that cannot be known. What a
 * used authorization was used for is remembered for a minute.
 * @param isUsed whether a node showed that the authorization is used
 * @throws {FacilitatorError} if the node does not answer, or another one lacks the use
 */
export function createPaidElsewhere({ chain, now, logger }: Pick<SettlingContext, 'chain' | 'now' | 'logger'>) {
  const log = createRepeatedErrorLog({ logger, message: 'a payment was settled on the chain, and it has no claim' });
  const known = new Map<string, { readonly isOurs: boolean; readonly atMs: number }>();
  return async ({ payer, authorization: { nonce, value } }: Payment, isUsed = false): Promise<boolean> => {
    if (chain === undefined) return false;
    // Anybody can make up a payment with the nonce of another one. Its amount decides whether it was used for us.
    const key = `${payer}:${nonce}:${value}`.toLowerCase();
    const before = known.get(key);
    if (before !== undefined && now() - before.atMs < KEPT_MS) return before.isOurs;
    const use = await reach(chain.useOf({ payer, nonce, amount: value }));
    if (use === 'nothing' && isUsed) throw unreachable(new Error('a node lacks the use that another one showed'));
    if (use === 'nothing') return false;
    const isOurs = use === 'perhaps_us';
    if (known.size >= MAX_KEPT) known.clear();
    known.set(key, { isOurs, atMs: now() });
    if (isOurs) log(new Error('it is told that it was used'));
    return isOurs;
  };
}
