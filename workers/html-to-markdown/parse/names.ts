import { html } from 'parse5';
import type { Source } from './source.ts';

const CAPITAL_A = 0x41;
const CAPITAL_Z = 0x5a;
const TO_SMALL = 0x20;
const MAX_NAMES = 2000;
const MAX_KEPT_UNITS = 100;
const SLOTS = 1024;

/** A tag or attribute name in lower case. */
export interface Name {
  readonly text: string;
  readonly tagId: html.TAG_ID;
}

interface Entry extends Name {
  readonly next: Entry | undefined;
}

/**
 * Known names, and names that were read before. A name in a source is found by its code units, so no string is made for it.
 * Nearly all names of documents are among few, so a limited number is kept.
 */
export class NameTable {
  private readonly slots: (Entry | undefined)[] = new Array(SLOTS).fill(undefined);
  private size = 0;

  /** `known` are kept first, so that no document can crowd them out. */
  constructor(known: readonly string[]) {
    for (const name of known) {
      let hash = 0;
      for (let at = 0; at < name.length; at += 1) hash = hashWith(hash, name.charCodeAt(at));
      this.keep(name, hash);
    }
  }

  /** The ASCII name at a place of a source. `hash` is the fold of `hashWith` over its lower-case units. */
  find(source: Source, start: number, end: number, hash: number): Name {
    for (let entry = this.slots[hash & (SLOTS - 1)]; entry !== undefined; entry = entry.next) {
      if (isAt(entry.text, source.units, start, end)) return entry;
    }
    const text = source.html.slice(start, end).toLowerCase();
    if (this.size === MAX_NAMES || text.length > MAX_KEPT_UNITS) return { text, tagId: html.getTagID(text) };
    // A copy, because a slice would keep the source in memory.
    return this.keep(` ${text}`.slice(1), hash);
  }

  private keep(text: string, hash: number): Entry {
    const slot = hash & (SLOTS - 1);
    const entry = { text, tagId: html.getTagID(text), next: this.slots[slot] };
    this.slots[slot] = entry;
    this.size += 1;
    return entry;
  }
}

/** The lower-case form of an ASCII code unit. */
export function toSmall(unit: number): number {
  return unit >= CAPITAL_A && unit <= CAPITAL_Z ? unit + TO_SMALL : unit;
}

/** The hash of a name with one more lower-case code unit. The hash of an empty name is 0. */
export function hashWith(hash: number, unit: number): number {
  return (hash * 31 + unit) & 0xffffff;
}

function isAt(name: string, units: Uint16Array, start: number, end: number): boolean {
  const { length } = name;
  if (length !== end - start) return false;
  for (let at = 0; at < length; at += 1) {
    if (name.charCodeAt(at) !== toSmall(units[start + at] ?? 0)) return false;
  }
  return true;
}
