import type { ExecutionContext } from 'ava';
import { DocumentError, type DocumentErrorCode } from '../../../workers/exact/document-error.ts';

/** The code and the path of the DocumentError that a function throws. Undefined if it returns. */
export function thrownBy(run: () => unknown): readonly [DocumentErrorCode, string] | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof DocumentError) return [error.code, error.path];
    throw error;
  }
  return undefined;
}

/** Asserts that a function throws the error of a document with this code and path. */
export function refuses(t: ExecutionContext, run: () => unknown, code: string, path: string, message?: string): void {
  t.like(t.throws(run, undefined, message), { code, path }, message);
}
