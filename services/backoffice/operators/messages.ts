import type { Act, ListedJob } from '../../../proto/gen/tollhouse/backoffice/v1/operator.ts';
import type { RecordedAct } from '../../store/operator-acts.ts';
import type { JobRow } from './operator-jobs.ts';

const ms = (time: Date | null | undefined): bigint => BigInt(time?.getTime() ?? 0);

export const toListedJob = ({ createdAt, dueAt, endedAt, errorCode, errorMessage, ...job }: JobRow): ListedJob => ({
  ...job,
  createdAtMs: ms(createdAt),
  dueAtMs: ms(dueAt),
  endedAtMs: ms(endedAt),
  errorCode: errorCode ?? '',
  errorMessage: errorMessage ?? '',
});

export const toAct = ({ actedAt, ...act }: RecordedAct): Act => ({ ...act, actedAtMs: ms(actedAt) });
