import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type AddressSet, openAddressSet } from './address-set.ts';

/** The sets of addresses in a folder. */
export interface AddressSets {
  /** The sets that are there at `atMs`, by name. A set that was replaced or removed is noticed within a second. */
  at(atMs: number): readonly AddressSet[];
}

/** The ending of the file of a set. */
export const SET_ENDING = '.places';
const CHECK_MS = 1000;

interface OpenSet {
  /** Identifies the contents of the file. */
  readonly version: string;
  readonly set: AddressSet;
}

/** @throws {Error} if a file in the folder is not a set, or the folder cannot be read */
export function openAddressSets(folder: string): AddressSets {
  let open: ReadonlyMap<string, OpenSet> = new Map();
  let checkedMs = Number.NEGATIVE_INFINITY;

  function check(): void {
    const found = new Map<string, OpenSet>();
    for (const name of readdirSync(folder).toSorted()) {
      if (!name.endsWith(SET_ENDING)) continue;
      const file = join(folder, name);
      const { ino, mtimeMs, size } = statSync(file);
      const version = `${ino} ${mtimeMs} ${size}`;
      const known = open.get(name);
      found.set(name, known?.version === version ? known : { version, set: openAddressSet(file) });
    }
    for (const [name, { set }] of open) if (found.get(name)?.set !== set) set.close();
    open = found;
  }

  return {
    at: (atMs) => {
      // A clock that was set back must not keep old sets open.
      if (Math.abs(atMs - checkedMs) >= CHECK_MS) {
        check();
        checkedMs = atMs;
      }
      return [...open.values()].map(({ set }) => set);
    },
  };
}
