import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import { ConfigurationError } from '../../../../services/platform/process/environment.ts';
import { CommandError, parseArguments, type Terminal } from '../terminal/command.ts';
import { operatorOf, requireReason } from '../terminal/operator.ts';
import { rekey } from './retention-rekey.ts';
import { show } from './retention-show.ts';
import { status } from './retention-status.ts';

const USAGE = `usage: npm run tollhouse -- retention status [--json]
       npm run tollhouse -- retention show REQUEST_ID_OR_RECORD_ID --reason TEXT [--json]
       npm run tollhouse -- retention rekey --reason TEXT [--json]`;
const OPTIONS = { reason: { type: 'string' }, json: { type: 'boolean', default: false } } as const;

/** `retention status|show|rekey`: the bodies of calls that are kept for a review. */
export async function retention([action, ...args]: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArguments(args, OPTIONS, USAGE);
  const [id, ...others] = positionals;
  const { json } = values;
  const by = () => ({ operator: operatorOf(terminal), reason: requireReason(values.reason) });
  try {
    if (action === 'status' && id === undefined && values.reason === undefined) return await status(terminal, { json });
    if (action === 'show' && id !== undefined && others.length === 0)
      return await show(terminal, { id, by: by(), json });
    if (action === 'rekey' && id === undefined) return await rekey(terminal, { by: by(), json });
  } catch (error) {
    throw explain(error);
  }
  throw new CommandError(USAGE, 2);
}

function explain(error: unknown): unknown {
  if (error instanceof ServiceError) return new CommandError(`${error.code}: ${error.message}`);
  return error instanceof ConfigurationError ? new CommandError(error.message) : error;
}
