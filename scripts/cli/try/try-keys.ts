import { COMMAND_LINES } from '../../../services/platform/process/installation.ts';
import { readSandboxKeys } from '../../launch/sandbox-keys.ts';
import { dataFolderOf } from '../../launch/settings.ts';
import { CommandError, type Options } from '../terminal/command.ts';

/** Two keys of one tenant: one proposes plans, the other approves them. */
export interface TryKeys {
  readonly agent: string;
  readonly approver: string;
}

export interface TryKeySources {
  readonly origin: string;
  readonly options: Pick<Options, 'agentKey' | 'approverKey'>;
  readonly environment: NodeJS.ProcessEnv;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const HOW =
  'give two keys of one tenant of that server: TOLLHOUSE_AGENT_KEY and TOLLHOUSE_APPROVER_KEY in the environment, ' +
  'or --agent-key KEY --approver-key KEY';

/**
 * Reads the keys from the options, from the environment, or from the data folder of the local sandbox, in this order.
 * The sandbox's keys are never sent to another machine.
 * @throws {CommandError} that says how to give keys
 */
export function readTryKeys({ origin, options, environment }: TryKeySources): TryKeys {
  const agent = options.agentKey ?? environment['TOLLHOUSE_AGENT_KEY'];
  const approver = options.approverKey ?? environment['TOLLHOUSE_APPROVER_KEY'];
  if (agent && approver) return { agent, approver };
  if (agent || approver) throw new CommandError(`only the ${agent ? 'agent' : 'approver'}'s key was given: ${HOW}`);
  if (!LOOPBACK.test(new URL(origin).hostname)) throw new CommandError(`there are no keys for ${origin}: ${HOW}`);
  const folder = dataFolderOf(environment);
  const kept = readSandboxKeys(folder);
  if (kept === undefined) {
    throw new CommandError(
      `there are no sandbox keys in ${folder}: start a sandbox there (${COMMAND_LINES.start}), or ${HOW}`,
    );
  }
  return kept;
}

/** The message for a server that does not know the keys. */
export const wrongKeys = (origin: string): string => `${origin} does not know this API key: ${HOW}`;
