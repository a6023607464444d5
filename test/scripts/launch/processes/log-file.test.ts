import test from 'ava';
import { toPlain } from '../../../../scripts/launch/processes/log-file.ts';

test('a line of pino is shown as its message and its error, and any other line as it is', (t) => {
  t.is(toPlain('{"level":60,"msg":"process exits: PORT"}'), 'process exits: PORT');
  t.is(toPlain('{"level":50,"msg":"lost","err":{"message":"no server","stack":"…"}}'), 'lost: no server');
  for (const line of ['LOG:  ready', '{"level":50}', '{not JSON']) t.is(toPlain(line), line);
});
