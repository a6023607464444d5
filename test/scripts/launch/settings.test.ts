import { closeSync, fstatSync, openSync } from 'node:fs';
import test from 'ava';
import { isJournal, readSettings, SANDBOX_TOOLS } from '../../../scripts/launch/settings.ts';
import { PURE_TOOLS } from '../../../workers/plan/pure-tools.ts';

test('the sandbox knows that every pure tool has no effect', (t) => {
  t.is(readSettings({}).toolEffects, SANDBOX_TOOLS);
  const entries = SANDBOX_TOOLS.split(',');
  for (const ref of PURE_TOOLS.keys()) t.true(entries.includes(`${ref.slice(0, ref.indexOf('@'))}=none`), ref);
});

test('logs go to the journal only if it has the output of this very process', (t) => {
  const fd = openSync(import.meta.filename, 'r');
  const { dev, ino } = fstatSync(fd, { bigint: true });
  t.true(isJournal(fd, `${dev}:${ino}`));
  for (const other of [`${dev}:${ino + 1n}`, '', undefined]) t.false(isJournal(fd, other));
  closeSync(fd);
  t.is(readSettings({ TOLLHOUSE_DATA: '/data', JOURNAL_STREAM: '8:1' }).logFolder, '/data/logs');
});

test("the sandbox makes an operator's key only if nothing lets other machines reach it", (t) => {
  const rows: readonly [boolean, Readonly<Record<string, string>>][] = [
    [true, {}],
    [true, { HOST: '127.0.0.1', PORT: '9000', OPERATOR_KEY_HASHES: '' }],
    [false, { TOLLHOUSE_SANDBOX: 'public' }],
    [false, { HOST: '0.0.0.0' }],
    [false, { HOST: '::' }],
    [false, { PUBLIC_URLS: 'https://api.example.com' }],
    [false, { PUBLIC_URLS: 'http://127.0.0.1:8402' }],
    [false, { OPERATOR_KEY_HASHES: `ada:${'0'.repeat(64)}` }],
    [false, { OPERATOR_PAGE: 'public' }],
    [false, { X402_SIGNER_KEY: '0x1' }],
    [false, { X402_SIGNER_KEY_FILE: '/etc/signer' }],
    [false, { X402_FACILITATOR_URL: 'https://facilitator.example' }],
  ];
  for (const [makes, environment] of rows) {
    t.is(readSettings(environment).makesOperatorKey, makes, JSON.stringify(environment));
  }
});
