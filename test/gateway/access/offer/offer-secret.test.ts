import { createHash } from 'node:crypto';
import test from 'ava';
import { createOfferSecrets } from '../../../../gateway/access/offer/offer-secret.ts';

const KEY = Buffer.alloc(32, 1);
const OTHER_KEY = Buffer.alloc(32, 2);
const secrets = createOfferSecrets({ keys: [KEY], deploymentId: 'test' });

test('every secret is new and recognized, and its hash is its SHA-256', (t) => {
  const made = Array.from({ length: 2000 }, () => secrets.create());
  t.is(new Set(made).size, made.length);
  for (const secret of made) {
    t.regex(secret, /^[A-Za-z0-9_-]{48}$/);
    t.deepEqual(secrets.hashOf(secret), createHash('sha256').update(secret).digest());
  }
});

test('accepts a secret under every accepted key', (t) => {
  const secret = secrets.create();
  const rotated = createOfferSecrets({ keys: [OTHER_KEY, KEY], deploymentId: 'test' });
  t.deepEqual(rotated.hashOf(secret), secrets.hashOf(secret));
  t.is(createOfferSecrets({ keys: [OTHER_KEY], deploymentId: 'test' }).hashOf(secret), undefined);
  t.is(createOfferSecrets({ keys: [KEY], deploymentId: 'production' }).hashOf(secret), undefined);
});

test('refuses a secret with any character changed', (t) => {
  const secret = secrets.create();
  for (let at = 0; at < secret.length; at += 1) {
    const changed = secret.slice(0, at) + (secret[at] === 'A' ? 'B' : 'A') + secret.slice(at + 1);
    t.is(secrets.hashOf(changed), undefined, changed);
  }
});

for (const [title, value] of [
  ['nothing', undefined],
  ['an empty text', ''],
  ['another type', { toString: () => secrets.create() }],
  ['a list', [secrets.create()]],
  ['a secret with white space', ` ${secrets.create()}`],
  ['a secret in base64 with padding', `${secrets.create()}==`],
  ['zeros', 'A'.repeat(48)],
] as const) {
  test(`${title} is not recognized as a secret`, (t) => {
    t.is(secrets.hashOf(value), undefined);
  });
}
