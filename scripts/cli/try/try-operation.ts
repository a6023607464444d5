import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Hex } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { operations } from '../../../gateway/operations/index.ts';
import { isBytes32 } from '../../../services/payments/payment/hex.ts';
import { createJsonReader } from '../../launch/parse/json-reader.ts';
import { CommandError } from '../terminal/command.ts';
import { noAnswer } from './api.ts';
import { decodePage } from './decode-page.ts';
import { fromBase64, type Required, requiredOf, signIn, signPayment } from './offers.ts';
import { sayStep, shorten } from './steps.ts';
import { tryChannel } from './try-channel.ts';

const TIMEOUT_MS = 30_000;

/** Makes the request body of an operation from the command's argument. */
const BODIES: Readonly<Record<string, (argument: string) => object>> = {
  'html-to-markdown': (file) => ({ html: decodePage(readFileSync(file === '-' ? 0 : file), file) }),
  geocode: (query) => ({ query }),
  'reverse-geocode': (point) => {
    const [latitude, longitude] = point.split(',').map(Number);
    return { latitude, longitude };
  },
};

export interface TriedOperation {
  readonly name: string;
  readonly argument: string;
  readonly origin: string;
  /** Whether the wallet pays for a call, or through a channel for some; otherwise it uses its free credit. */
  readonly payment: 'exact' | 'channel' | undefined;
  /** A file with the private key of the wallet. Undefined: a new wallet, which the faucet of the sandbox funds. */
  readonly keyFile: string | undefined;
  /** A node of the network of the payment. Undefined: that of the sandbox. */
  readonly nodeUrl: string | undefined;
}

/**
 * Calls an operation with a new wallet, and prints every step.
 * @throws {CommandError} if the server refuses a step
 */
export async function tryOperation(tried: TriedOperation): Promise<void> {
  const { name, argument, origin, payment, keyFile, nodeUrl } = tried;
  const operation = operations.find((one) => one.name === name);
  const bodyOf = BODIES[name];
  if (operation === undefined || bodyOf === undefined) throw new TypeError(`${name} is not an operation`);
  const content = bodyOf(argument);
  const fault = operation.validate(content);
  if (fault !== undefined) throw new CommandError(fault);
  const body = JSON.stringify(content);
  const url = `${origin}${operation.path}`;
  const wallet = privateKeyToAccount(keyFile === undefined ? generatePrivateKey() : readWalletKey(keyFile));
  if (payment !== undefined && keyFile === undefined) await fund(origin, wallet);
  const { priced, required } = await askPrice(url, body);
  const send = (headers: Readonly<Record<string, string>>) => post(url, body, headers);
  if (payment === 'channel') await showResult(await tryChannel({ origin, nodeUrl, wallet, priced, send }));
  else if (payment === 'exact') await showSigned(await send(await authorize(required, wallet)));
  else await showSigned(await send(await answerChallenge(required, wallet)), CONFIRMED);
}

function readWalletKey(file: string): Hex {
  const text = readFileSync(file, 'utf8').trim();
  if (isBytes32(text)) return text;
  throw new CommandError(`${file} does not hold a private key: 0x and 64 hexadecimal digits`);
}

async function post(url: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
      headers: { 'content-type': 'application/json', ...headers },
    });
  } catch {
    throw new CommandError(noAnswer(url));
  }
}

interface Priced {
  /** The 402. */
  readonly priced: Response;
  readonly required: Required;
}

async function askPrice(url: string, body: string): Promise<Priced> {
  const priced = await post(url, body);
  const required = priced.status === 402 ? requiredOf(priced) : undefined;
  if (required === undefined) {
    throw new CommandError(`expected 402 with a price, got ${priced.status}: ${await priced.text()}`);
  }
  const [offer] = required.accepts;
  sayStep('POST without payment or proof: 402', {
    'X-Trial-Status': String(priced.headers.get('x-trial-status')),
    price: `${offer.amount} micro-USD on ${offer.network}`,
    'pay to': offer.payTo,
  });
  return { priced, required };
}

async function answerChallenge(required: Required, wallet: PrivateKeyAccount): Promise<Record<string, string>> {
  const proof = await signIn(required, wallet);
  const challenge = required.extensions['sign-in-with-x'];
  if (proof === undefined || challenge === undefined) {
    throw new CommandError(`no challenge was issued: ${JSON.stringify(required.extensions['seller-trial']?.info)}`);
  }
  const { domain, nonce, expirationTime } = challenge.info;
  sayStep('The challenge', { domain, nonce, expires: expirationTime });
  sayStep('Signed with the wallet', { address: wallet.address, signature: shorten(proof.signature) });
  return { 'sign-in-with-x': proof.header };
}

const parseFunding = createJsonReader(Type.Object({ balanceAtomic: Type.String() }), 'the answer of the faucet');

async function fund(origin: string, wallet: PrivateKeyAccount): Promise<void> {
  const response = await post(`${origin}/sandbox/faucet`, JSON.stringify({ address: wallet.address }));
  if (response.status === 404) throw new CommandError('there is no faucet: only the sandbox has play money');
  if (!response.ok) throw new CommandError(`the faucet answered ${response.status} ${await response.text()}`);
  const { balanceAtomic } = parseFunding(await response.text());
  sayStep('POST /sandbox/faucet: play money for a new wallet', {
    address: wallet.address,
    balance: `${balanceAtomic} micro-USD`,
  });
}

async function authorize(required: Required, wallet: PrivateKeyAccount): Promise<Record<string, string>> {
  const { header, amount, signature } = await signPayment(required, wallet);
  sayStep('Signed an authorization of the price', {
    from: wallet.address,
    value: String(amount),
    signature: shorten(signature),
  });
  return { 'payment-signature': header };
}

const SHOWN_HEADERS = [
  'x-access-mode',
  'x-trial-status',
  'x-trial-balance-atomic',
  'x-trial-accounting-status',
  'x-request-id',
];
/** Headers of the result of a trial. Null: there is none. */
const CONFIRMED = {
  'x-access-mode': 'trial',
  'x-trial-status': 'charged',
  'x-trial-accounting-status': 'confirmed',
  'payment-response': null,
  'x-payment-response': null,
};
const settlement = Compile(Type.Object({ transaction: Type.String() }));
const parseResult = createJsonReader(
  Type.Object({ markdown: Type.Optional(Type.String()) }, { additionalProperties: true }),
  'the result',
);

async function showSigned(response: Response, expected: Readonly<Record<string, string | null>> = {}): Promise<void> {
  const details: Record<string, string> = {};
  for (const name of SHOWN_HEADERS) {
    const value = response.headers.get(name);
    if (value !== null) details[name] = value;
  }
  const header = response.headers.get('payment-response');
  const settled = header ? fromBase64(header) : undefined;
  if (settlement.Check(settled)) details['settled in'] = settled.transaction;
  sayStep(`The same request, signed: ${response.status}`, details);
  const isConfirmed = Object.entries(expected).every(([name, value]) => response.headers.get(name) === value);
  if (response.ok && !isConfirmed) {
    throw new CommandError('the result is not confirmed: neither repeat the call nor pay for it');
  }
  await showResult(response);
}

async function showResult(response: Response): Promise<void> {
  const text = await response.text();
  if (!response.ok) throw new CommandError(text);
  const { markdown, ...rest } = parseResult(text);
  sayStep('Result');
  console.log(JSON.stringify(rest, null, 2).replace(/^/gm, '   '));
  if (markdown !== undefined) console.log(`\n${markdown}`);
}
