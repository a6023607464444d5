import { withDatabase } from '../stores/operator-database.ts';
import { CommandError, expectArguments, type Terminal } from '../terminal/command.ts';
import { readListing, toJson } from '../terminal/options.ts';

const USAGE = 'jobs list [--limit N] [--json]';

/** `jobs list`. Prints the durable jobs, those that have not ended first. */
export async function jobs(args: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals, limit, json } = readListing(args, USAGE);
  const [action] = expectArguments(positionals, 1, USAGE);
  if (action !== 'list') throw new CommandError(`usage: npm run tollhouse -- ${USAGE}`, 2);
  const found = await withDatabase(terminal, (database) =>
    database
      .selectFrom('job')
      .select(['job_id', 'tenant_id', 'state', 'attempts', 'created_at', 'due_at', 'ended_at', 'error_code'])
      .orderBy('ended_at', (order) => order.desc().nullsFirst())
      .orderBy('due_at')
      .limit(limit)
      .execute(),
  );
  if (json) return terminal.say(toJson(found));
  for (const { job_id, tenant_id, state, attempts, due_at, error_code } of found) {
    const next = due_at === null ? '' : `  due ${due_at.toISOString()}`;
    const error = error_code === null ? '' : `  ${error_code}`;
    terminal.say(`${job_id}  tenant ${tenant_id}  ${state}  attempts ${attempts}${next}${error}`);
  }
}
