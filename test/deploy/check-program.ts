import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { PROGRAMS, type ProgramName } from '../../scripts/launch/processes/programs.ts';
import { entryPoint } from '../kit/entry-point.ts';
import { INHERITED } from '../kit/inherited.ts';

const run = promisify(execFile);

export const ROOT = resolve(import.meta.dirname, '../..');
export const DEPLOY = join(ROOT, 'deploy');
export const NAMES = Object.keys(PROGRAMS) as readonly ProgramName[];
export const PAY_TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

export type Settings = Readonly<Record<string, string>>;

/**
 * What a program finds wrong with its settings, as JSON.
 * @param folder is where the settings have /etc/tollhouse
 */
export async function faultsOf(program: ProgramName, settings: Settings, folder: string): Promise<string> {
  const texts = Object.entries(settings).map(([name, value]) => [name, value.replaceAll('/etc/tollhouse', folder)]);
  const env = { ...INHERITED, TOLLHOUSE_DATA: join(folder, 'none'), ...Object.fromEntries(texts) };
  const { stdout } = await run(process.execPath, [entryPoint(PROGRAMS[program].entry), '--check'], { cwd: ROOT, env });
  return stdout.trim();
}
