import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defined } from '../../workers/exact/defined.ts';
import type { Generated } from './generated.ts';

const run = promisify(execFile);

/** Generates TypeScript from `proto/` according to buf.gen.yaml. @throws {Error} with buf's message if a proto is wrong */
export async function generateStubs(root: string): Promise<Generated> {
  const work = mkdtempSync(join(tmpdir(), 'tollhouse-stubs-'));
  // buf finds ts-proto on the PATH.
  const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${defined(process.env['PATH'])}` };
  try {
    await run('buf', ['generate', '--output', work], { cwd: root, env });
    const paths = globSync('proto/gen/**/*.ts', { cwd: work });
    return {
      owned: 'proto/gen/**/*.ts',
      files: new Map(paths.map((path) => [path, readFileSync(join(work, path), 'utf8')])),
    };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
