import { TextError } from '../faults/text-fault.ts';
import { quote } from '../yaml/fields.ts';
import { asScalar, type TextNode } from '../yaml/text-node.ts';

/** How often: `3`, or `0..200`. @throws {TextError} */
export function readTimes(node: TextNode, limit: number): { readonly min: number; readonly max: number } {
  const { text, at } = asScalar(node, 'how often: 1, or 0..20');
  const match = /^([0-9]{1,6})(?:\s*\.\.\s*([0-9]{1,6}))?$/.exec(text);
  if (match === null)
    throw new TextError('MALFORMED_VALUE', at, `${quote(text)} is not a number of times: write 1, or 0..20`);
  const min = Number(match[1]);
  const max = Number(match[2] ?? match[1]);
  if (max < 1 || max > limit) throw new TextError('OUT_OF_RANGE', at, `the most times are 1 to ${limit}, not ${max}`);
  if (min > max) throw new TextError('OUT_OF_RANGE', at, `${min} is more than ${max}: write ${max}..${min}`);
  return { min, max };
}
