import { join, relative } from 'node:path';
import { COMMAND_LINES } from '../../services/platform/process/installation.ts';
import type { Unit } from './processes/supervisor.ts';
import type { SandboxKeys } from './sandbox-keys.ts';
import { SANDBOX_CHAIN_ID } from './servers/anvil.ts';
import type { Settings } from './settings.ts';

export interface Announcement {
  readonly say: (line: string) => void;
  readonly settings: Settings;
  readonly origin: string;
  readonly trials: string;
  /** Names of services that are not available. */
  readonly unavailable: readonly string[];
  /** Names of the operations on sale. */
  readonly operations: readonly string[];
  readonly servers: readonly Unit[];
  /** API keys of verified execution; undefined outside the sandbox. */
  readonly keys: SandboxKeys | undefined;
  /** The operator's key that the sandbox made. */
  readonly operatorKey: string | undefined;
  /** The node of the sandbox's chain. */
  readonly chainUrl: string | undefined;
  readonly tookMs: number;
}

const SANDBOX_WARNING = [
  '  ############################################################',
  '  ##  SANDBOX: payments are PLAY MONEY on a private chain   ##',
  `  ##  (chain id ${SANDBOX_CHAIN_ID}). Nothing here is worth anything.    ##`,
  '  ##  Real payments: set X402_FACILITATOR_URL or            ##',
  '  ##  X402_SIGNER_KEY, and X402_PAY_TO.                     ##',
  '  ############################################################',
];

/** Prints what runs and what to try next. */
export function announce(announcement: Announcement): void {
  const { say, settings, origin, trials, unavailable, operations, servers, keys, operatorKey, chainUrl, tookMs } =
    announcement;
  const own = servers.map(({ name }) => name).join(', ');
  const data = relative(process.cwd(), settings.dataDir);
  const folder = data.startsWith('..') ? settings.dataDir : data;
  say('');
  say(`Tollhouse is ready at ${origin} (in ${(tookMs / 1000).toFixed(1)} s)`);
  if (own !== '') say(`  servers   ${own} (started by Tollhouse)`);
  say(`  data      ${folder}`);
  say(`  logs      ${settings.logFolder === undefined ? 'standard output' : join(folder, 'logs')}`);
  say(`  sells     ${operations.join(', ')}`);
  say(`  tools     ${origin}/mcp for what is sold, ${origin}/api/v1/mcp for verified execution (MCP)`);
  say(`  trials    ${trials}`);
  if (chainUrl !== undefined)
    say(`  chain     ${chainUrl} (chain id ${SANDBOX_CHAIN_ID}, JSON-RPC, on this machine only)`);
  if (unavailable.length > 0) say(`  degraded  ${unavailable.join(', ')}: not available`);
  if (settings.isSandbox) for (const line of ['', ...SANDBOX_WARNING]) say(line);
  say('');
  say(`Open it:    ${origin}  documents, and a console to try each operation`);
  if (keys !== undefined) say(`            ${origin}/plans  plans that wait, for the key of the approver`);
  if (operatorKey !== undefined)
    say(`            ${origin}/operator  this server's state, for the key of the operator`);
  if (keys !== undefined) {
    say(`Keys:       ${keys.agent}  agent: proposes plans, records executions`);
    say(`            ${keys.approver}  approver: approves or rejects plans`);
    say(`            ${keys.reader}  reader: reads plans, executions and proofs`);
  }
  if (operatorKey !== undefined) say(`            ${operatorKey}  operator: opens /operator`);
  say(`Try it:     ${COMMAND_LINES.try} html-to-markdown FILE`);
  say(`            ${COMMAND_LINES.try} geocode "QUERY"`);
  say(`            ${COMMAND_LINES.try} reverse-geocode LAT,LON`);
  say(`            ${COMMAND_LINES.try} verified`);
  say('Stop it:    Ctrl-C');
}
