import type { TrialStatus } from '../../../services/ledger/contract/trial-terms.ts';
import type { Operation } from '../../operations/operation/operation.ts';
import { channelEntry, exactEntry, type SellerTerms } from './accepts.ts';
import { type Base64Template, createBase64Template } from './base64-template.ts';
import type { ChannelCorrection } from './channel-terms.ts';
import { describeForBazaar, PAYMENT_IDENTIFIER, SIGN_IN_SCHEMA, TRIAL_SCHEMA } from './extensions.ts';
import type { OfferSecrets } from './offer-secret.ts';
import { createTrialInfo } from './trial-info.ts';

/** The body and the PAYMENT-REQUIRED header of a 402. */
export interface PaymentRequired {
  readonly header: string;
  readonly body: string;
}

export interface OfferTerms extends SellerTerms {
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
  payment(error: string, correction?: ChannelCorrection): PaymentRequired;
  /** The same as an x402 `PaymentRequired` without the parts that only an HTTP client needs. */
  tool(error: string, correction?: ChannelCorrection): object;
}

export interface OfferOptions {
  readonly operation: Operation;
  readonly origin: URL;
  readonly terms: OfferTerms;
  readonly secrets: OfferSecrets;
}

const MESSAGE = 'Pay this request with x402, or try it on the free credit of USD 0.05 that every wallet gets once.';
const SECRET_MARK = '{{offer secret}}';
/** The same secret in the offer of channels. A template has each mark once. */
const CHANNEL_SECRET_MARK = '{{offer secret of channels}}';
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
  const marks = terms.channels === undefined ? [SECRET_MARK] : [SECRET_MARK, CHANNEL_SECRET_MARK];
  const markedSecrets = { exact: SECRET_MARK, channel: CHANNEL_SECRET_MARK };
  const toTemplate = (extensions: object, ...others: readonly string[]) =>
    createBase64Template(JSON.stringify(required(MESSAGE, { secrets: markedSecrets }, extensions)), [
      ...marks,
      ...others,
    ]);
  /** One secret for all entries: a payer accepts one of them. */
  const newSecrets = () => Array<string>(marks.length).fill(JSON.stringify(secrets.create()));
  const fill = ({ header, body }: Template): PaymentRequired => ({ header: header(...newSecrets()), body });

  const trialTemplate = (status: TrialStatus, hasQuickstart: boolean, balanceMicroUsd?: bigint): Template => {
    const info = createTrialInfo(status, operation.priceMicroUsd, balanceMicroUsd);
    const extensions = { 'seller-trial': { info, schema: TRIAL_SCHEMA } };
    return { header: toTemplate(extensions), body: onboarding(info, hasQuickstart) };
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
  const challengeHeader = toTemplate(challengeExtensions, CHALLENGE_MARK);
  const entryOptions = (correction: ChannelCorrection | undefined): EntryOptions => {
    const secret = secrets.create();
    return { secrets: { exact: secret, channel: secret }, ...(correction && { correction }) };
  };

  return {
    uri,
    challenge: (challenge) => ({ header: challengeHeader(...newSecrets(), challenge), body: challengeBody }),
    probe: (areTrialsAvailable) => fill(areTrialsAvailable ? probes.available : probes.unavailable),
    denial: (status, balanceMicroUsd) =>
      fill(balanceMicroUsd === undefined ? denials[status] : trialTemplate(status, false, balanceMicroUsd)),
    payment: (error, correction) => ({
      header: toBase64(required(error, entryOptions(correction), {})),
      body: EMPTY_BODY,
    }),
    tool: (error, correction) => ({
      ...describe.terse(error, entryOptions(correction)),
      extensions: { 'payment-identifier': PAYMENT_IDENTIFIER },
    }),
  };
}

interface EntryOptions {
  readonly secrets: { readonly exact: string; readonly channel: string };
  readonly correction?: ChannelCorrection;
}

/** The objects from which answers are built. */
function createDescription(operation: Operation, origin: URL, terms: OfferTerms) {
  const uri = new URL(operation.path, origin).href;
  const page = new URL(`/apis/${operation.name}`, origin).href;
  const { priceMicroUsd } = operation;
  const { channels } = terms;
  // A client with both schemes takes the first entry.
  const accepts = ({ secrets: { exact, channel }, correction }: EntryOptions) => [
    exactEntry(terms, priceMicroUsd, exact),
    ...(channels ? [channelEntry({ ...terms, channels }, priceMicroUsd, { secret: channel, correction })] : []),
  ];
  const terse = (error: string, options: EntryOptions) => ({
    x402Version: 2,
    error,
    resource: { url: uri, description: operation.summary, mimeType: 'application/json' },
    accepts: accepts(options),
  });
  return {
    uri,
    terse,
    required: (error: string, options: EntryOptions, extensions: object) => ({
      ...terse(error, options),
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
