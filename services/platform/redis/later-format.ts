import { ErrorReply } from 'redis';
import type { StoreName } from './function-library.ts';

interface Formats {
  readonly store: string;
  /** Format of the stored data. */
  readonly found: number;
  /** The latest format that this release knows. */
  readonly known: number;
}

/** A later release stored the data in a format that this release does not know. Nothing was written. */
export class LaterFormatError extends Error {
  override readonly name = 'LaterFormatError';

  constructor({ store, found, known }: Formats, options?: ErrorOptions) {
    super(
      `later_format: the data of the ${store} in Redis has format ${found}, and this release of Tollhouse knows formats up to ` +
        `${known}: run the later release, or restore Redis from a backup of before the upgrade`,
      options,
    );
  }
}

/** Undefined if this release knows the format of the stored data. */
export function findLaterFormat(store: StoreName, found: number, known: number): LaterFormatError | undefined {
  return found > known ? new LaterFormatError({ store, found, known }) : undefined;
}

/** function-prelude.lua writes this error. */
const REFUSAL = /^LATERFORMAT (\w+) (\d+) (\d+)\b/;

/** The error of a function call as a `LaterFormatError`, if it is one. */
export function explainFormat(error: unknown): unknown {
  const [, store, found, known] = error instanceof ErrorReply ? (REFUSAL.exec(error.message) ?? []) : [];
  if (store === undefined) return error;
  return new LaterFormatError({ store, found: Number(found), known: Number(known) }, { cause: error });
}
