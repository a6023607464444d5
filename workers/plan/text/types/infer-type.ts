import { toMicroseconds } from '../../../exact/durations.ts';
import { TIME, UNBOUNDED, type ValueType } from '../../language/types.ts';
import type { Constant } from '../../plan.ts';
import { TextError } from '../faults/text-fault.ts';
import { quote } from '../yaml/fields.ts';
import type { ScalarNode } from '../yaml/text-node.ts';
import { decimalsOf, isNumber, malformedNumber, readValue } from './read-value.ts';
import { explainDuration, looksLikeInstant } from './time-text.ts';

const TEXT_MAX = 1_024;
/** `0x10`, `1_000`, `100€` and `5%`: whoever writes them means a number. */
const LIKE_NUMBER = /^[-+.\p{Sc}]*\p{Nd}/u;

/** The type that a value has by the way it is written: `25.00` is a decimal(2), `3` an int, `"3"` a string. */
export function inferType(scalar: ScalarNode): Constant {
  const type = typeOfScalar(scalar);
  return { type, value: readValue(scalar, type) };
}

function typeOfScalar({ text, isQuoted, at }: ScalarNode): ValueType {
  if (isQuoted) return { type: 'string', max: TEXT_MAX };
  if (text === 'true' || text === 'false') return { type: 'bool' };
  if (isNumber(text)) {
    const scale = decimalsOf(text);
    return scale === 0 ? { type: 'int', ...UNBOUNDED } : { type: 'decimal', scale, ...UNBOUNDED };
  }
  if (looksLikeInstant(text)) return TIME;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return TIME;
  const duration = toMicroseconds(text) === undefined ? explainDuration(text) : text;
  if (duration !== undefined) {
    const message = `${quote(text)} has no type here: write { type: duration, value: ${duration} }. Quote it if it is a text`;
    throw new TextError('MALFORMED_TIME', at, message);
  }
  if (LIKE_NUMBER.test(text)) throw malformedNumber(text, at, '. Quote it if it is a text');
  if (/^(?:|~|null|yes|no|on|off|true|false)$/i.test(text)) {
    throw new TextError('MALFORMED_VALUE', at, `${JSON.stringify(text)} is not a value: quote it if it is a text`);
  }
  return { type: 'string', max: TEXT_MAX };
}
