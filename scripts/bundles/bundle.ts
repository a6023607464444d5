import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Loader, type Plugin } from 'esbuild';
import { createProgress } from '../cli/terminal/progress.ts';

/** CommonJS modules in a bundle call `require`, which is not defined in an ES module. */
const REQUIRE = `import { createRequire as createBundleRequire } from 'node:module';
const require = createBundleRequire(import.meta.url);`;

export interface BundleOptions {
  /** Absolute path of the checkout. */
  readonly root: string;
  /** Absolute path of the folder of the bundles. A bundle has its source's path, with the extension `.js`. */
  readonly outdir: string;
  /** Patterns of paths from the root. */
  readonly entryPoints: readonly string[];
}

/**
 * Bundles each module with its dependencies into one file. A process loads it several times faster than the 700 to 2,100
 * modules of its sources.
 * @returns the paths from the root of all files that are in the bundles
 */
export async function bundle({ root, outdir, entryPoints }: BundleOptions): Promise<readonly string[]> {
  const inputs = new Set<string>();
  const own = new Set(globSync(entryPoints, { cwd: root }));
  // One after the other: together they would take 900 MB of memory. A set iterates over what is added meanwhile, too.
  using progress = createProgress({ title: 'bundled modules' });
  for (const entryPoint of own) {
    for (const input of await bundleOne(entryPoint, { root, outdir }, own)) inputs.add(input);
    progress.add(1, entryPoint);
  }
  return [...inputs];
}

type Folders = Pick<BundleOptions, 'root' | 'outdir'>;

async function bundleOne(entryPoint: string, { root, outdir }: Folders, own: Set<string>): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entryPoint],
    outbase: root,
    outdir,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    banner: { js: REQUIRE },
    plugins: [ownLocations(outdir, root), ownBundles(root, own)],
    logLevel: 'warning',
    metafile: true,
  });
  // esbuild also lists files that packages leave out for Node, with a prefix.
  return Object.keys(metafile.inputs).filter((path) => !path.startsWith('(disabled):'));
}

/** A program and the check of its settings are bundles of their own, so that the check does not load the program. */
const ownBundles = (root: string, own: Set<string>): Plugin => ({
  name: 'own-bundles',
  setup(bundler) {
    bundler.onResolve({ filter: /^\.\/(?:check|serve)\.ts$/ }, ({ path, kind, importer, resolveDir }) => {
      if (kind !== 'dynamic-import' || basename(importer) !== 'main.ts') return undefined;
      own.add(relative(root, join(resolveDir, path)));
      return { path: path.replace(/\.ts$/, '.js'), external: true };
    });
  },
});

/** Keeps each module's own location, from which it finds the files beside it. Workers are started from their bundles. */
function ownLocations(outdir: string, root: string): Plugin {
  const workerBundle = (path: string, specifier: string): string => {
    const source = fileURLToPath(new URL(specifier, pathToFileURL(path)));
    return pathToFileURL(join(outdir, source.slice(root.length))).href.replace(/\.ts$/, '.js');
  };
  return {
    name: 'own-locations',
    setup(bundler) {
      bundler.onLoad({ filter: /\.(?:ts|[cm]?js)$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        if (!/import\.meta\.(?:url|dirname)|__dirname|__filename/.test(text)) return undefined;
        const loader: Loader = path.endsWith('.ts') ? 'ts' : 'js';
        const located = text
          .replaceAll(/new URL\('([^']+\/worker\.ts)', import\.meta\.url\)/g, (_, specifier: string) => {
            return `new URL('${workerBundle(path, specifier)}')`;
          })
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
        if (/(?:const|let|var) __(?:dirname|filename)/.test(text)) return { contents: located, loader };
        const contents = located
          .replaceAll('__dirname', JSON.stringify(dirname(path)))
          .replaceAll('__filename', JSON.stringify(path));
        return { contents, loader };
      });
    },
  };
}
