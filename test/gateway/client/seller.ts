import { Type } from 'typebox';
import { digestBody } from '../../../gateway/access/call/body-digest.ts';
import { createChallenger } from '../../../gateway/access/challenge/challenge.ts';
import { createOffer, type Offer } from '../../../gateway/access/offer/offer.ts';
import { htmlToMarkdown } from '../../../gateway/operations/html-to-markdown/operation.ts';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { fromBase64, toBase64 } from '../../kit/client.ts';
import { setAt } from '../../kit/set-at.ts';
import { answering, type Behaviour } from '../../kit/upstream-server.ts';
import { CHANNELS, SECRETS, TERMS } from '../access/offer/offer-fixture.ts';

/** Members are unsorted and beyond ASCII: both sides sign the canonical form. */
export const INPUT = { sourceUrl: 'https://example.com/\u{1f600}', html: '<p>é "quoted" \\ \u2028</p>' };
export const RESULT = { markdown: 'é' };
export const PRICE = htmlToMarkdown.priceMicroUsd;

/** A change of the decoded PAYMENT-REQUIRED: the path of a field and its new value. Undefined removes the field. */
export type Change = readonly [path: string, value: unknown];

const challenger = createChallenger({
  keys: [Buffer.alloc(32, 1)],
  deploymentId: 'test',
  chains: TERMS.chains,
  now: Date.now,
});
const readRecord = createReader(Type.Record(Type.String(), Type.Unknown()), 'the header');

export type Asked = (origin: URL) => Behaviour;

export const offerAt = (origin: URL): Offer =>
  createOffer({ operation: htmlToMarkdown, origin, terms: { ...TERMS, channels: CHANNELS }, secrets: SECRETS });

/** Answers with the product's 402 of a challenge, after changes. */
export const challenging =
  (...changes: readonly Change[]): Asked =>
  (origin) =>
  (response) => {
    const { uri, challenge } = offerAt(origin);
    const request = { uri, domain: origin.host, method: 'POST', bodyDigest: digestBody(INPUT) };
    const { header, body } = defined(challenge(JSON.stringify(challenger.issue(request))));
    const required = readRecord(fromBase64(header));
    for (const [path, value] of changes) setAt(required, path.split('.'), value);
    answering(body, 402, { 'payment-required': toBase64(required) })(response, response.req);
  };

/** Answers with the product's 402 of a denied trial. */
export const denying =
  (status: Parameters<Offer['denial']>[0], trialStatus: string = status): Asked =>
  (origin) => {
    const { header, body } = offerAt(origin).denial(status);
    return answering(body, 402, { 'payment-required': header, 'x-trial-status': trialStatus });
  };

export const failing =
  (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Asked =>
  () =>
    answering({ error: { code, message: 'no', requestId: 'r' } }, status, { 'x-request-id': 'r', ...headers });
