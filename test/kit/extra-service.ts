import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { startTied } from '../../scripts/launch/processes/tied-process.ts';
import { entryPoint } from './entry-point.ts';
import { INHERITED } from './inherited.ts';
import type { Environment } from './stack.ts';
import { createTestFolder } from './test-folder.ts';

/** Starts another service of a stack with other settings, until the end of the test. @returns its address */
export function startExtraService(t: ExecutionContext, name: 'maps' | 'backoffice', env: Environment): string {
  const { path, runDir, place, remove } = createTestFolder();
  const target = `unix:${join(runDir, `${name}.sock`)}`;
  const service = startTied({
    command: process.execPath,
    args: [entryPoint(`services/${name}/main.ts`)],
    cwd: path,
    output: place(name).log.output,
    env: { ...INHERITED, TOLLHOUSE_DATA: path, LISTEN: target, ...env },
  });
  t.teardown(async () => {
    await service.stop('SIGTERM', 3000);
    remove();
  });
  return target;
}
