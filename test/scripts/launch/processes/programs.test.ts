import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { PROCESSES } from '../../../../scripts/generate/configuration.ts';
import { PROGRAMS } from '../../../../scripts/launch/processes/programs.ts';
import { startService } from '../../../../scripts/launch/processes/service-process.ts';
import { FailedStart } from '../../../../scripts/launch/processes/tied-process.ts';
import { SECRETS } from '../../../../services/platform/process/secret-files.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';

const { path: folder, remove } = createTestFolder();
test.after.always(remove);

test('a program gets the secrets that its settings name, files as files, and no others', async (t) => {
  t.deepEqual(Object.keys(PROGRAMS).sort(), Object.keys(PROCESSES).sort());
  const entry = join(folder, 'main.mjs');
  writeFileSync(entry, 'console.log(Object.keys(process.env).join());');
  const given = (name: string, index: number): string => (index % 2 === 0 ? name : `${name}_FILE`);
  Object.assign(process.env, Object.fromEntries(SECRETS.map((name, index) => [given(name, index), 'secret'])));
  for (const [name, program] of Object.entries(PROGRAMS)) {
    let output = '';
    const log = { place: 'none', output: (lines: Buffer) => (output += String(lines)), tail: () => [] };
    const env = { AUTHORIZATION_KEYS: 'made' };
    const service = { ...program, entry, name, bundles: undefined, env, log, isUp: async () => false };
    await t.throwsAsync(startService(service), { instanceOf: FailedStart });
    const found = output.trim().split(',');
    const { properties } = PROCESSES[name] ?? {};
    t.deepEqual(
      SECRETS.flatMap((each) => [each, `${each}_FILE`]).filter((each) => found.includes(each)),
      SECRETS.flatMap((each, index) => (properties !== undefined && each in properties ? [given(each, index)] : [])),
      name,
    );
  }
});
