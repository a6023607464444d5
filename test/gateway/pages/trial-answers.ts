import { digestBody } from '../../../gateway/access/call/body-digest.ts';
import { createOffer } from '../../../gateway/access/offer/offer.ts';
import type { Operation } from '../../../gateway/operations/operation/operation.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { answering, type Behaviour } from '../../kit/upstream-server.ts';
import { openChallenger } from '../access/challenge/fixture.ts';
import { SECRETS, TERMS } from '../access/offer/offer-fixture.ts';

const { challenger } = openChallenger();

/** Headers of an answer whose accounting is confirmed. */
export const CHARGED = {
  'x-access-mode': 'trial',
  'x-trial-status': 'charged',
  'x-trial-accounting-status': 'confirmed',
};

/** Headers of answers whose accounting is not confirmed, each for one reason. */
export const UNCONFIRMED: readonly (readonly [reason: string, headers: Readonly<Record<string, string>>])[] = [
  ...Object.keys(CHARGED).flatMap((name) => [
    [`without ${name}`, Object.fromEntries(Object.entries(CHARGED).filter(([header]) => header !== name))] as const,
    [`with another ${name}`, { ...CHARGED, [name]: 'uncertain' }] as const,
  ]),
  ...['payment-response', 'x-payment-response'].map((name) => [`with ${name}`, { ...CHARGED, [name]: '' }] as const),
];

/** Answers as the product does to an unsigned call with the example of the operation. */
export const challenging =
  (operation: Operation): Behaviour =>
  (response, request) => {
    const origin = new URL(`http://${request.headers.host}`);
    const { uri, challenge } = createOffer({ operation, origin, terms: TERMS, secrets: SECRETS });
    const bodyDigest = digestBody(operation.requestExample);
    const info = challenger.issue({ uri, domain: origin.host, method: 'POST', bodyDigest });
    const { header, body } = defined(challenge(JSON.stringify(info)));
    answering(body, 402, { 'x-trial-status': 'challenge', 'payment-required': header })(response, request);
  };
