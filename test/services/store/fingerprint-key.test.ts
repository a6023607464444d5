import test from 'ava';
import { readCallState } from '../../../services/store/call-freeze.ts';
import { forgetFingerprintKey } from '../../../services/store/fingerprint-key.ts';
import { listActs } from '../../../services/store/operator-acts.ts';
import { createTestDatabase } from '../../kit/test-database.ts';

const { database, stop } = await createTestDatabase();
test.after.always(stop);

const isFingerprintKey = async (check: string) => (await readCallState(database, check)).isFingerprintKey;
const by = { operator: 'ada', reason: 'the key was lost' };

test('one key counts, that of the first gateway, until an operator has it forgotten', async (t) => {
  t.false(await forgetFingerprintKey(database, by));
  const keys = ['aa', 'bb', 'aa', 'bb'];
  const answers = await Promise.all(keys.map((check) => isFingerprintKey(check)));
  const [first, other] = answers[0] ? ['aa', 'bb'] : ['bb', 'aa'];
  t.deepEqual(
    answers,
    keys.map((check) => check === first),
  );
  t.false(await isFingerprintKey(String(other)));
  t.true(await forgetFingerprintKey(database, by));
  t.false(await forgetFingerprintKey(database, by), 'it is forgotten already');
  t.true(await isFingerprintKey(String(other)));
  t.false(await isFingerprintKey(String(first)));
  const acts = await listActs(database, { subject: 'fingerprint-key', limit: 10 });
  t.deepEqual(
    acts.map(({ operator, action }) => `${operator} ${action}`),
    ['gateway calls.adopt-key', 'ada calls.forget-key', 'gateway calls.adopt-key'],
  );
});
