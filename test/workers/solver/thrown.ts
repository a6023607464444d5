import { LanguageError, type LanguageErrorCode } from '../../../workers/exact/language-error.ts';

/** The code and path that a function's LanguageError has; undefined if it returns. */
export function thrownBy(run: () => unknown): readonly [LanguageErrorCode, string] | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof LanguageError) return [error.code, error.path];
    throw error;
  }
  return undefined;
}
