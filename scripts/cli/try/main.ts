import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { type ChallengeInfo, formatSiwxMessage } from '../../../gateway/access/challenge/siwx-message.ts';
import { operations } from '../../../gateway/operations/index.ts';
import { TRANSFER_TYPES } from '../../../services/payments/contract/transfer-types.ts';
import { TryError } from './try-error.ts';
import { tryVerified } from './try-verified.ts';

const USAGE = `usage: npm run try -- html-to-markdown FILE [--pay] [--url ORIGIN]
       npm run try -- geocode "QUERY" [--pay] [--url ORIGIN]
       npm run try -- reverse-geocode LAT,LON [--pay] [--url ORIGIN]
       npm run try -- verified [RUN] [--url ORIGIN] [--agent-key KEY --approver-key KEY]

Calls an operation as a new wallet: on its free credit, or with --pay for play money of the sandbox.
"verified" plays the runs of docs/verified-execution/refund-agent, or one of them and keeps its proof. Its keys are the
options, or TOLLHOUSE_AGENT_KEY and TOLLHOUSE_APPROVER_KEY, or those of the sandbox that runs on TOLLHOUSE_DATA.
FILE is the HTML to convert, - for standard input; LAT,LON are degrees, such as 48.2082,16.3738.`;

/** The body of each operation, from its argument. */
const BODIES: Readonly<Record<string, (argument: string) => object>> = {
  'html-to-markdown': (file) => ({ html: readFileSync(file === '-' ? 0 : file, 'utf8') }),
  geocode: (query) => ({ query }),
  'reverse-geocode': (point) => {
    const [latitude, longitude] = point.split(',').map(Number);
    return { latitude, longitude };
  },
};

interface PaymentOffer {
  readonly scheme: string;
  readonly network: string;
  readonly amount: string;
  readonly asset: `0x${string}`;
  readonly payTo: `0x${string}`;
  readonly maxTimeoutSeconds: number;
  readonly extra: { readonly name: string; readonly version: string };
}

interface Requirements {
  readonly resource: object;
  readonly accepts: readonly [PaymentOffer];
  readonly extensions: {
    readonly 'sign-in-with-x'?: {
      readonly info: ChallengeInfo;
      readonly supportedChains: readonly { readonly chainId: string }[];
    };
    readonly 'seller-trial'?: { readonly info: { readonly status: string; readonly quotedAmountAtomic: string } };
  };
}

let stepNumber = 0;
function say(what: string, details: Readonly<Record<string, unknown>> = {}): void {
  stepNumber += 1;
  console.log(`\n${stepNumber}. ${what}`);
  for (const [name, value] of Object.entries(details)) console.log(`   ${name}: ${String(value)}`);
}

function fromBase64<T>(text: string): T {
  return JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as T;
}

function toBase64(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

async function post(url: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(30_000);
    return await fetch(url, {
      method: 'POST',
      body,
      signal,
      redirect: 'error',
      headers: { 'content-type': 'application/json', ...headers },
    });
  } catch (error) {
    throw new TryError(`no answer from ${url}: is it started? (npm start)`, { cause: error });
  }
}

async function ask(url: string, body: string): Promise<Requirements> {
  const response = await post(url, body);
  const header = response.headers.get('payment-required');
  if (response.status !== 402 || header === null)
    throw new TryError(`expected 402, got ${response.status}: ${await response.text()}`);
  const requirements = fromBase64<Requirements>(header);
  const [offer] = requirements.accepts;
  say('POST without payment or proof: 402', {
    'X-Trial-Status': response.headers.get('x-trial-status'),
    price: `${offer.amount} micro-USD on ${offer.network}`,
    'pay to': offer.payTo,
  });
  return requirements;
}

async function signIn(requirements: Requirements, wallet: PrivateKeyAccount): Promise<Record<string, string>> {
  const challenge = requirements.extensions['sign-in-with-x'];
  const chain = challenge?.supportedChains[0];
  if (challenge === undefined || chain === undefined) {
    throw new TryError(`no challenge was issued: ${JSON.stringify(requirements.extensions['seller-trial']?.info)}`);
  }
  const { info } = challenge;
  const { chainId } = chain;
  say('The challenge', { domain: info.domain, nonce: info.nonce, expires: info.expirationTime });
  const message = formatSiwxMessage(info, wallet.address, chainId.slice(chainId.indexOf(':') + 1));
  const signature = await wallet.signMessage({ message });
  say('Signed with a new wallet', { address: wallet.address, signature: `${signature.slice(0, 22)}...` });
  return { 'sign-in-with-x': toBase64({ ...info, address: wallet.address, chainId, type: 'eip191', signature }) };
}

async function fund(origin: string, wallet: PrivateKeyAccount): Promise<void> {
  const response = await post(`${origin}/sandbox/faucet`, JSON.stringify({ address: wallet.address }));
  if (!response.ok) throw new TryError(`the faucet answered ${response.status}: only the sandbox has one`);
  const { balanceAtomic } = (await response.json()) as { balanceAtomic: string };
  say('POST /sandbox/faucet: play money for a new wallet', {
    address: wallet.address,
    balance: `${balanceAtomic} micro-USD`,
  });
}

/** An EIP-3009 authorization over exactly the price, as x402's scheme `exact` has it. */
async function authorize(
  { accepts, resource }: Requirements,
  wallet: PrivateKeyAccount,
): Promise<Record<string, string>> {
  const [accepted] = accepts;
  const now = Math.floor(Date.now() / 1000);
  const authorization = {
    from: wallet.address,
    to: accepted.payTo,
    value: accepted.amount,
    validAfter: String(now - 60),
    validBefore: String(now + accepted.maxTimeoutSeconds),
    nonce: `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}` as const,
  };
  const signature = await wallet.signTypedData({
    domain: { ...accepted.extra, chainId: Number(accepted.network.split(':')[1]), verifyingContract: accepted.asset },
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
    },
  });
  say('Signed an authorization of the price', {
    from: wallet.address,
    value: authorization.value,
    signature: `${signature.slice(0, 22)}...`,
  });
  return {
    'payment-signature': toBase64({ x402Version: 2, resource, accepted, payload: { signature, authorization } }),
  };
}

async function showResult(response: Response): Promise<void> {
  const shown = [
    'x-access-mode',
    'x-trial-status',
    'x-trial-balance-atomic',
    'x-trial-accounting-status',
    'x-request-id',
  ];
  const details = Object.fromEntries(
    shown.map((name) => [name, response.headers.get(name)]).filter(([, value]) => value !== null),
  );
  const settlement = response.headers.get('payment-response');
  if (settlement !== null) details['settled in'] = fromBase64<{ transaction: string }>(settlement).transaction;
  say(`The same request, signed: ${response.status}`, details);
  const text = await response.text();
  if (!response.ok) throw new TryError(text);
  const { markdown, ...rest } = JSON.parse(text) as { markdown?: string };
  say('Result');
  console.log(JSON.stringify(rest, null, 2).replace(/^/gm, '   '));
  if (markdown !== undefined) console.log(`\n${markdown}`);
}

/** A southern latitude looks like an option: it is put behind `--`, after which there are none. */
function endOptionsAt(pattern: RegExp, args: readonly string[]): string[] {
  const isArgument = (arg: string) => pattern.test(arg);
  return [...args.filter((arg) => !isArgument(arg)), '--', ...args.filter(isArgument)];
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    args: endOptionsAt(/^-\d/, process.argv.slice(2)),
    allowPositionals: true,
    options: {
      pay: { type: 'boolean', default: false },
      url: { type: 'string' },
      'agent-key': { type: 'string' },
      'approver-key': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [name = '', argument] = positionals;
  const origin = new URL(values.url ?? `http://127.0.0.1:${process.env['PORT'] || 8402}`).origin;
  if (name === 'verified') {
    const sources = { origin, options: values, environment: process.env };
    const areAllRight = await tryVerified({ ...sources, wanted: argument, say: console.log });
    if (!areAllRight) throw new TryError('a run did not end as it should');
    return;
  }
  const operation = operations.find((one) => one.name === name);
  const content = argument === undefined ? undefined : BODIES[name]?.(argument);
  if (values.help || operation === undefined || content === undefined) throw new TryError(USAGE);
  const body = JSON.stringify(content);
  const fault = operation.validate(content);
  if (fault !== undefined) throw new TryError(fault);
  const url = `${origin}${operation.path}`;
  const wallet = privateKeyToAccount(generatePrivateKey());
  if (values.pay) await fund(origin, wallet);
  const requirements = await ask(url, body);
  const headers = values.pay ? await authorize(requirements, wallet) : await signIn(requirements, wallet);
  await showResult(await post(url, body, headers));
}

try {
  await main();
} catch (error) {
  const isUsage = error instanceof TryError || (error as NodeJS.ErrnoException).code?.startsWith('E');
  console.error(isUsage ? (error as Error).message : error);
  process.exitCode = 1;
}
