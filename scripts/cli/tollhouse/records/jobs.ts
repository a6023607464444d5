import { sql } from 'kysely';
import type { Database } from '../../../../services/store/database.ts';
import { recordAct } from '../../../../services/store/operator-acts.ts';
import { type Command, CommandError, UUID } from '../../terminal/command.ts';
import { operatorOf } from '../../terminal/operator.ts';
import { readLimit, toJson } from '../../terminal/options.ts';
import { sayTable } from '../../terminal/table.ts';
import { withDatabase } from '../stores/operator-database.ts';

/** `jobs list`. Jobs that have not ended are first. */
export const listJobs: Command = async (terminal, { limit: wanted, json }) => {
  const limit = readLimit(wanted);
  const found = await withDatabase(terminal, (database) => selectJobs(database, limit));
  if (json) return terminal.say(toJson(found));
  const rows = found.map(({ job_id, tenant_id, state, attempts, due_at, error_code }) => {
    return [job_id, tenant_id, state, `${attempts}`, due_at?.toISOString() ?? '-', error_code ?? ''];
  });
  sayTable(terminal, ['JOB_ID', 'TENANT', 'STATE', 'ATTEMPTS', 'DUE', 'ERROR'], rows);
};

const selectJobs = (database: Database, limit: number) =>
  database
    .selectFrom('job')
    .select(['job_id', 'tenant_id', 'state', 'attempts', 'created_at', 'due_at', 'ended_at', 'error_code'])
    .orderBy('ended_at', (order) => order.desc().nullsFirst())
    .orderBy('due_at')
    .limit(limit)
    .execute();

/** `jobs retry`. A job that fails is tried again at growing intervals; this makes a waiting one due now. */
export const retryJob: Command = async (terminal, _, jobId) => {
  if (!UUID.test(jobId)) throw new CommandError('JOB_ID is an id that "jobs list" prints', 2);
  const state = await withDatabase(terminal, (database) =>
    database.transaction().execute(async (transaction) => {
      const job = await transaction
        .selectFrom('job')
        .select('state')
        .where('job_id', '=', jobId)
        .forUpdate()
        .executeTakeFirst();
      // A running job has a worker. If the worker is gone, another one starts the job again by itself.
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
};
