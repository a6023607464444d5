import type { ActionDocument, ReportedAction } from '../../../workers/exact/action-schema.ts';
import { formatInstant, readInstant } from '../../../workers/exact/instants.ts';
import { malformed } from '../tenants/requests.ts';

/** Whether a text is a time that exists. */
export const isInstant = (text: string): boolean => toStored(text) !== undefined;

/** In UTC, with six decimals. The year 0 is refused, because PostgreSQL does not have it (ISO 8601 does). */
function toStored(text: string): string | undefined {
  const instant = readInstant(text);
  const stored = instant === undefined ? undefined : formatInstant(instant);
  return stored?.startsWith('0000') ? undefined : stored;
}

/**
 * The actions as they are stored: their times in one form, and without an outcome that says no more than its absence.
 * @param path of the actions, such as `/actions`
 * @throws {ServiceError} MALFORMED_INPUT for a time that does not exist: the action could never be verified
 */
export function withStoredTimes(actions: readonly ReportedAction[], path: string): readonly ActionDocument[] {
  return actions.map(({ outcome = 'done', ...action }, index) => {
    const stored = (name: 'started_at' | 'ended_at'): string => {
      const time = toStored(action[name]);
      if (time !== undefined) return time;
      throw malformed(`${path}/${index}/${name}`, 'there is no such time');
    };
    return {
      ...action,
      ...(outcome === 'done' ? {} : { outcome }),
      started_at: stored('started_at'),
      ended_at: stored('ended_at'),
    };
  });
}
