import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { build } from 'esbuild';
import { defined } from '../../workers/exact/defined.ts';
import type { Generated } from './generated.ts';

const FOLDER = 'gateway/pages/assets/generated';

const ENTRY_POINTS = ['gateway/pages/browser/*/main.ts'];

/** Modules for browsers, each with its dependencies in one file: a browser loads no packages. */
export async function generateBrowserModules(root: string): Promise<Generated> {
  const files = new Map<string, string>();
  for (const entryPoint of globSync(ENTRY_POINTS, { cwd: root }).sort()) {
    files.set(`${FOLDER}/${basename(dirname(entryPoint))}.js`, await bundleForBrowsers(root, entryPoint));
  }
  return { owned: `${FOLDER}/*.js`, files };
}

/**
 * The text of a module with its dependencies.
 * @param external patterns of imports that stay
 */
export async function bundleForBrowsers(root: string, entryPoint: string, external: string[] = []): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entryPoint],
    bundle: true,
    external,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    legalComments: 'inline',
    logLevel: 'warning',
    write: false,
  });
  return defined(outputFiles[0]).text;
}
