import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, inspect } from 'node:util';
import { once } from '../../gateway/pages/site/once.ts';
import { findQuickstartPython } from './python.ts';
import { HANG_MS } from './until.ts';

/** In the checkout, so that packages are found. */
const CACHE = fileURLToPath(new URL('../../.cache/', import.meta.url));

export type Language = 'ts' | 'python';

export interface Ended {
  /** Null if the program did not end by itself. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The first code of a language on a page, as it stands there. Empty if there is none. */
export function codeOf(page: string, language: Language | 'sh' | 'json'): string {
  const [, code = ''] = new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\``, 'ms').exec(page) ?? [];
  return code;
}

export interface Programs {
  run(language: Language, code: string): Promise<Ended>;
  /** Runs a program in TypeScript in this process, one at a time. An error that it throws is what a process prints. */
  runHere(code: string): Promise<Ended>;
  remove(): Promise<void>;
}

/** Runs programs that pages show. */
export async function openPrograms(): Promise<Programs> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'quickstart-'));
  const python = once(findQuickstartPython);
  let count = 0;
  const keep = async (language: Language, code: string) => {
    count += 1;
    const file = join(folder, `${count}.${language === 'ts' ? 'ts' : 'py'}`);
    await writeFile(file, code);
    return file;
  };
  return {
    async run(language, code) {
      const file = await keep(language, code);
      const { command, env } = language === 'ts' ? { command: process.execPath, env: process.env } : await python();
      return new Promise((resolve) => {
        const child = execFile(command, [file], { env, timeout: HANG_MS }, (_, stdout, stderr) =>
          resolve({ exitCode: child.exitCode, stdout, stderr }),
        );
      });
    },
    async runHere(code) {
      const file = await keep('ts', code);
      const { log } = console;
      let stdout = '';
      console.log = (...values: unknown[]) => {
        stdout += `${format(...values)}\n`;
      };
      try {
        await import(file);
        return { exitCode: 0, stdout, stderr: '' };
      } catch (error) {
        return { exitCode: 1, stdout, stderr: inspect(error) };
      } finally {
        console.log = log;
      }
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
