import test from 'ava';
import { readCallFreeze, setCallFreeze } from '../../../services/store/call-freeze.ts';
import { findBrokenAct, listActs } from '../../../services/store/operator-acts.ts';
import { createTestDatabase } from '../../kit/test-database.ts';

const { database, stop } = await createTestDatabase();
test.after.always(stop);

test('a freeze is an act: who, when and why, recorded once however often it is asked for', async (t) => {
  t.deepEqual(await readCallFreeze(database), { isFrozen: false, changed: undefined });
  const by = { operator: 'ada', reason: 'the chain halted' };
  const frozen = await Promise.all([1, 2, 3].map(() => setCallFreeze(database, true, by)));
  for (const one of frozen) t.like(one, { isFrozen: true, changed: by });
  t.like(await readCallFreeze(database), { isFrozen: true, changed: by });
  await setCallFreeze(database, false, { operator: 'bob', reason: 'it goes on' });
  t.like(await readCallFreeze(database), { isFrozen: false, changed: { operator: 'bob' } });
  const acts = await listActs(database, { subject: 'calls', limit: 10 });
  t.deepEqual(
    acts.map(({ operator, action }) => `${operator} ${action}`),
    ['bob calls.unfreeze', 'ada calls.freeze'],
  );
  t.is(await findBrokenAct(database), undefined);
});
