import { type AddressSet, openAddressSet } from './address-set.ts';

/** A file that holds a set of addresses. Another version of it has other contents. */
export interface SetFile {
  readonly file: string;
  readonly version: string;
}

/** Opens each set once, and closes those that are no longer asked for. */
export class AddressSets {
  #open: ReadonlyMap<string, AddressSet> = new Map();

  /** @throws {Error} if a file is not a set of addresses */
  of(files: readonly SetFile[]): readonly AddressSet[] {
    const keys = files.map(({ file, version }) => `${version} ${file}`);
    const isSame = keys.length === this.#open.size && keys.every((key) => this.#open.has(key));
    if (!isSame) {
      const before = this.#open;
      this.#open = new Map(
        files.map(({ file }, index) => {
          const key = keys[index] ?? file;
          return [key, before.get(key) ?? openAddressSet(file)] as const;
        }),
      );
      for (const [key, set] of before) if (!this.#open.has(key)) set.close();
    }
    return [...this.#open.values()];
  }
}
