export type Level = 'ok' | 'warning' | 'failure';

/** One thing that `doctor` looked at. */
export interface Finding {
  /** What was looked at, such as `redis.version`. */
  readonly check: string;
  readonly level: Level;
  /** What was found, with the figures. */
  readonly found: string;
  /** What to do about it. Absent if nothing is to be done. */
  readonly action?: string;
}

export const ok = (check: string, found: string): Finding => ({ check, level: 'ok', found });

export const warning = (check: string, found: string, action: string): Finding => ({
  check,
  level: 'warning',
  found,
  action,
});

export const failure = (check: string, found: string, action: string): Finding => ({
  check,
  level: 'failure',
  found,
  action,
});

/** The findings of a look, or one failure if the look itself failed. */
export async function examine(
  check: string,
  action: string,
  look: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [failure(check, error instanceof Error ? error.message : String(error), action)];
  }
}
