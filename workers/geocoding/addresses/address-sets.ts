import { type AddressSet, openAddressSet } from './address-set.ts';

/** A file that holds a set of addresses. Another version of it has other contents. */
export interface SetFile {
  readonly file: string;
  readonly version: string;
  readonly bytes: number;
}

/**
 * The code of an answer that says that a file is not a set, or is damaged. The message is the index of the file in the task,
 * a space, and the reason.
 */
export type UnreadableSetCode = 'UNREADABLE_SET';

/** A file is not a set of addresses of this version, or is damaged. */
export class UnreadableSetError extends Error {
  override readonly name = 'UnreadableSetError';
  readonly index: number;

  constructor(index: number, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.index = index;
  }
}

/** Opens each set once, and closes those that are no longer asked for. */
export class AddressSets {
  #open: ReadonlyMap<string, AddressSet> = new Map();

  /**
   * Asks each set, and joins what they answer.
   * @throws {UnreadableSetError} if a file cannot be read
   */
  ask<Found>(files: readonly SetFile[], question: (set: AddressSet) => readonly Found[]): readonly Found[] {
    const open = this.#openAll(files);
    return open.flatMap((set, index) => readable(index, () => question(set)));
  }

  #openAll(files: readonly SetFile[]): readonly AddressSet[] {
    const keys = files.map(({ file, version }) => `${version} ${file}`);
    const isSame = keys.length === this.#open.size && keys.every((key) => this.#open.has(key));
    if (isSame) return [...this.#open.values()];
    const before = this.#open;
    const opened = new Map<string, AddressSet>();
    try {
      for (const [index, { file, bytes }] of files.entries()) {
        const key = keys[index] ?? file;
        opened.set(
          key,
          before.get(key) ??
            readable(
              index,
              () => openAddressSet(file, bytes),
              () => true,
            ),
        );
      }
    } catch (error) {
      for (const [key, set] of opened) if (!before.has(key)) set.close();
      throw error;
    }
    this.#open = opened;
    for (const [key, set] of before) if (!opened.has(key)) set.close();
    return [...opened.values()];
  }
}

/** SQLite's own errors are faults of the file. Any other is a fault of this program. */
function isFaultOfFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}

function readable<T>(index: number, read: () => T, isFault: (error: unknown) => boolean = isFaultOfFile): T {
  try {
    return read();
  } catch (error) {
    throw isFault(error) ? new UnreadableSetError(index, error) : error;
  }
}
