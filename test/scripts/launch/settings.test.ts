import { closeSync, fstatSync, openSync } from 'node:fs';
import test from 'ava';
import { isJournal, readSettings, SANDBOX_TOOLS } from '../../../scripts/launch/settings.ts';
import { PURE_TOOLS } from '../../../workers/replay/pure-tools.ts';

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
