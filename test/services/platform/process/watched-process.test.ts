import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { entryPoint } from '../../../helpers/entry-point.ts';
import { INHERITED } from '../../../helpers/inherited.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const ENTRIES = [
  'gateway/main.ts',
  ...['backoffice', 'content', 'maps', 'payments', 'verification'].map((name) => `services/${name}/main.ts`),
];
const WRONG = { LOG_LEVEL: 'foo', REDIS_URL: 'foo', DATABASE_URL: 'foo' };

test('every process reports a wrong configuration in its log, as the cause of its exit', async (t) => {
  for (const entry of ENTRIES) {
    const child = spawn(process.execPath, [entryPoint(entry)], { cwd: ROOT, env: { ...INHERITED, ...WRONG } });
    const closed = new Promise((resolve) => child.once('close', resolve));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    t.is(await closed, 1, entry);
    t.is(err, '', entry);
    const lines = out.trim().split('\n');
    t.is(lines.length, 1, entry);
    const { level, msg } = JSON.parse(lines[0] ?? '') as { readonly level: number; readonly msg: string };
    t.is(level, 60, entry);
    t.regex(msg, /^process exits: Configuration is not usable:\n.*LOG_LEVEL: found "foo"; it must be /s, entry);
  }
});
