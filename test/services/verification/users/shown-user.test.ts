import test from 'ava';
import { maskEmail, showUser } from '../../../../services/verification/users/shown-user.ts';

const ANN = { id: '1', name: 'Ann', email: 'ann.example@example.com', active: true };

test('an address is shown only to a key with the scope', (t) => {
  t.deepEqual(showUser(ANN, true), { ...ANN, email_masked: false });
  t.deepEqual(showUser(ANN, false), { ...ANN, email: 'a•••@example.com', email_masked: true });
});

test('a masked address does not reveal its length', (t) => {
  t.is(maskEmail('a@example.com'), maskEmail('annabel.archibald@example.com'));
});

for (const [email, masked] of [
  ['"a@b"@example.com', '"•••@example.com'],
  ['𝒶nn@example.com', '𝒶•••@example.com'],
  ['@example.com', '•••'],
  ['ann', '•••'],
] as const) {
  test(`masks ${email} as ${masked}`, (t) => {
    t.is(maskEmail(email), masked);
  });
}

test('a name with any form of @ is not shown to a key without the scope', (t) => {
  for (const name of ['ann@example.com', 'Ann <ann＠example.com>']) {
    t.is(showUser({ ...ANN, name }, false).name, null);
    t.is(showUser({ ...ANN, name }, true).name, name);
  }
});

test('a user without an address has no masked address', (t) => {
  t.like(showUser({ ...ANN, email: null }, false), { email: null, email_masked: false });
});
