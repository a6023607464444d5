import test from 'ava';
import { ask } from '../../../models/ask-solver.ts';
import { asTask, done, smallPlan } from '../../../models/small-plans.ts';

const TABLES =
  '{ people: { key: to, columns: { to: string(254), most: int }, rows: [{ to: ann@example.org, most: 2 }] } }';

const planOf = (rule: string, times = '0..9') =>
  asTask(smallPlan({ steps: `  send: { tool: mail.send@1, times: ${times} }`, rules: [rule], tables: TABLES }));

/** The reasons of a run that sends these mails. */
function reasons(rule: string, addresses: readonly string[]): readonly string[] {
  const actions = JSON.stringify(addresses.map((to) => done('send', '01:00:00', undefined, to)));
  const task = { kind: 'check_run', check: 'constraints', ...planOf(rule), actions } as const;
  const answer = ask(task);
  return answer.judgement.reasons.map(({ message }) => message);
}

const LEAST = 'least(send, s, s.started_at) >= timestamp("2026-11-01T00:00:00Z")';
const LOOKED = 'send.all(s, count(send) <= people[s.to].most)';

test('a rule without a value says why it has none', (t) => {
  t.deepEqual(reasons(LEAST, []), ['has no value: there is no least of no values']);
  t.deepEqual(reasons(LEAST.replace('least', 'greatest'), []), ['has no value: there is no greatest of no values']);
  t.deepEqual(reasons(LOOKED, ['ben@example.org']), ['has no value: a row of people that it looks up is missing']);
});

test('a rule that is broken says which values it compares, as they are written', (t) => {
  const ann = 'ann@example.org';
  const why = (rule: string, addresses: readonly string[] = [ann]) => reasons(rule, addresses).join();
  t.is(why(LEAST.replace('>=', '<')), 'is not met: 2026-11-02T01:00:00.000000Z < 2026-11-01T00:00:00.000000Z is false');
  t.is(why('count(send) * 1.5 > 2.00'), 'is not met: 1.50 > 2.00 is false');
  t.is(why('2 >= count(send) + 2'), 'is not met: 2 >= 3 is false');
  t.is(
    why('send.all(s, s.ended_at - s.started_at == duration("90s"))'),
    'is not met: for action 1 of the run, 0s == 1m30s is false',
  );
  t.is(
    why('send.all(s, s.to == "ben@example.org" || !(s.to in people))', ['cy@example.org', ann]),
    'is not met: for action 2 of the run, "ann@example.org" == "ben@example.org" is false, and for action 2 of the run, "ann@example.org" in people is true',
  );
  t.is(
    why('people.all(p, count(send, s, s.to == p.to) >= p.most)'),
    'is not met: for the row "ann@example.org", 1 >= 2 is false',
  );
  t.is(why('!(count(send) == 1 && approvals >= 1)'), 'is not met: 1 == 1 is true, and 1 >= 1 is true');
});

test('a rule that compares nothing is broken, and one that holds says nothing', (t) => {
  t.deepEqual(reasons('unique(send, s, s.to)', ['ann@example.org', 'ann@example.org']), [
    'a rule of the plan is broken',
  ]);
  t.deepEqual(reasons(LEAST, ['ann@example.org']), []);
  t.deepEqual(reasons(LOOKED, ['ann@example.org']), []);
});
