import { Type } from 'typebox';

const MAX_DAYS = 36_500;

/** Setting: how long bodies, and checks that no execution has, are kept. The gateway says so to callers, and the back office deletes them. */
export const RetentionDays = Type.Integer({
  default: 30,
  minimum: 1,
  maximum: MAX_DAYS,
  description:
    'days after which retained bodies are deleted, in whole UTC days, and checks of actions that no execution has',
});

/** Environment of the command line. */
export const RetentionDaysConfig = Type.Object({ RETENTION_DAYS: RetentionDays });
