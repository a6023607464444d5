/** Whether a plain text looks like a time, so that its author means one. */
export const looksLikeInstant = (text: string): boolean => /^\d{4}-\d{2}-\d{2}T/.test(text);

/** Hours, minutes and seconds of units that durations do not have, or have by another name. */
const UNITS: Readonly<Record<string, readonly [number, string]>> = {
  w: [168, 'h'],
  d: [24, 'h'],
  h: [1, 'h'],
  m: [1, 'm'],
  s: [1, 's'],
};

/** `336h` for `14d`, `14 days` and `P14D`. Undefined if the text is not one number of a unit of time. Months have no length. */
export function explainDuration(text: string): string | undefined {
  const iso = /^P(?:(\d{1,9})([WD])|T(\d{1,9})([HMS]))$/.exec(text);
  const words = /^(\d{1,9}) *(?:(w|d|h|m|s)|(w)eeks?|(d)ays?|(h)(?:ou)?rs?|(m)in(?:ute)?s?|(s)ec(?:ond)?s?)$/.exec(
    text,
  );
  const [, count, unit = ''] = (iso ?? words ?? []).filter((part) => part !== undefined);
  const [factor, name] = UNITS[unit.toLowerCase()] ?? [];
  return factor === undefined ? undefined : `${BigInt(count ?? 0) * BigInt(factor)}${name}`;
}
