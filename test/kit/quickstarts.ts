import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once } from '../../gateway/pages/site/once.ts';
import { findPython } from './python.ts';
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

/** The code of a language on the page of an operation, as it stands there. Empty if there is none. */
export function codeOf(page: string, language: Language | 'sh'): string {
  const [, code = ''] = new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\``, 'ms').exec(page) ?? [];
  return code;
}

export interface Programs {
  run(language: Language, code: string): Promise<Ended>;
  remove(): Promise<void>;
}

/** Runs programs that pages show. */
export async function openPrograms(): Promise<Programs> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'quickstart-'));
  const python = once(findPython);
  let count = 0;
  return {
    async run(language, code) {
      count += 1;
      const file = join(folder, `${count}.${language === 'ts' ? 'ts' : 'py'}`);
      await writeFile(file, code);
      const { command, env } = language === 'ts' ? { command: process.execPath, env: process.env } : await python();
      return new Promise((resolve) => {
        const child = execFile(command, [file], { env, timeout: HANG_MS }, (_, stdout, stderr) =>
          resolve({ exitCode: child.exitCode, stdout, stderr }),
        );
      });
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
