import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { ensureOperatorKey, keepKeys, readKeptKeys } from '../../../scripts/launch/sandbox-key-file.ts';
import { createTestFolder } from '../../kit/test-folder.ts';

test("the sandbox keeps one operator's key, beside other keys, in a file of its owner", (t) => {
  const { path, remove } = createTestFolder();
  t.teardown(remove);
  t.deepEqual(readKeptKeys(path), {});
  const operator = ensureOperatorKey(path);
  t.is(operator.length, 43);
  const file = join(path, 'keys', 'sandbox.json');
  t.is(statSync(file).mode & 0o777, 0o600);
  keepKeys(path, { agent: 'a', approver: 'b', reader: 'c' });
  t.is(ensureOperatorKey(path), operator);
  t.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { operator, agent: 'a', approver: 'b', reader: 'c' });
});
