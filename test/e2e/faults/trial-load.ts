import { setTimeout as delay } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { createWallet, type Wallet } from '../../helpers/chain.ts';
import { type Answer, CONVERT, codeOf, post, signIn, toBase64 } from '../../helpers/client.ts';
import type { Stack } from '../../helpers/stack.ts';
import { withLedger } from '../../helpers/stack-ledger.ts';
import { until } from '../../helpers/until.ts';
import { answerOf } from './faulty-stack.ts';
import { isConfirmed } from './trial-client.ts';

const GRANT = 50_000n;
const PRICE = 3000n;
const WORKERS = 6;

/** A trial that a client sent. The answer is undefined if the connection broke. */
export interface SentTrial {
  readonly wallet: string;
  readonly proof: string;
  answer: Answer | undefined;
}

export interface TrialLoad {
  readonly sent: readonly SentTrial[];
  /** The trials that are confirmed now. */
  confirmed(): readonly SentTrial[];
  stop(): Promise<void>;
}

/** Clients that send trials, each wallet several times, until they are stopped. */
export function startTrialLoad(url: string, body: unknown): TrialLoad {
  const sent: SentTrial[] = [];
  let isStopped = false;
  async function tryOne(wallet: Wallet): Promise<void> {
    const proof = toBase64(await signIn(await post(url + CONVERT, body), wallet));
    const trial: SentTrial = { wallet: wallet.address, proof, answer: undefined };
    sent.push(trial);
    trial.answer = await answerOf(post(url + CONVERT, body, { 'sign-in-with-x': proof }));
  }
  const workers = Array.from({ length: WORKERS }, async () => {
    for (let wallet = createWallet(), uses = 1; !isStopped; uses += 1) {
      if (uses % 4 === 0) wallet = createWallet();
      // Without a challenge, the client tries again a little later.
      await tryOne(wallet).catch(() => delay(20));
    }
  });
  return {
    sent,
    confirmed: () => sent.filter(({ answer }) => isConfirmed(answer)),
    async stop() {
      isStopped = true;
      await Promise.all(workers);
    },
  };
}

interface Expected {
  readonly sent: readonly SentTrial[];
  /** Trials that must be charged. All answered ones, unless a backup may lack some. */
  readonly surelyCharged?: readonly SentTrial[];
}

/** Every wallet must have what its client saw, and no proof may work twice. Call it when everything is resolved. */
export async function assertTrialBooks(
  t: ExecutionContext,
  stack: Stack,
  body: unknown,
  { sent, surelyCharged = sent.filter(isAnswered) }: Expected,
): Promise<void> {
  const charged = Map.groupBy(surelyCharged, ({ wallet }) => wallet);
  const wallets = Map.groupBy(sent, ({ wallet }) => wallet);
  const balances = await readBalances(stack, wallets.keys());
  for (const [wallet, trials] of wallets) {
    const possible = BigInt(trials.filter((trial) => isAnswered(trial) || isUncertain(trial)).length);
    const sure = BigInt(charged.get(wallet)?.length ?? 0);
    const balance = balances.get(wallet);
    const [least, most] = [GRANT - PRICE * possible, GRANT - PRICE * sure];
    const seen = trials.map(({ answer }) => `${answer?.status} ${answer?.headers.get('x-trial-status')}`);
    t.true(balance !== undefined && balance >= least && balance <= most, `${wallet}: ${balance}, ${seen.join(', ')}`);
  }
  for (const { proof } of sent.filter(isAnswered).slice(-40)) {
    const again = await until(async () => {
      const answer = await post(stack.urls[0] + CONVERT, body, { 'sign-in-with-x': proof });
      // A lock may outlive its holder by two seconds.
      return answer.status === 503 ? undefined : answer;
    });
    t.regex(`${again.status} ${codeOf(again)}`, /^401 (REPLAYED|EXPIRED)_PROOF$/);
  }
  t.deepEqual(await readBalances(stack, wallets.keys()), balances);
}

function readBalances(stack: Stack, wallets: Iterable<string>): Promise<ReadonlyMap<string, bigint>> {
  return withLedger(stack, async (ledger) => {
    const balances = new Map<string, bigint>();
    for (const wallet of wallets) balances.set(wallet, await ledger.balance(wallet));
    return balances;
  });
}

const isAnswered = ({ answer }: SentTrial) => answer?.status === 200;

/** Whether the client does not know if the trial was charged. */
function isUncertain({ answer }: SentTrial): boolean {
  return (
    answer === undefined || (answer.status !== 200 && answer.headers.get('x-trial-status') === 'accounting_uncertain')
  );
}
