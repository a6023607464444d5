import test from 'ava';
import { forgetFingerprintKey, isFingerprintKey } from '../../../services/store/fingerprint-key.ts';
import { listActs } from '../../../services/store/operator-acts.ts';
import { createTestDatabase } from '../../kit/test-database.ts';

const { database, stop } = await createTestDatabase();
test.after.always(stop);

const by = { operator: 'ada', reason: 'the key was lost' };

test('one key counts, that of the first gateway, until an operator has it forgotten', async (t) => {
  t.false(await forgetFingerprintKey(database, by));
  const keys = ['aa', 'bb', 'aa', 'bb'];
  const answers = await Promise.all(keys.map((check) => isFingerprintKey(database, check)));
  const [first, other] = answers[0] ? ['aa', 'bb'] : ['bb', 'aa'];
  t.deepEqual(
    answers,
    keys.map((check) => check === first),
  );
  t.false(await isFingerprintKey(database, String(other)));
  t.true(await forgetFingerprintKey(database, by));
  t.false(await forgetFingerprintKey(database, by), 'it is forgotten already');
  t.true(await isFingerprintKey(database, String(other)));
  t.false(await isFingerprintKey(database, String(first)));
  const acts = await listActs(database, { subject: 'fingerprint-key', limit: 10 });
  t.deepEqual(
    acts.map(({ operator, action }) => `${operator} ${action}`),
    ['gateway calls.adopt-key', 'ada calls.forget-key', 'gateway calls.adopt-key'],
  );
});
