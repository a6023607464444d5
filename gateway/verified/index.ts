import { checks } from './checks.ts';
import type { Endpoint } from './endpoint.ts';
import { executions } from './executions.ts';
import { jobs } from './jobs.ts';
import { plans } from './plans.ts';
import { preflightAction } from './preflight.ts';
import { proofs } from './proofs.ts';
import { reportRun } from './report-run.ts';
import { reservations } from './reservations.ts';
import { exactSelect } from './select.ts';
import { sheets } from './sheets.ts';
import { getStatus } from './status.ts';
import { tables } from './tables.ts';
import { tools } from './tools.ts';
import { listUsers } from './users.ts';

/** The HTTP endpoints of verified execution, in the order of its flow. */
export const endpoints: readonly Endpoint[] = [
  ...plans,
  ...checks,
  reportRun,
  ...executions,
  ...proofs,
  ...jobs,
  preflightAction,
  ...reservations,
  exactSelect,
  ...sheets,
  ...tools,
  ...tables,
  listUsers,
  getStatus,
];
