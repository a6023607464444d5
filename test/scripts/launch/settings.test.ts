import test from 'ava';
import { readSettings, SANDBOX_TOOLS } from '../../../scripts/launch/settings.ts';
import { PURE_TOOLS } from '../../../workers/replay/pure-tools.ts';

test('the sandbox knows that every pure tool has no effect', (t) => {
  t.is(readSettings({}).toolEffects, SANDBOX_TOOLS);
  const entries = SANDBOX_TOOLS.split(',');
  for (const ref of PURE_TOOLS.keys()) t.true(entries.includes(`${ref.slice(0, ref.indexOf('@'))}=none`), ref);
});
