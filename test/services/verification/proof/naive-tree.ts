import { createHash } from 'node:crypto';
import { defined } from '../../../../workers/exact/defined.ts';

const sha256 = (...parts: readonly Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** The largest power of two smaller than n. */
const k = (n: number) => 2 ** (Math.ceil(Math.log2(n)) - 1);

/** The recursive definitions of MTH, PATH and SUBPROOF over D[from:to] (RFC 9162, sections 2.1.1, 2.1.3.1 and 2.1.4.1). */
export function createNaiveTree(d: readonly Uint8Array[]) {
  const known = new Map<string, Buffer>();

  function mth(from: number, to: number): Buffer {
    const key = `${from}:${to}`;
    const hash = known.get(key) ?? computeMth(from, to);
    known.set(key, hash);
    return hash;
  }

  function computeMth(from: number, to: number): Buffer {
    if (from === to) return sha256();
    if (to - from === 1) return sha256(Buffer.of(0), defined(d[from]));
    const at = from + k(to - from);
    return sha256(Buffer.of(1), mth(from, at), mth(at, to));
  }

  function path(m: number, from: number, to: number): readonly Buffer[] {
    if (to - from === 1) return [];
    const at = from + k(to - from);
    return from + m < at ? [...path(m, from, at), mth(at, to)] : [...path(m - (at - from), at, to), mth(from, at)];
  }

  function subproof(m: number, from: number, to: number, isWhole: boolean): readonly Buffer[] {
    if (m === to - from) return isWhole ? [] : [mth(from, to)];
    const at = from + k(to - from);
    if (from + m <= at) return [...subproof(m, from, at, isWhole), mth(at, to)];
    return [...subproof(m - (at - from), at, to, false), mth(from, at)];
  }

  return { mth, path, subproof };
}
