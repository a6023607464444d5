import { advice } from './advice.ts';
import { checks } from './checks.ts';
import type { Endpoint } from './endpoint.ts';
import { executions } from './executions.ts';
import { jobs } from './jobs.ts';
import { plans } from './plans.ts';
import { proofs } from './proofs.ts';
import { sheets } from './sheets.ts';
import { status } from './status.ts';
import { users } from './users.ts';

/** Verified execution over HTTP, in the order of its flow. */
export const endpoints: readonly Endpoint[] = [
  ...plans,
  ...checks,
  ...executions,
  ...proofs,
  ...jobs,
  ...advice,
  ...sheets,
  users,
  status,
];
