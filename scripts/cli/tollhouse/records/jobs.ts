import { sql } from 'kysely';
import type { Database } from '../../../../services/store/database.ts';
import { recordAct } from '../../../../services/store/operator-acts.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { CommandError, expectArguments, type Terminal, UUID } from '../terminal/command.ts';
import { operatorOf } from '../terminal/operator.ts';
import { readListing, toJson } from '../terminal/options.ts';

const USAGE = 'jobs list [--limit N] [--json] | jobs retry JOB_ID';

/**
 * `jobs list|retry`. A durable job that fails is tried again at growing intervals; `retry` makes a waiting job due now.
 * Jobs that have not ended are listed first.
 */
export async function jobs(args: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals, limit, json } = readListing(args, USAGE);
  const [action, ...rest] = positionals;
  if (action === 'retry') return retry(defined(expectArguments(rest, 1, USAGE)[0]), terminal);
  if (action !== 'list') throw new CommandError(`usage: npm run tollhouse -- ${USAGE}`, 2);
  expectArguments(rest, 0, USAGE);
  const found = await withDatabase(terminal, (database) => selectJobs(database, limit));
  if (json) return terminal.say(toJson(found));
  for (const { job_id, tenant_id, state, attempts, due_at, error_code } of found) {
    const next = due_at === null ? '' : `  due ${due_at.toISOString()}`;
    const error = error_code === null ? '' : `  ${error_code}`;
    terminal.say(`${job_id}  tenant ${tenant_id}  ${state}  attempts ${attempts}${next}${error}`);
  }
}

const selectJobs = (database: Database, limit: number) =>
  database
    .selectFrom('job')
    .select(['job_id', 'tenant_id', 'state', 'attempts', 'created_at', 'due_at', 'ended_at', 'error_code'])
    .orderBy('ended_at', (order) => order.desc().nullsFirst())
    .orderBy('due_at')
    .limit(limit)
    .execute();

async function retry(jobId: string, terminal: Terminal): Promise<void> {
  if (!UUID.test(jobId)) throw new CommandError('JOB_ID is an id that "jobs list" prints', 2);
  const state = await withDatabase(terminal, (database) =>
    database.transaction().execute(async (transaction) => {
      const job = await transaction
        .selectFrom('job')
        .select('state')
        .where('job_id', '=', jobId)
        .forUpdate()
        .executeTakeFirst();
      // A running job has a worker, whose lease ends by itself if the worker is gone.
      if (job?.state !== 'queued') return job?.state;
      await transaction
        .updateTable('job')
        .set({ due_at: sql`clock_timestamp()` })
        .where('job_id', '=', jobId)
        .execute();
      const act = { operator: operatorOf(terminal), action: 'jobs.retry', subject: jobId };
      await recordAct(transaction, { ...act, reason: 'try now', detail: {} });
      return job.state;
    }),
  );
  if (state === undefined) throw new CommandError(`there is no job ${jobId}`);
  if (state !== 'queued') throw new CommandError(`job ${jobId} does not wait: it is ${state}`);
  terminal.say(`${jobId} is due now`);
}
