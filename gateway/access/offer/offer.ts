import type { GetTermsResponse } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { Operation } from '../../operations/operation.ts';
import { describeForBazaar, PAYMENT_IDENTIFIER, SIGN_IN_SCHEMA, TRIAL_SCHEMA } from './extensions.ts';
import { createTrialInfo, type TrialStatus } from './trial-info.ts';

/** The body and the PAYMENT-REQUIRED header of a 402. */
export interface PaymentRequired {
  readonly header: string;
  readonly body: string;
}

export interface OfferTerms
  extends Pick<GetTermsResponse, 'network' | 'asset' | 'assetName' | 'assetVersion' | 'payTo' | 'maxTimeoutSeconds'> {
  /** CAIP-2 chains that a wallet may sign in on. */
  readonly chains: readonly string[];
}

/** The 402 answers of one operation at one public origin. */
export interface Offer {
  /** The public URL of the operation. */
  readonly uri: string;
  /** To an unsigned request that may sign in: `challenge` is the JSON text of the sign-in info. */
  challenge(challenge: string): PaymentRequired;
  /** To anything else that concerns the trial. */
  trial(status: Exclude<TrialStatus, 'challenge'>, balanceMicroUsd?: bigint): PaymentRequired;
  /** To a payment that was not accepted: the body stays that of the payment layer. */
  payment(error: string): PaymentRequired;
  /** The same as an x402 `PaymentRequired`, without what only a client of HTTP has a use for. */
  tool(error: string): object;
}

const MESSAGE = 'Pay this request with x402, or try it on the free credit of USD 0.05 that every wallet gets once.';
const CHALLENGE_MARK = '"challenge goes here"';
const EMPTY_BODY = '{}';

/** What does not change from answer to answer is serialised once: the challenge is the hottest path there is. */
export function createOffer(operation: Operation, origin: URL, terms: OfferTerms): Offer {
  const uri = new URL(operation.path, origin).href;
  const page = new URL(`/apis/${operation.name}`, origin).href;
  const terse = (error: string) => ({
    x402Version: 2,
    error,
    resource: { url: uri, description: operation.summary, mimeType: 'application/json' },
    accepts: [
      {
        scheme: 'exact',
        network: terms.network,
        amount: String(operation.priceMicroUsd),
        asset: terms.asset,
        payTo: terms.payTo,
        maxTimeoutSeconds: terms.maxTimeoutSeconds,
        extra: { name: terms.assetName, version: terms.assetVersion },
      },
    ],
  });
  const required = (error: string, extensions: object) => ({
    ...terse(error),
    extensions: { ...extensions, 'payment-identifier': PAYMENT_IDENTIFIER, bazaar: describeForBazaar(operation) },
  });
  const onboarding = (status: TrialStatus, info: object) =>
    JSON.stringify({
      message: MESSAGE,
      resource: uri,
      method: 'POST',
      requestExample: operation.requestExample,
      documentationUrl: page,
      openapiUrl: new URL('/openapi.json', origin).href,
      ...(status === 'challenge' || status === 'discovery_probe' ? { quickstartUrl: `${page}#quickstart` } : {}),
      extensions: { 'seller-trial': { info } },
    });
  const trial = (status: TrialStatus, balanceMicroUsd?: bigint): PaymentRequired => {
    const info = createTrialInfo(status, operation.priceMicroUsd, balanceMicroUsd);
    const extensions = { 'seller-trial': { info, schema: TRIAL_SCHEMA } };
    return { header: toBase64(JSON.stringify(required(MESSAGE, extensions))), body: onboarding(status, info) };
  };

  const unchanging = new Map<TrialStatus, PaymentRequired>();
  const challengeInfo = createTrialInfo('challenge', operation.priceMicroUsd);
  const challengeBody = onboarding('challenge', challengeInfo);
  const [before = '', after = ''] = JSON.stringify(
    required(MESSAGE, {
      'sign-in-with-x': {
        info: JSON.parse(CHALLENGE_MARK),
        supportedChains: terms.chains.map((chainId) => ({ chainId, type: 'eip191' })),
        schema: SIGN_IN_SCHEMA,
      },
      'seller-trial': { info: challengeInfo, schema: TRIAL_SCHEMA },
    }),
  ).split(CHALLENGE_MARK);

  const beforeInBase64 = toBase64(inThrees(before));
  const afterInBase64 = toBase64(after);

  return {
    uri,
    challenge: (challenge) => ({
      header: beforeInBase64 + toBase64(inThrees(challenge)) + afterInBase64,
      body: challengeBody,
    }),
    trial(status, balanceMicroUsd) {
      if (balanceMicroUsd !== undefined) return trial(status, balanceMicroUsd);
      const known = unchanging.get(status) ?? trial(status);
      unchanging.set(status, known);
      return known;
    },
    tool: (error) => ({ ...terse(error), extensions: { 'payment-identifier': PAYMENT_IDENTIFIER } }),
    payment: (error) => ({ header: toBase64(JSON.stringify(required(error, {}))), body: EMPTY_BODY }),
  };
}

/** Padded with white space, which JSON allows, so that its base64 has no padding and can be followed by more. */
function inThrees(json: string): string {
  return json + ' '.repeat((3 - (Buffer.byteLength(json) % 3)) % 3);
}

function toBase64(json: string): string {
  return Buffer.from(json).toString('base64');
}
