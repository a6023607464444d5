import test from 'ava';
import { openBuyers, type SignedCall } from '../../kit/buyers.ts';
import { CONVERT } from '../../kit/client.ts';
import { describe, findDifferences } from './books.ts';
import { answerOf, BODY, eventuallyConfirmed, startFaultyStack, type Victim } from './faulty-stack.ts';
import { untilQuiet } from './quiet.ts';

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

const calls: SignedCall[] = [];
const stack = await startFaultyStack();
const buyers = openBuyers(stack.url);
test.after.always(() => stack.stop());

for (const [victim, together, steps] of CASES) {
  for (const step of steps) {
    test.serial(`trials go on after ${victim} killed at ${step} of ${together}`, async (t) => {
      const signed = await Promise.all(Array.from({ length: together }, () => buyers.trial().sign(CONVERT, BODY)));
      calls.push(...signed);
      const armed = stack.arm(step, victim);
      const answered = Promise.all(signed.map((call) => answerOf(call.send())));
      await armed.hit();
      await stack.revive(victim);
      const answers = await answered;
      t.log(answers.map(describe).join(', '));
      t.true(victim === 'gateway' || !answers.includes(undefined), 'only a dead gateway is silent');
      await eventuallyConfirmed(stack.url, calls);
    });
  }
}

test.serial("after the sweeps, the books agree with every client's answer", async (t) => {
  await untilQuiet(stack);
  t.deepEqual(await findDifferences(stack, { trials: calls }), []);
});
