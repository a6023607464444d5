import type { TrialStatus } from '../../../services/ledger/contract/trial-terms.ts';
import { ConfigurationError } from '../../../services/platform/process/environment.ts';
import type { Operation } from '../../operations/operation/operation.ts';
import { longestChallenge } from '../challenge/challenge.ts';
import { channelEntry, exactEntry, type SellerTerms } from './accepts.ts';
import { type Base64Template, createBase64Template } from './base64-template.ts';
import type { ChannelCorrection } from './channel-terms.ts';
import { describeForBazaar, PAYMENT_IDENTIFIER, toExtension } from './extensions.ts';
import { OFFER_SECRET_LENGTH, type OfferSecrets } from './offer-secret.ts';
import {
  describeRequired,
  MAX_REQUIRED_CHARACTERS,
  type PaymentRequired,
  toPaymentRequired,
} from './payment-required.ts';
import { createTrialInfo, isCoveredByGrant, type TrialFacts } from './trial-info.ts';

export interface OfferTerms extends SellerTerms {
  /** CAIP-2 chains that a wallet may sign in on. */
  readonly chains: readonly string[];
}

/** The 402 answers of one operation at one public origin. Each has a secret of its own. */
export interface Offer {
  /** The public URL of the operation. */
  readonly uri: string;
  /**
   * For an unsigned request that may sign in. `challenge` is the JSON text of the sign-in info.
   * @returns undefined if its query makes the header too long for proxies, even without examples
   */
  challenge(challenge: string): PaymentRequired | undefined;
  /** For an empty request, which asks for the price. */
  probe(areTrialsAvailable: boolean): PaymentRequired;
  /** For a request that cannot be a trial. */
  denial(status: Exclude<TrialStatus, 'challenge' | 'discovery_probe'>, facts?: TrialFacts): PaymentRequired;
  /** For a payment that was not accepted. */
  payment(error: string, correction?: ChannelCorrection): PaymentRequired;
  /** The same as an x402 `PaymentRequired`, for a tool. */
  tool(error: string, correction?: ChannelCorrection): object;
}

export interface OfferOptions {
  readonly operation: Operation;
  readonly origin: URL;
  readonly terms: OfferTerms;
  readonly secrets: OfferSecrets;
}

const PAY = 'Pay this request with x402';
const OR_TRY = ', or try it on the free credit of USD 0.05 that every wallet gets once';
const SECRET = '{{offer secret}}';
const CHALLENGE = '{{challenge}}';

interface Template {
  readonly header: Base64Template;
  readonly body: string;
}

/**
 * Serializes once everything that is the same in all answers.
 * @throws {ConfigurationError} if a 402 would not fit through proxies
 */
export function createOffer({ operation, origin, terms, secrets }: OfferOptions): Offer {
  const { uri, required, onboarding } = createDescription(operation, origin, terms);
  const longest = {
    [SECRET]: JSON.stringify('0'.repeat(OFFER_SECRET_LENGTH)),
    [CHALLENGE]: JSON.stringify(longestChallenge({ uri, domain: origin.host })),
  };
  /** The headers that have room, from the one with the most examples to the one with the fewest. */
  const toTemplates = (
    extensions: object,
    ...marks: readonly string[]
  ): readonly [Base64Template, ...Base64Template[]] => {
    let length = 0;
    const [first, ...shorter] = describeForBazaar(operation)
      .map((bazaar) => required('payment required', { secret: SECRET, extensions: { ...extensions, bazaar } }))
      .map((described) => createBase64Template(JSON.stringify(described), [SECRET, ...marks]))
      .filter((template) => {
        length = template(longest).length;
        return length <= MAX_REQUIRED_CHARACTERS;
      });
    if (first !== undefined) return [first, ...shorter];
    throw new ConfigurationError(
      `${uri}: PAYMENT-REQUIRED would have ${length} characters without examples, and proxies take ${MAX_REQUIRED_CHARACTERS}; shorten the public URL, or the path or summary of ${operation.name}`,
    );
  };
  const newSecret = () => ({ [SECRET]: JSON.stringify(secrets.create()) });
  const fill = ({ header, body }: Template): PaymentRequired => ({ header: header(newSecret()), body });

  const trialTemplate = (status: TrialStatus, hasQuickstart: boolean, facts?: TrialFacts): Template => {
    const info = createTrialInfo(status, operation.priceMicroUsd, facts);
    const [header] = toTemplates({ 'seller-trial': { info } });
    return { header, body: onboarding(info, hasQuickstart) };
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
  const paidOnly = trialTemplate('unavailable', false, { isPaidPossible: true });
  const longQueries = {
    paid: trialTemplate('unavailable', false, { isQueryTooLong: true, isPaidPossible: true }),
    unpaid: trialTemplate('unavailable', false, { isQueryTooLong: true }),
  };
  const challengeInfo = createTrialInfo('challenge', operation.priceMicroUsd);
  const challengeBody = onboarding(challengeInfo, true);
  const supportedChains = terms.chains.map((chainId) => ({ chainId, type: 'eip191' }));
  const challengeExtensions = {
    'sign-in-with-x': { ...toExtension(CHALLENGE), supportedChains },
    'seller-trial': { info: challengeInfo },
  };
  const challengeHeaders = toTemplates(challengeExtensions, CHALLENGE);
  const tool: Offer['tool'] = (error, correction) => required(error, { secret: secrets.create(), correction });

  return {
    uri,
    challenge(challenge) {
      const values = { ...newSecret(), [CHALLENGE]: challenge };
      for (const toHeader of challengeHeaders) {
        const header = toHeader(values);
        if (header.length <= MAX_REQUIRED_CHARACTERS) return { header, body: challengeBody };
      }
      return undefined;
    },
    probe: (areTrialsAvailable) => fill(areTrialsAvailable ? probes.available : probes.unavailable),
    denial(status, facts) {
      if (facts?.balanceMicroUsd !== undefined) return fill(trialTemplate(status, false, facts));
      if (facts?.isQueryTooLong) return fill(facts.isPaidPossible ? longQueries.paid : longQueries.unpaid);
      return fill(status === 'unavailable' && facts?.isPaidPossible === true ? paidOnly : denials[status]);
    },
    // This is shorter than a challenge, even with a payment response beside it.
    payment: (error, correction) => toPaymentRequired(tool(error, correction)),
    tool,
  };
}

interface RequiredOptions {
  readonly secret: string;
  readonly correction?: ChannelCorrection | undefined;
  readonly extensions?: object;
}

/** The objects from which answers are built. */
function createDescription(operation: Operation, origin: URL, terms: OfferTerms) {
  const uri = new URL(operation.path, origin).href;
  const page = new URL(`/apis/${operation.name}`, origin).href;
  const { priceMicroUsd } = operation;
  const { channels } = terms;
  const isCovered = isCoveredByGrant(priceMicroUsd);
  // A client with both schemes takes the first entry. One secret is enough: a payer accepts one of them.
  const accepts = ({ secret, correction }: RequiredOptions) => [
    exactEntry(terms, priceMicroUsd, secret),
    // A correction is for the entry of its channel.
    ...(channels && (channels.offered || correction)
      ? [channelEntry({ ...terms, channels }, priceMicroUsd, { secret, correction })]
      : []),
  ];
  return {
    uri,
    required: (error: string, options: RequiredOptions) =>
      describeRequired({
        error,
        url: uri,
        description: operation.summary,
        accepts: accepts(options),
        extensions: { ...options.extensions, 'payment-identifier': PAYMENT_IDENTIFIER },
      }),
    onboarding: (info: object, hasQuickstart: boolean) =>
      JSON.stringify({
        message: `${PAY}${isCovered ? OR_TRY : ''}.`,
        resource: uri,
        method: 'POST',
        requestExample: operation.requestExample,
        documentationUrl: page,
        openapiUrl: new URL('/openapi.json', origin).href,
        ...(hasQuickstart && isCovered ? { quickstartUrl: `${page}#quickstart` } : {}),
        extensions: { 'seller-trial': { info } },
      }),
  };
}
