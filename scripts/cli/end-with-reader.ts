import { errorCodeOf } from '../launch/parse/error-code.ts';

/** Ends this process without an error when nobody reads its output any more, as in `npm run try … | head`. */
export function endWithReader(): void {
  process.stdout.on('error', (error) => {
    if (errorCodeOf(error) !== 'EPIPE') throw error;
    process.exit();
  });
}
