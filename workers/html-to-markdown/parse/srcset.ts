import type { TreeNode } from './tree.ts';

export interface Candidate {
  readonly address: string;
  /** Pixels, if the candidate states its width. */
  readonly width: number | null;
}

/** The part of a `srcset` that says for which screens a candidate is. */
const DESCRIPTOR = /^[\d.]+[wxh]$/;
const HAS_DESCRIPTOR = /\s[\d.]+[wx]\s*(?:,|$)/;
const COMMAS = /^,+/;
/** Addresses that load nothing. */
const EMPTY = /^(?:data:|about:)/i;
/** A narrower candidate is a preview. */
export const MAX_PREVIEW = 100;
/** No page shows text with wider images. */
const MAX_WIDTH = 2000;

/** Whether an address loads something. */
export function loads(address: string): boolean {
  return address !== '' && !EMPTY.test(address);
}

/** An address, or the candidates of a `srcset` (WHATWG HTML 4.8.4.2.2). Those that load nothing are left out. */
export function readCandidates(value: string | null): readonly Candidate[] {
  if (value === null) return [];
  const found = HAS_DESCRIPTOR.test(value) ? split(value) : [{ address: value.trim(), width: null }];
  return found.filter(({ address }) => loads(address) && !DESCRIPTOR.test(address));
}

function split(value: string): readonly Candidate[] {
  const candidates: Candidate[] = [];
  let address = '';
  for (const token of value.trim().split(/\s+/)) {
    let rest = token.replace(COMMAS, '');
    if (address !== '') {
      const comma = rest.indexOf(',');
      const descriptor = comma < 0 ? rest : rest.slice(0, comma);
      const isOne = DESCRIPTOR.test(descriptor);
      candidates.push({ address, width: isOne && descriptor.endsWith('w') ? Number.parseFloat(descriptor) : null });
      address = '';
      if (isOne) rest = comma < 0 ? '' : rest.slice(comma + 1).replace(COMMAS, '');
    }
    if (rest.endsWith(',')) candidates.push({ address: withoutCommas(rest), width: null });
    else address = rest;
  }
  if (address !== '') candidates.push({ address, width: null });
  return candidates;
}

function withoutCommas(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === ',') end -= 1;
  return text.slice(0, end);
}

/** The first candidate that is no preview, or else the first one. */
export function firstOf(candidates: readonly Candidate[]): string | null {
  const full = candidates.find(({ width }) => width === null || width > MAX_PREVIEW);
  return (full ?? candidates[0])?.address ?? null;
}

/** The widest candidate that is not wider than a page needs. Null if none states that it is wider than a preview. */
export function widestOf(candidates: readonly Candidate[]): string | null {
  let best: string | null = null;
  let bestWidth = MAX_PREVIEW;
  for (const { address, width } of candidates) {
    if (width === null || width <= MAX_PREVIEW) continue;
    const isBetter =
      width <= MAX_WIDTH ? bestWidth > MAX_WIDTH || width > bestWidth : best === null || width < bestWidth;
    if (!isBetter) continue;
    best = address;
    bestWidth = width;
  }
  return best;
}

/** The candidates of the first source of a picture that has some. */
export function candidatesOfPicture(picture: TreeNode): readonly Candidate[] {
  for (let at = picture.firstChild; at !== null; at = at.nextSibling) {
    if (at.nodeName !== 'SOURCE') continue;
    for (const name of ['srcset', 'data-srcset']) {
      const candidates = readCandidates(at.getAttribute(name));
      if (candidates.length > 0) return candidates;
    }
  }
  return [];
}
