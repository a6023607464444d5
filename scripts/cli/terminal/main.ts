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

/** Of files that an argument names and that cannot be read. */
const UNREADABLE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES']);

/** What to print for an error, and the exit code. Errors with a code, such as ENOENT, are printed without a stack. */
export function reportOf(error: unknown): { readonly message: unknown; readonly exitCode: number } {
  if (error instanceof CommandError) return { message: error.message, exitCode: error.exitCode };
  const code = errorCodeOf(error);
  return {
    message: error instanceof Error && code !== undefined ? error.message : error,
    exitCode: UNREADABLE.has(code) ? 2 : 1,
  };
}
