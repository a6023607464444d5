import { inspect } from 'node:util';
import { Type } from 'typebox';
import { reportOf } from '../../../../scripts/cli/terminal/main.ts';
import { runTollhouse } from '../../../../scripts/cli/tollhouse/tollhouse.ts';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import type { StackAddresses } from '../../../kit/stack.ts';

export interface Ended {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs a command of the operator in this process. */
export async function runCommand(environment: NodeJS.ProcessEnv, args: readonly string[]): Promise<Ended> {
  const lines: string[] = [];
  try {
    await runTollhouse(args, { environment, say: (...said) => lines.push(said.join(' ')) });
    return { exitCode: 0, output: lines.join('\n'), errors: '' };
  } catch (error) {
    const { exitCode, message } = reportOf(error);
    return { exitCode, output: lines.join('\n'), errors: typeof message === 'string' ? message : inspect(message) };
  }
}

/** Runs commands in this process with an environment, each with these first arguments. */
export const commandIn =
  (environment: NodeJS.ProcessEnv, ...first: readonly string[]) =>
  (...args: readonly string[]) =>
    runCommand(environment, [...first, ...args]);

const readFindings = createJsonReader(
  Type.Array(Type.Object({ check: Type.String(), level: Type.String(), found: Type.String() })),
  'findings',
);

/** Runs commands against the servers of a stack. */
export function commandsOf(stack: Pick<StackAddresses, 'databaseUrl' | 'redisUrl' | 'dataDir' | 'runDir' | 'urls'>) {
  const environment = {
    DATABASE_URL: stack.databaseUrl,
    REDIS_URL: stack.redisUrl,
    TOLLHOUSE_DATA: stack.dataDir,
    PAYMENTS_URL: `unix:${stack.runDir}/payments.sock`,
  };
  const run = (...args: readonly string[]) => runCommand(environment, args);
  return {
    run,
    async doctor() {
      const { exitCode, output } = await run('doctor', '--url', stack.urls[0], '--json');
      const findings = readFindings(output);
      return { exitCode, findings, faults: findings.filter(({ level }) => level !== 'ok').map(({ check }) => check) };
    },
  };
}
