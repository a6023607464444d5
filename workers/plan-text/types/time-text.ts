import { formatInstant, readInstant } from '../../exact/instants.ts';

/** UTC with microseconds. Undefined if the text is not an RFC 3339 time that exists. */
export function toInstant(text: string): string | undefined {
  const instant = readInstant(text);
  return instant === undefined ? undefined : formatInstant(instant);
}

/** Whether a plain text looks like a time, so that its author means one. */
export const looksLikeInstant = (text: string): boolean => /^\d{4}-\d{2}-\d{2}T/.test(text);
