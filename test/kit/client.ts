import { request as httpRequest } from 'node:http';
import { Type } from 'typebox';
import { formatSiwxMessage } from '../../gateway/access/challenge/siwx-message.ts';
import { createReader } from '../../scripts/launch/parse/json-reader.ts';
import { Bytes32 } from '../../services/payments/payment/hex.ts';
import { isRecord } from '../../services/platform/is-record.ts';
import { defined } from '../../workers/exact/defined.ts';
import { createWallet, Offer, signPayment, type Wallet } from './chain.ts';
import { until } from './until.ts';

export const CONVERT = '/api/v1/content/html-to-markdown';
export const GEOCODE = '/api/v1/maps/geocode';
export const REVERSE_GEOCODE = '/api/v1/maps/reverse-geocode';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body. Undefined if it is not a JSON object. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

const Challenge = Type.Object({
  info: Type.Object({
    domain: Type.String(),
    uri: Type.String(),
    version: Type.Literal('1'),
    nonce: Type.String(),
    issuedAt: Type.String(),
    expirationTime: Type.String(),
    requestId: Type.String(),
    statement: Type.String(),
    resources: Type.Array(Type.String()),
  }),
  supportedChains: Type.Array(Type.Object({ chainId: Type.String() })),
});

const Requirements = Type.Object({
  x402Version: Type.Number(),
  error: Type.String(),
  resource: Type.Object({ url: Type.String() }),
  // The exact payment comes first. Channels may follow.
  accepts: Type.Unsafe<[Offer, ...Offer[]]>(Type.Array(Offer, { minItems: 1 })),
  extensions: Type.Object({
    'sign-in-with-x': Type.Optional(Challenge),
    'seller-trial': Type.Optional(Type.Object({ info: Type.Record(Type.String(), Type.Unknown()) })),
  }),
});
/** What a 402 asks for: x402's `PaymentRequired`. */
export type Requirements = Readonly<Type.Static<typeof Requirements>>;

/** Reads the requirements of a 402 from decoded JSON. */
export const readRequirements = createReader(Requirements, 'PAYMENT-REQUIRED');

const readSettlement = createReader(Type.Object({ success: Type.Boolean(), transaction: Bytes32 }), 'PAYMENT-RESPONSE');
const readError = createReader(
  Type.Object({ error: Type.Object({ code: Type.String(), message: Type.String(), requestId: Type.String() }) }),
  'the error answer',
);

type HeaderValues = Readonly<Record<string, string>>;

export async function post(url: string, body: unknown, headers: HeaderValues = {}): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(60_000),
  });
  return readAnswer(response);
}

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A header that the answer must have. @throws {Error} if the answer lacks it */
export function headerOf({ status, headers }: Pick<Answer, 'status' | 'headers'>, name: string): string {
  const value = headers.get(name);
  if (value === null) throw new Error(`no ${name} header: ${status}`);
  return value;
}

/** The error of an answer that must have one. @throws {Error} if the body has no error */
export const errorOf = ({ json }: Pick<Answer, 'json'>) => readError(json).error;

/** The error code of an answer. Undefined if the body has no error. */
export function codeOf({ json }: Pick<Answer, 'json'>): string | undefined {
  const error = json?.['error'];
  const code = isRecord(error) ? error['code'] : undefined;
  return typeof code === 'string' ? code : undefined;
}

export function fromBase64(text: string): unknown {
  return JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
}

export function toBase64(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64');
}

export function requirementsOf(answer: Answer): Requirements {
  return readRequirements(fromBase64(headerOf(answer, 'payment-required')));
}

/** The settlement that a paid answer reports. @throws {Error} if the answer reports none */
export const settlementOf = (answer: Answer) => readSettlement(fromBase64(headerOf(answer, 'payment-response')));

/** Signs the challenge of an answer. @returns the fields of a SIGN-IN-WITH-X header */
export async function signIn(
  challenged: Answer,
  wallet: Wallet,
  changes: { readonly chainId?: string } = {},
): Promise<Record<string, unknown>> {
  const challenge = requirementsOf(challenged).extensions['sign-in-with-x'];
  if (challenge === undefined) throw new Error(`no challenge: ${challenged.status} ${challenged.text}`);
  const chainId = changes.chainId ?? defined(challenge.supportedChains[0]).chainId;
  const message = formatSiwxMessage(challenge.info, wallet.address, chainId.slice(chainId.indexOf(':') + 1));
  const signature = await wallet.signMessage({ message });
  return { ...challenge.info, address: wallet.address, chainId, type: 'eip191', signature };
}

/** Requests a challenge, signs it, and sends the request with the proof. */
export async function tryOnce(origin: string, body: unknown, wallet: Wallet, path = CONVERT): Promise<Answer> {
  const proof = await signIn(await post(`${origin}${path}`, body), wallet);
  return post(`${origin}${path}`, body, { 'sign-in-with-x': toBase64(proof) });
}

/** The value of a PAYMENT-SIGNATURE header that pays the first offer. */
export async function pay({ accepts: [offer] }: Requirements, wallet: Wallet, identifier?: string): Promise<string> {
  const payment = await signPayment(wallet, offer);
  const extensions = { 'payment-identifier': { info: { required: false, id: identifier } } };
  return toBase64(identifier === undefined ? payment : { ...payment, extensions });
}

/** A wallet to which the sandbox has paid. @throws {Error} if the sandbox is late, as on a busy machine */
export async function fundOnce(origin: string, create: () => Wallet | Promise<Wallet> = createWallet): Promise<Wallet> {
  const wallet = await create();
  const funded = await post(`${origin}/sandbox/faucet`, { address: wallet.address });
  if (funded.status !== 200) throw new Error(`faucet: ${funded.status} ${funded.text}`);
  return wallet;
}

/** What the sandbox pays too late goes to a wallet that nobody uses. */
export const fundedWallet = (origin: string, create?: () => Wallet | Promise<Wallet>): Promise<Wallet> =>
  until(() => fundOnce(origin, create));

interface RawOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

/** Sends a request that `fetch` would not send, with any method, with repeated headers and `Connection: close`. */
export function rawRequest(url: string, options: RawOptions): Promise<Answer> {
  const { method = 'POST', headers: wanted = {}, body } = options;
  return new Promise((resolve, reject) => {
    const headers = Object.fromEntries(
      Object.entries(wanted).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
    );
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const given = new Headers();
        for (const [name, value] of Object.entries(response.headers)) {
          if (value !== undefined) given.set(name, String(value));
        }
        resolve({ status: defined(response.statusCode), headers: given, text, json: parse(text) });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
