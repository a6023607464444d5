import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hex } from 'viem';
import {
  type BeginRequest,
  type BeginResponse,
  type GetTermsResponse,
  PaymentsServiceClient,
  type RefusalCode,
  type SettlementOutcome,
} from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { type Channels, openChannels } from '../../../services/platform/grpc/grpc-client.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { Offer, PaymentPayload } from '../../kit/chain.ts';
import { entryPoint } from '../../kit/entry-point.ts';
import { INHERITED } from '../../kit/inherited.ts';
import { HANG_MS } from '../../kit/until.ts';
import { type KeptAnswers, openKeptAnswers } from './kept-answers.ts';

const MAIN = entryPoint('services/payments/main.ts');
const STOP_AT = new URL('stop-at-step.ts', import.meta.url).href;

export interface Payments {
  readonly pid: number;
  /** gRPC target. */
  readonly target: string;
  readonly call: Channels<PaymentsServiceClient>['call'];
  begin(request: Partial<BeginRequest> & { readonly paymentJson: string }, timeoutMs?: number): Promise<BeginResponse>;
  /** Keeps an answer, unless one is kept, and settles the claim. */
  settle(claimId: string, timeoutMs?: number): ReturnType<PaymentsApi['settle']>;
  /** How the claim ended, after it was due and the service asked about it. */
  outcomeOf(claimId: string): Promise<SettlementOutcome>;
  release(claimId: string, causedByCaller?: boolean): Promise<unknown>;
  fund(address: Hex): Promise<{ balance: string; transaction: string }>;
  terms(): Promise<GetTermsResponse>;
  /** What the process has logged, in JSON lines. */
  log(): string;
  readonly exited: Promise<unknown>;
  kill(): Promise<void>;
  /** Ends the process in order. */
  stop(): Promise<void>;
}

interface PaymentsApi {
  settle: () => Promise<{ outcome: number; paymentResponseJson?: string | undefined }>;
}

export interface PaymentsOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Kills the process at this step of `tollhouse:step`. */
  readonly killAt?: string;
  /** Which time the step is passed; the first by default. */
  readonly killAtTime?: number;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts the payments service as a separate process on a new socket, and waits until it is ready. */
export async function startPayments({ env, killAt, killAtTime = 1 }: PaymentsOptions): Promise<Payments> {
  const folder = mkdtempSync(join(tmpdir(), 'tp-'));
  const listen = `unix:${folder}/p.sock`;
  const args = killAt === undefined ? [MAIN] : ['--import', STOP_AT, MAIN];
  const child = spawn(process.execPath, args, {
    env: {
      ...INHERITED,
      LISTEN: listen,
      KILL_AT: killAt ?? '',
      KILL_AT_TIME: `${killAtTime}`,
      X402_FINALITY_INTERVAL_MS: '400',
      TOLLHOUSE_DATA: folder,
      // Copies of a service share them.
      AUTHORIZATION_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  running.add(child);
  const log = await untilReady(child, exited);
  const channels = openChannels(PaymentsServiceClient, listen);
  const call = channels.call.bind(channels);
  const terms = () => call((client) => client.getTerms, {}, { timeoutMs: HANG_MS });
  let opening: Promise<KeptAnswers> | undefined;
  const answers = () => {
    opening ??= terms().then(({ network }) => openKeptAnswers(defined(env['DATABASE_URL']), network));
    return opening;
  };
  const end = async (signal: NodeJS.Signals) => {
    const opened = opening;
    opening = undefined;
    await (await opened)?.close();
    channels.close();
    child.kill(signal);
    await exited;
    running.delete(child);
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    pid: child.pid ?? 0,
    target: listen,
    call,
    log,
    exited,
    begin: (request, timeoutMs = HANG_MS) =>
      call((client) => client.begin, { ...presentation, ...request }, { timeoutMs }),
    async settle(claimId, timeoutMs = HANG_MS) {
      await (await answers()).keep(claimId);
      return call((client) => client.settle, { claimId }, { timeoutMs });
    },
    outcomeOf: async (claimId) => (await answers()).outcomeOf(claimId),
    release: (claimId, causedByCaller = true) =>
      call((client) => client.release, { claimId, causedByCaller }, { timeoutMs: HANG_MS }),
    fund: (address) => call((client) => client.fund, { address }, { timeoutMs: HANG_MS }),
    terms,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** @returns a function that returns what the process has logged */
async function untilReady(child: ChildProcess, exited: Promise<unknown>): Promise<() => string> {
  let log = '';
  const ready = new Promise<true>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes('"msg":"ready"')) resolve(true);
    });
  });
  const late = new Promise<false>((resolve) => setTimeout(resolve, HANG_MS, false).unref());
  const started = await Promise.race([ready, exited.then(() => false), late]);
  if (!started) {
    child.kill('SIGKILL');
    throw new Error(`payments did not start: ${log}`);
  }
  return () => log;
}

export const AMOUNT = '3000';

const presentation = {
  amount: AMOUNT,
  requestFingerprint: createHash('sha256').update('POST /api/v1/content/html-to-markdown {}').digest(),
  offerSecretHash: createHash('sha256').update('offer').digest(),
  operationTimeoutMs: 5000,
  callsFrozen: false,
};

export const someHash = (): Buffer => randomBytes(32);

export function offerOf(terms: GetTermsResponse, amount = AMOUNT): Offer {
  const { network, asset, payTo, maxTimeoutSeconds, assetName: name, assetVersion: version } = terms;
  return { scheme: 'exact', network, amount, asset, payTo, maxTimeoutSeconds, extra: { name, version } };
}

/** A Begin request with a payment for a new offer. */
export function present(payment: PaymentPayload, changes: Partial<BeginRequest> = {}) {
  const paymentJson = JSON.stringify(payment);
  return { paymentJson, offerSecretHash: createHash('sha256').update(paymentJson).digest(), ...changes };
}

type Outcome = NonNullable<BeginResponse['outcome']>;
type ValueOf<K extends Outcome['$case']> = Extract<Outcome, { $case: K }>['value'];

/** Returns the expected outcome, or throws an error that shows the actual one. */
export function expectCase<K extends Outcome['$case']>({ outcome }: BeginResponse, name: K): ValueOf<K> {
  if (outcome?.$case !== name) throw new Error(`expected ${name}, got ${JSON.stringify(outcome)}`);
  return outcome.value as ValueOf<K>;
}

/** Returns the code of a refusal, or throws an error that shows the actual outcome. */
export function refusalOf({ outcome }: BeginResponse): RefusalCode | string {
  return outcome?.$case === 'refuse' ? outcome.value.code : JSON.stringify(outcome);
}
