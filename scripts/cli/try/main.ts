// `npm run try`: calls the API as a new user.
import { ConfigurationError } from '../../../services/platform/process/environment.ts';
import { errorCodeOf } from '../../launch/parse/error-code.ts';
import { endWithReader } from '../end-with-reader.ts';
import { runTry } from './try.ts';
import { TryError } from './try-error.ts';

/** Errors that the user can act on. Node's own codes, such as ENOENT and ERR_INVALID_URL, start with E. */
const isForUser = (error: unknown): error is Error =>
  error instanceof TryError || error instanceof ConfigurationError || errorCodeOf(error)?.startsWith('E') === true;

endWithReader();
try {
  await runTry(process.argv.slice(2), process.env);
} catch (error) {
  console.error(isForUser(error) ? error.message : error);
  process.exitCode = 1;
}
