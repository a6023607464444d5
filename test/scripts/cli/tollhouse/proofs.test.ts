import test from 'ava';
import { sql } from 'kysely';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { runCommand } from './run-command.ts';

const { url, database, stop } = await createTestDatabase();
test.after.always(stop);

const run = (...args: readonly string[]) => runCommand({ DATABASE_URL: url }, ['proofs', ...args]);
const accept = (...args: readonly string[]) => run('accept', '--reason', 'ticket 17', ...args);
const move = () => sql`UPDATE ledger.epoch SET identity = 'another'`.execute(database);

test.serial('wrong arguments are refused with exit code 2', async (t) => {
  for (const args of [[], ['keep'], ['status', 'x'], ['accept'], ['accept', '--reason', 'x', '--force', '--complete']])
    t.is((await run(...args)).exitCode, 2, args.join(' '));
});

test.serial('an open log is accepted only by force', async (t) => {
  t.is((await run('status')).exitCode, 0);
  for (const option of [[], ['--complete']])
    t.like(await accept(...option), { exitCode: 1, errors: 'not accepted: the log of proofs is open' });
  t.regex((await accept('--force')).output, /^Accepted: .* 0 leaves .* its name ends with \/[0-9a-f-]{36} now/);
});

test.serial('a log that a restore closed is accepted', async (t) => {
  await move();
  const closed = await run('status');
  t.is(closed.exitCode, 1);
  t.regex(closed.output, /^recorded {2}another\ncurrent {3}\d+\/\d{8}\/\d+$/);
  t.regex(closed.errors, /^the log of proofs is closed, .*: run tollhouse proofs accept$/);
  t.regex((await accept()).output, /its name ends with/);
  t.is((await run('status', '--json')).exitCode, 0);
  await move();
  t.regex((await accept('--complete')).output, /^Accepted: .*, and keeps its name\.$/);
  t.is((await run('status')).exitCode, 0);
});
