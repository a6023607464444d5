import { errorCodeOf } from '../../launch/parse/error-code.ts';
import { CommandError } from './command.ts';

/** Runs a command line in its own process: prints its error, and sets the exit code. */
export async function runAsMain(run: () => Promise<void>): Promise<void> {
  endWithReader();
  try {
    await run();
  } catch (error) {
    const { message, exitCode } = reportOf(error);
    console.error(message);
    process.exitCode = exitCode;
  }
}

/** Ends this process without an error when nobody reads its output any more, as in `npm run try … | head`. */
function endWithReader(): void {
  process.stdout.on('error', (error) => {
    if (errorCodeOf(error) !== 'EPIPE') throw error;
    process.exit();
  });
}

/** What is wrong with a file that an argument names, by the code of the error. */
const UNREADABLE: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'a part of this path is not a folder'],
  ['EISDIR', 'this is a folder, not a file'],
  ['EACCES', 'this user may not read it'],
]);

/** What to print for an error, and the exit code. Errors with a code, such as ENOENT, are printed without a stack. */
export function reportOf(error: unknown): { readonly message: unknown; readonly exitCode: number } {
  if (error instanceof CommandError) return { message: error.message, exitCode: error.exitCode };
  const code = errorCodeOf(error);
  if (!(error instanceof Error) || code === undefined) return { message: error, exitCode: 1 };
  const unreadable = UNREADABLE.get(code);
  if (unreadable === undefined) return { message: error.message, exitCode: 1 };
  // A socket that nobody listens on has such a code, too, and no path.
  return { message: 'path' in error ? `${error.path}: ${unreadable}` : error.message, exitCode: 2 };
}
