import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { Type } from 'typebox';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { entryPoint } from '../../../kit/entry-point.ts';
import { INHERITED } from '../../../kit/inherited.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const ENTRIES = [
  'gateway/main.ts',
  ...['backoffice', 'content', 'maps', 'payments', 'verification'].map((name) => `services/${name}/main.ts`),
];
const WRONG = { LOG_LEVEL: 'foo', REDIS_URL: 'foo', DATABASE_URL: 'foo' };
const readLine = createJsonReader(Type.Object({ level: Type.Number(), msg: Type.String() }), 'a line of the log');

test('every process logs a wrong configuration as the cause of its exit', async (t) => {
  for (const entry of ENTRIES) {
    const child = spawn(process.execPath, [entryPoint(entry)], { cwd: ROOT, env: { ...INHERITED, ...WRONG } });
    const closed = new Promise((resolve) => child.once('close', resolve));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    t.is(await closed, 78, entry);
    t.is(err, '', entry);
    const lines = out.trim().split('\n');
    t.is(lines.length, 1, entry);
    const { level, msg } = readLine(defined(lines[0]));
    t.is(level, 60, entry);
    t.regex(msg, /^process exits: Configuration is not usable:\n.*LOG_LEVEL: found "foo"; it must be /s, entry);
  }
});
