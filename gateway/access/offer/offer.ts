import type { GetTermsResponse } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { TrialStatus } from '../../../services/ledger/contract/trial-terms.ts';
import type { Operation } from '../../operations/operation/operation.ts';
import { type Base64Template, createBase64Template } from './base64-template.ts';
import { describeForBazaar, PAYMENT_IDENTIFIER, SIGN_IN_SCHEMA, TRIAL_SCHEMA } from './extensions.ts';
import { OFFER_SECRET, type OfferSecrets } from './offer-secret.ts';
import { createTrialInfo } from './trial-info.ts';

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

/** The 402 answers of one operation at one public origin. Each has a secret of its own. */
export interface Offer {
  /** The public URL of the operation. */
  readonly uri: string;
  /** For an unsigned request that may sign in. `challenge` is the JSON text of the sign-in info. */
  challenge(challenge: string): PaymentRequired;
  /** For an empty request, which asks for the price. */
  probe(areTrialsAvailable: boolean): PaymentRequired;
  /** For a request that cannot be a trial. */
  denial(status: Exclude<TrialStatus, 'challenge' | 'discovery_probe'>, balanceMicroUsd?: bigint): PaymentRequired;
  /** For a payment that was not accepted. The body is that of the payment layer: an empty object. */
  payment(error: string): PaymentRequired;
  /** The same as an x402 `PaymentRequired` without the parts that only an HTTP client needs. */
  tool(error: string): object;
}

export interface OfferOptions {
  readonly operation: Operation;
  readonly origin: URL;
  readonly terms: OfferTerms;
  readonly secrets: OfferSecrets;
}

const MESSAGE = 'Pay this request with x402, or try it on the free credit of USD 0.05 that every wallet gets once.';
const SECRET_MARK = '{{offer secret}}';
const CHALLENGE_MARK = '{{challenge}}';
const EMPTY_BODY = '{}';

interface Template {
  readonly header: Base64Template;
  readonly body: string;
}

/** Serializes once everything that is the same in all answers. */
export function createOffer({ operation, origin, terms, secrets }: OfferOptions): Offer {
  const describe = createDescription(operation, origin, terms);
  const { uri, required, onboarding } = describe;
  const newSecret = () => JSON.stringify(secrets.create());
  const fill = ({ header, body }: Template): PaymentRequired => ({ header: header(newSecret()), body });

  const trialTemplate = (status: TrialStatus, hasQuickstart: boolean, balanceMicroUsd?: bigint): Template => {
    const info = createTrialInfo(status, operation.priceMicroUsd, balanceMicroUsd);
    const extensions = { 'seller-trial': { info, schema: TRIAL_SCHEMA } };
    return {
      header: createBase64Template(JSON.stringify(required(MESSAGE, SECRET_MARK, extensions)), [SECRET_MARK]),
      body: onboarding(info, hasQuickstart),
    };
  };
  const probes = {
    available: trialTemplate('discovery_probe', true),
    unavailable: trialTemplate('discovery_probe', false),
  };
  const denials = {
    insufficient_balance: trialTemplate('insufficient_balance', false),
    daily_budget_exhausted: trialTemplate('daily_budget_exhausted', false),
    unavailable: trialTemplate('unavailable', false),
  };
  const challengeInfo = createTrialInfo('challenge', operation.priceMicroUsd);
  const challengeBody = onboarding(challengeInfo, true);
  const challengeExtensions = {
    'sign-in-with-x': {
      info: CHALLENGE_MARK,
      supportedChains: terms.chains.map((chainId) => ({ chainId, type: 'eip191' })),
      schema: SIGN_IN_SCHEMA,
    },
    'seller-trial': { info: challengeInfo, schema: TRIAL_SCHEMA },
  };
  const challengeHeader = createBase64Template(JSON.stringify(required(MESSAGE, SECRET_MARK, challengeExtensions)), [
    SECRET_MARK,
    CHALLENGE_MARK,
  ]);

  return {
    uri,
    challenge: (challenge) => ({ header: challengeHeader(newSecret(), challenge), body: challengeBody }),
    probe: (areTrialsAvailable) => fill(areTrialsAvailable ? probes.available : probes.unavailable),
    denial: (status, balanceMicroUsd) =>
      fill(balanceMicroUsd === undefined ? denials[status] : trialTemplate(status, false, balanceMicroUsd)),
    payment: (error) => ({ header: toBase64(required(error, secrets.create(), {})), body: EMPTY_BODY }),
    tool: (error) => ({
      ...describe.terse(error, secrets.create()),
      extensions: { 'payment-identifier': PAYMENT_IDENTIFIER },
    }),
  };
}

/** The objects from which answers are built. */
function createDescription(operation: Operation, origin: URL, terms: OfferTerms) {
  const uri = new URL(operation.path, origin).href;
  const page = new URL(`/apis/${operation.name}`, origin).href;
  const terse = (error: string, secret: string) => ({
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
        extra: { name: terms.assetName, version: terms.assetVersion, [OFFER_SECRET]: secret },
      },
    ],
  });
  return {
    uri,
    terse,
    required: (error: string, secret: string, extensions: object) => ({
      ...terse(error, secret),
      extensions: { ...extensions, 'payment-identifier': PAYMENT_IDENTIFIER, bazaar: describeForBazaar(operation) },
    }),
    onboarding: (info: object, hasQuickstart: boolean) =>
      JSON.stringify({
        message: MESSAGE,
        resource: uri,
        method: 'POST',
        requestExample: operation.requestExample,
        documentationUrl: page,
        openapiUrl: new URL('/openapi.json', origin).href,
        ...(hasQuickstart ? { quickstartUrl: `${page}#quickstart` } : {}),
        extensions: { 'seller-trial': { info } },
      }),
  };
}

function toBase64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}
