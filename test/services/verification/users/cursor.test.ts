import test from 'ava';
import { Compile } from 'typebox/schema';
import { ListUsersArguments } from '../../../../services/verification/contract/users.ts';
import { type CursorBinding, decodeCursor, encodeCursor } from '../../../../services/verification/users/cursor.ts';
import { fc } from '../../../kit/fast-check.ts';

const text = fc.string({ unit: 'binary', maxLength: 40 }).filter((value) => value.isWellFormed());
const binding: fc.Arbitrary<CursorBinding> = fc.record({
  tenantId: fc.constantFrom('tenant-1', 'tenant-2'),
  source: fc.constantFrom('embedded', 'hubspot'),
  query: fc.option(fc.constantFrom('', 'ann', 'null'), { nil: undefined }),
  active: fc.option(fc.boolean(), { nil: undefined }),
});
const refused = { code: 'MALFORMED_INPUT' };

test('decodes a cursor to its position', (t) => {
  fc.assert(
    fc.property(text, binding, (position, bound) => decodeCursor(encodeCursor(position, bound), bound) === position),
  );
  t.pass();
});

test('refuses a cursor for another tenant, source or filter', (t) => {
  const pairs = fc.tuple(binding, binding).filter(([a, b]) => JSON.stringify(a) !== JSON.stringify(b));
  fc.assert(
    fc.property(text, pairs, (position, [one, other]) => {
      t.throws(() => decodeCursor(encodeCursor(position, one), other), refused);
    }),
  );
});

test('refuses a cursor that was changed, truncated or spelled differently', (t) => {
  const bound: CursorBinding = { tenantId: 'tenant-1', source: 'embedded', query: undefined, active: true };
  const cursor = encodeCursor('u-17', bound);
  const changed = Array.from(cursor, (character, index) => {
    return cursor.slice(0, index) + (character === 'A' ? 'B' : 'A') + cursor.slice(index + 1);
  });
  for (const wrong of ['', 'A', cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, cursor.slice(1), ...changed]) {
    t.throws(() => decodeCursor(wrong, bound), refused, wrong);
  }
});

test('the schema of the arguments accepts the longest cursor', (t) => {
  const bound: CursorBinding = { tenantId: 'tenant-1', source: 'hubspot', query: undefined, active: undefined };
  const cursor = encodeCursor(`archived:${'x'.repeat(512)}`, bound);
  t.true(Compile(ListUsersArguments).Check({ cursor }));
});
