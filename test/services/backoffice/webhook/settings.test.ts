import test from 'ava';
import { readReceiver } from '../../../../services/backoffice/webhook/settings.ts';
import { ConfigurationError } from '../../../../services/platform/process/environment.ts';

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`;
const SECRET = secretOf(32);

test('the webhook is https, or on this machine, and has a secret', (t) => {
  for (const url of ['https://hooks.example/in?x=1', 'http://127.0.0.1:8500/']) {
    t.deepEqual(readReceiver({ WEBHOOK_URL: url, WEBHOOK_SECRET: SECRET }), {
      url: new URL(url),
      key: Buffer.alloc(32, 1),
    });
  }
  t.is(readReceiver({ WEBHOOK_URL: 'https://a.example', WEBHOOK_SECRET: secretOf(64) })?.key.length, 64);
  t.is(readReceiver({}), undefined);
});

const WRONG: readonly (readonly [string | undefined, string | undefined])[] = [
  [undefined, SECRET],
  ['https://hooks.example', undefined],
  ['https://hooks.example', secretOf(31)],
  ['https://hooks.example', secretOf(65)],
  ['https://hooks.example', SECRET.slice(6)],
  ['https://hooks.example', `${SECRET} `],
  ['http://hooks.example', SECRET],
  ['https://user@hooks.example', SECRET],
  ['https://:hunter2@hooks.example', SECRET],
  ['ftp://127.0.0.1', SECRET],
  ['hooks.example', SECRET],
];
for (const [url, secret] of WRONG) {
  test(`refuses the webhook ${url} with ${secret}, and repeats neither`, (t) => {
    const values = {
      ...(url === undefined ? {} : { WEBHOOK_URL: url }),
      ...(secret === undefined ? {} : { WEBHOOK_SECRET: secret }),
    };
    const { message } = t.throws(() => readReceiver(values), { instanceOf: ConfigurationError });
    t.regex(message, /^WEBHOOK_(URL|SECRET): found/);
    t.notRegex(message, /hooks\.|hunter2|AQEB/);
  });
}
