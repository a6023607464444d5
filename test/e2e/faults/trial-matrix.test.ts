import test from 'ava';
import { createWallet } from '../../helpers/chain.ts';
import { type Answer, CONVERT, codeOf, post, signIn, toBase64, tryOnce } from '../../helpers/client.ts';
import { answerOf, eventually, type FaultyStack, startFaultyStack, type Victim } from './faulty-stack.ts';
import { findContradiction, readBooks, type TrialCall, untilQuiet } from './trial-books.ts';

const BODY = { html: '<h1>Fault</h1>' };
const STEPS = ['reserve', 'execute', 'retain', 'post', 'reply'].flatMap((step) => [`${step}.before`, `${step}.after`]);
/** Those first that leave reservations open: their deadlines pass while the others are tried. */
const VICTIMS: readonly Victim[] = ['gateway', 'redis', 'postgres', 'backoffice', 'content'];
/** Wallets that call together: the fault meets the others wherever they are. */
const TOGETHER = 3;
/** The operation's 20 s, 10 s for the accounting, 5 s of grace, and then the sweep. */
const SWEPT_MS = 60_000;

const calls: TrialCall[] = [];
let stack: FaultyStack;
test.before(async () => {
  stack = await startFaultyStack();
});
test.after.always(() => stack?.stop());

const isConfirmed = (answer: Answer | undefined) => answer?.headers.get('x-trial-accounting-status') === 'confirmed';

async function prepare() {
  const wallet = createWallet();
  const proof = toBase64(await signIn(await post(stack.url + CONVERT, BODY), wallet));
  const call = (): Promise<Answer> => post(stack.url + CONVERT, BODY, { 'sign-in-with-x': proof });
  return { wallet: wallet.address, call };
}

/** A trial that is confirmed again shows that the product has come back by itself. Failed ones are in the books too. */
function recovered(name: string): Promise<true> {
  return eventually(`confirmed after ${name}`, async () => {
    const wallet = createWallet();
    const answer = await answerOf(tryOnce(stack.url, BODY, wallet));
    calls.push({ name: `recovery of ${name}`, wallet: wallet.address, answer });
    return isConfirmed(answer) || undefined;
  });
}

for (const victim of VICTIMS) {
  for (const step of STEPS) {
    const name = `${victim} killed at ${step}`;
    test.serial(`trials go on after ${name}`, async (t) => {
      const wallets = await Promise.all(Array.from({ length: TOGETHER }, prepare));
      const armed = stack.arm(step, victim);
      const answered = Promise.all(wallets.map(({ call }) => answerOf(call())));
      await armed.hit();
      await stack.revive(victim);
      const answers = await answered;
      for (const [index, { wallet }] of wallets.entries()) calls.push({ name, wallet, answer: answers[index] });
      t.log(answers.map(describe).join(', '));
      for (const answer of answers)
        t.true(answer !== undefined || victim === 'gateway', 'only a dead gateway is silent');
      await recovered(name);
    });
  }
}

test.serial('what every client was told is what the books say once the sweeps are done', async (t) => {
  await untilQuiet(stack, SWEPT_MS);
  const books = await readBooks(
    stack,
    calls.map(({ wallet }) => wallet),
  );
  t.deepEqual(books.violations, []);
  t.is(books.pending, 0);
  for (const call of calls) t.is(findContradiction(call, books), undefined, `${call.name}: ${call.wallet}`);
});

function describe(answer: Answer | undefined): string {
  if (answer === undefined) return 'no answer';
  return `${answer.status} ${codeOf(answer) ?? ''} ${answer.headers.get('x-trial-status')}`;
}
