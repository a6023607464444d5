import test from 'ava';
import { openSolver } from '../../../../services/verification/offline/solver.ts';

const KNOWN = { kind: 'known_problem' } as const;

test('users of one process share a solver until the last one closes it, and the next user starts another', async (t) => {
  const [one, other] = await Promise.all([openSolver(), openSolver()]);
  const answers = await Promise.all(Array.from({ length: 40 }, () => one.ask<'known_problem'>(KNOWN)));
  await one.close();
  answers.push(await other.ask<'known_problem'>(KNOWN));
  await other.close();
  const next = await openSolver();
  answers.push(await next.ask<'known_problem'>(KNOWN));
  await next.close();
  for (const answer of answers) t.deepEqual(answer, answers[0]);
});
