import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { entryPoint } from './entry-point.ts';
import { INHERITED } from './inherited.ts';

/** Starts a process of the product that ends by itself. */
export async function startAndWait(entry: string, settings: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [entryPoint(entry)], { env: { ...INHERITED, ...settings } });
  const closed = once(child, 'close');
  const output = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
  const [exitCode]: unknown[] = await closed;
  return { exitCode, output };
}
