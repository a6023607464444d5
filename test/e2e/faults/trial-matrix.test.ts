import test from 'ava';
import { type Answer, codeOf } from '../../helpers/client.ts';
import { answerOf, startFaultyStack, type Victim } from './faulty-stack.ts';
import { findContradiction, readBooks, type TrialCall, untilQuiet } from './trial-books.ts';
import { eventuallyConfirmed, prepareTrial } from './trial-client.ts';

const BODY = { html: '<h1>Fault</h1>' };
/**
 * Victims, and wallets that call at the same time: one call triggers the fault, and the others are at any step then.
 * Victims that leave reservations open come first: their deadlines pass while the other cases run.
 */
const CASES: readonly (readonly [Victim, number, readonly string[]])[] = [
  // Killed before a step, the gateway leaves the same state as after the step before it.
  ['gateway', 3, ['reserve.before', 'reserve.after', 'execute.after', 'post.before', 'post.after', 'reply.after']],
  // The others take part in some steps only: they are killed before, during and after these.
  ['redis', 3, ['reserve.before', 'reserve.after', 'execute.after', 'post.after']],
  ['postgres', 3, ['reserve.before', 'reserve.after', 'execute.after', 'post.before', 'post.after']],
  // No commit of another call writes the reservation to the disk.
  ['postgres', 1, ['reserve.after', 'execute.after', 'post.before']],
  ['backoffice', 3, ['reserve.before', 'reserve.after', 'execute.after', 'post.before', 'post.after']],
  ['content', 3, ['reserve.before', 'execute.before', 'execute.after', 'post.before']],
];

const calls: TrialCall[] = [];
const stack = await startFaultyStack();
test.after.always(() => stack.stop());

for (const [victim, together, steps] of CASES) {
  for (const step of steps) {
    const name = `${victim} killed at ${step} of ${together}`;
    test.serial(`trials go on after ${name}`, async (t) => {
      const wallets = await Promise.all(Array.from({ length: together }, () => prepareTrial(stack.url, BODY)));
      const armed = stack.arm(step, victim);
      const answered = Promise.all(wallets.map(({ send }) => answerOf(send())));
      await armed.hit();
      await stack.revive(victim);
      const answers = await answered;
      for (const [index, { wallet }] of wallets.entries()) calls.push({ name, wallet, answer: answers[index] });
      t.log(answers.map(describe).join(', '));
      for (const answer of answers)
        t.true(answer !== undefined || victim === 'gateway', 'only a dead gateway is silent');
      await eventuallyConfirmed(stack.url, BODY, calls, name);
    });
  }
}

test.serial("after the sweeps, the books agree with every client's answer", async (t) => {
  await untilQuiet(stack);
  const books = await readBooks(stack);
  t.deepEqual(books.violations, []);
  t.is(books.pending, 0);
  for (const call of calls) t.is(findContradiction(call, books), undefined, `${call.name}: ${call.wallet}`);
});

function describe(answer: Answer | undefined): string {
  if (answer === undefined) return 'no answer';
  return `${answer.status} ${codeOf(answer) ?? ''} ${answer.headers.get('x-trial-status')}`;
}
