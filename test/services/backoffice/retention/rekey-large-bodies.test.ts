import { randomBytes } from 'node:crypto';
import test from 'ava';
import { createBodyCipher } from '../../../../services/backoffice/retention/body-cipher.ts';
import { rekeyBodies } from '../../../../services/backoffice/retention/rekey.ts';
import { createRekeyOfPlace } from '../../../../services/backoffice/retention/rekey-place.ts';
import { dayOf } from '../../../../services/backoffice/retention/retention-days.ts';
import { recordKeys } from '../../../../services/backoffice/retention/retention-keys.ts';
import type { NamedKey } from '../../../../services/platform/process/named-keys.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { openRetainedCalls } from './retained-calls.ts';

const newKey = (id: string): NamedKey => ({ id, secret: randomBytes(32) });
const [OLD, NEW] = [newKey('old'), newKey('new')];
const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;

// On a busy disk, the write of a large body may take long.
const stores = await createTestDatabase({ statementTimeoutMs: 60_000 });
const { database } = stores;
const { retainCall, close } = openRetainedCalls(stores);
test.after.always(async () => {
  await close();
  await stores.stop();
});

test.serial(
  'a body that is larger than a batch is encrypted again, and so are those before and after it',
  async (t) => {
    const noonMs = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
    const ids: string[] = [];
    // Random bytes cannot be compressed.
    for (const requestBody of [Buffer.from('before'), randomBytes(17 * MIB), Buffer.from('after')]) {
      const { recordId } = await retainCall([OLD], { atMs: noonMs + ids.length, requestBody });
      ids.push(recordId);
    }
    const { rekeyPlace, unreadable } = createRekeyOfPlace({
      database,
      cipher: createBodyCipher([NEW, OLD]),
      from: [OLD.id],
    });
    t.is(await rekeyPlace({ table: 'retained_body', day: dayOf(defined(ids[0])) }), 3);
    t.is(unreadable.size, 0);
    const rows = await database
      .selectFrom('retained_body')
      .select(['record_id', 'key_id'])
      .orderBy('record_id')
      .execute();
    t.deepEqual(
      rows,
      ids.map((record_id) => ({ record_id, key_id: NEW.id })),
    );
  },
);

test.serial('a rekey counts the bodies that it encrypts again', async (t) => {
  for (let calls = 0; calls < 2; calls += 1)
    await retainCall([OLD], { atMs: Date.now(), requestBody: Buffer.from('x') });
  const keys = [NEW, OLD] as const;
  await recordKeys(database, keys);
  const result = await rekeyBodies({ database, keys }, { operator: 'ada', reason: 'a new key' });
  t.like(result, { rekeyed: 2, rekeyedVouchers: 0, left: [], unused: ['old'] });
});
