import { decodePaymentRequiredHeader } from '@x402/core/http';
import { parsePaymentRequired } from '@x402/core/schemas';
import { extractDiscoveryInfo, validateDiscoveryExtensionSpec } from '@x402/extensions/bazaar';
import { appendPaymentIdentifierToExtensions, validatePaymentIdentifier } from '@x402/extensions/payment-identifier';
import test from 'ava';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { createOffer, type Offer } from '../../../../gateway/access/offer/offer.ts';
import { MAX_REQUIRED_CHARACTERS } from '../../../../gateway/access/offer/payment-required.ts';
import { toPaymentReply } from '../../../../gateway/access/payment/payment-outcome.ts';
import { geocode } from '../../../../gateway/operations/geocode/operation.ts';
import { htmlToMarkdown } from '../../../../gateway/operations/html-to-markdown/operation.ts';
import { operations } from '../../../../gateway/operations/index.ts';
import type { Operation } from '../../../../gateway/operations/operation/operation.ts';
import { createReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { MAX_MICRO_USD } from '../../../../services/ledger/contract/channels.ts';
import { isRecord } from '../../../../services/platform/is-record.ts';
import { ConfigurationError } from '../../../../services/platform/process/environment.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { openChallenger } from '../challenge/fixture.ts';
import { PAYMENTS } from './largest-answers.ts';
import { CHANNELS, SECRETS, TERMS } from './offer-fixture.ts';

const ORIGIN = new URL('https://payments-and-trials.api.example-of-a-long-name.com');
const open = (operation: Operation) =>
  createOffer({ operation, origin: ORIGIN, terms: { ...TERMS, channels: CHANNELS }, secrets: SECRETS });

function challengeOf({ uri, challenge }: Offer): string {
  const request = { uri, domain: ORIGIN.host, method: 'POST', bodyDigest: 'a'.repeat(64) };
  return defined(challenge(JSON.stringify(openChallenger().challenger.issue(request)))).header;
}

for (const operation of operations) {
  const offer = open(operation);

  test(`channels are offered after the exact payment, with the same secret: ${operation.name}`, (t) => {
    for (const header of [challengeOf(offer), offer.probe(false).header, offer.payment('no').header]) {
      const [exact, channel, ...others] = decodePaymentRequiredHeader(header).accepts;
      const offerSecret = exact?.extra['offerSecret'];
      t.truthy(SECRETS.hashOf(offerSecret));
      const common = {
        network: TERMS.network,
        amount: String(operation.priceMicroUsd),
        asset: TERMS.asset,
        payTo: TERMS.payTo,
        maxTimeoutSeconds: 180,
      };
      const extra = { name: 'USD Coin', version: '2', offerSecret };
      const ofChannel = {
        receiverAuthorizer: CHANNELS.receiverAuthorizer,
        withdrawDelay: 2_592_000,
        minDeposit: '1000000',
      };
      const [exactEntry, channelEntry]: readonly unknown[] = [exact, channel];
      t.deepEqual(exactEntry, { scheme: 'exact', ...common, extra });
      t.deepEqual(channelEntry, { scheme: 'batch-settlement', ...common, extra: { ...extra, ...ofChannel } });
      t.deepEqual(others, []);
    }
  });

  test(`the official readers accept every 402, and a catalog finds the operation: ${operation.name}`, (t) => {
    const headers = [challengeOf(offer), offer.probe(true).header, offer.denial('unavailable').header];
    for (const header of headers) {
      const required = decodePaymentRequiredHeader(header);
      t.true(parsePaymentRequired(required).success);
      const { bazaar, ...extensions } = defined(required.extensions);
      t.true(isRecord(bazaar) && validateDiscoveryExtensionSpec(bazaar).valid);
      appendPaymentIdentifierToExtensions(extensions, 'a-payment-of-mine');
      t.true(validatePaymentIdentifier(extensions['payment-identifier']).valid);
      // What a facilitator reads in a payment, whose extensions are those of the offer.
      const payment = { ...required, accepted: defined(required.accepts[0]), payload: {} };
      t.like(extractDiscoveryInfo(payment, payment.accepted), { resourceUrl: offer.uri, method: 'POST' });
    }
  });
}

const Bazaar = Type.Object({
  info: Type.Object({
    input: Type.Object({ body: Type.Object({}) }),
    output: Type.Optional(Type.Object({ example: Type.Unknown() })),
  }),
  schema: Type.Object({
    properties: Type.Optional(
      Type.Object({
        input: Type.Object({
          properties: Type.Object({
            body: Type.Object({
              type: Type.Literal('object'),
              required: Type.Array(Type.String()),
              properties: Type.Record(Type.String(), Type.Object({ type: Type.String() })),
            }),
          }),
        }),
        output: Type.Optional(Type.Object({ properties: Type.Object({ example: Type.Object({}) }) })),
      }),
    ),
  }),
});
const readBazaar = createReader(Bazaar, 'the extension bazaar');
const examplesIn = (header: string) => {
  const { input, output } = readBazaar(decodePaymentRequiredHeader(header).extensions?.['bazaar']).info;
  return [Object.keys(input.body).length > 0, output !== undefined];
};

test('the 402 to an empty request has the fields of a body, for scanners', (t) => {
  for (const operation of operations) {
    const { input, output } =
      readBazaar(decodePaymentRequiredHeader(open(operation).probe(true).header).extensions?.['bazaar']).schema
        .properties ?? {};
    const body = defined(input).properties.body;
    t.deepEqual(Object.keys(body.properties), Object.keys(operation.request.properties), operation.name);
    t.deepEqual(body.required, operation.request.required, operation.name);
    t.true(Compile(body).Check(operation.requestExample), operation.name);
    t.truthy(output, operation.name);
  }
});

test('the example of the response leaves a 402 without room first, then the fields, then the example of the request', (t) => {
  const withExamples = (requestCharacters: number, responseCharacters: number) =>
    open({
      ...htmlToMarkdown,
      requestExample: { html: 'a'.repeat(requestCharacters) },
      responseExample: { markdown: 'a'.repeat(responseCharacters) },
    });
  t.deepEqual(examplesIn(withExamples(10, 10).probe(true).header), [true, true]);
  t.deepEqual(examplesIn(challengeOf(withExamples(10, 5000))), [true, false]);
  t.deepEqual(examplesIn(challengeOf(withExamples(5000, 10))), [false, false]);
  t.deepEqual(examplesIn(withExamples(10, 500).probe(true).header), [true, true], 'a probe has more room');
});

/** The operation with the longest summary with which it can be offered. */
function longestOffer(operation: Operation): { readonly offer: Offer; readonly characters: number } {
  for (let characters = 3000; ; characters -= 1) {
    try {
      return { offer: open({ ...operation, summary: 's'.repeat(characters) }), characters };
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
    }
  }
}

test('an operation is refused at the start if its 402 would be too large without examples', (t) => {
  const { offer, characters } = longestOffer(geocode);
  t.true(challengeOf(offer).length <= MAX_REQUIRED_CHARACTERS);
  const error = t.throws(() => open({ ...geocode, summary: 's'.repeat(characters + 4) }), {
    instanceOf: ConfigurationError,
  });
  t.regex(
    error?.message ?? '',
    /^https:\/\/payments-and-trials.*\/geocode: PAYMENT-REQUIRED would have 31\d\d characters/,
  );
});

test('the largest price can be offered at a URL of 100 characters and more', (t) => {
  const origin = new URL(`https://${'a'.repeat(80)}`);
  for (const operation of operations) {
    const offered = { ...operation, priceMicroUsd: MAX_MICRO_USD };
    const { uri } = createOffer({
      operation: offered,
      origin,
      terms: { ...TERMS, channels: CHANNELS },
      secrets: SECRETS,
    });
    t.true(uri.length >= 100, uri);
  }
});

test('every other 402 of an operation is smaller than its challenge', (t) => {
  const { offer } = longestOffer(geocode);
  for (const status of ['insufficient_balance', 'daily_budget_exhausted', 'unavailable'] as const) {
    t.true(offer.denial(status, { balanceMicroUsd: MAX_MICRO_USD }).header.length <= MAX_REQUIRED_CHARACTERS, status);
  }
  for (const [kind, outcome] of Object.entries(PAYMENTS)) {
    if (!/^(refused|channel|verification)/.test(kind)) continue;
    const { headers } = toPaymentReply(outcome(), offer);
    const values = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`.length);
    t.true(values.reduce((sum, length) => sum + length, 0) <= MAX_REQUIRED_CHARACTERS, kind);
  }
});

test('a reason has at most 160 characters, which JSON does not escape', (t) => {
  const { error } = decodePaymentRequiredHeader(open(geocode).payment('"\\\n€'.repeat(500)).header);
  t.is(error, '?'.repeat(160));
  t.is(decodePaymentRequiredHeader(open(geocode).payment('no (422)').header).error, 'no (422)');
});

test('without terms of channels, only the exact payment is offered', (t) => {
  for (const operation of operations) {
    const offer = createOffer({ operation, origin: ORIGIN, terms: TERMS, secrets: SECRETS });
    const { accepts } = decodePaymentRequiredHeader(offer.probe(true).header);
    t.deepEqual(
      accepts.map(({ scheme }) => scheme),
      ['exact'],
    );
  }
});
