import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Loader, type Plugin } from 'esbuild';
import { createProgress } from '../launch/output/progress.ts';

/**
 * CommonJS modules in a bundle call `require`, which is not defined in an ES module. The others find files from their own
 * location, which is told from that of the bundle: bundles and sources may be moved together.
 */
const BANNER = `import { createRequire as createBundleRequire } from 'node:module';
import { fileURLToPath as bundleUrlToPath } from 'node:url';
const require = createBundleRequire(import.meta.url);
const bundleUrl = (path) => new URL(path, import.meta.url).href;
const bundlePath = (path) => bundleUrlToPath(bundleUrl(path));`;

/** The programs of the product, and their threads. */
export const PROGRAMS = ['gateway/main.ts', 'services/*/main.ts', 'workers/**/worker.ts'];

export interface BundleOptions {
  /** Absolute path of the checkout. */
  readonly root: string;
  /** Absolute path of the folder of the bundles. A bundle has its source's path, with the extension `.js`. */
  readonly outdir: string;
  /** Path from the root of the sources at which the folder will be used, if it is another one. */
  readonly usedAt?: string;
  /** Patterns of paths from the root. */
  readonly entryPoints: readonly string[];
}

/**
 * Bundles each module with its dependencies. A process loads it several times faster than the 700 to 2,100
 * modules of its sources.
 * @returns the paths from the root of all files that are in the bundles
 */
export async function bundle({ entryPoints, ...folders }: BundleOptions): Promise<readonly string[]> {
  const inputs = new Set<string>();
  using progress = createProgress({ title: 'bundled modules' });
  // One after the other: together they would take 900 MB of memory.
  for (const entryPoint of globSync(entryPoints, { cwd: folders.root })) {
    for (const input of await bundleOne(entryPoint, folders)) inputs.add(input);
    progress.add(1, entryPoint);
  }
  return [...inputs];
}

type Folders = Omit<BundleOptions, 'entryPoints'>;

async function bundleOne(entryPoint: string, folders: Folders): Promise<readonly string[]> {
  const { root, outdir } = folders;
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entryPoint],
    outbase: root,
    outdir,
    bundle: true,
    // What is imported later is loaded later. These files are beside the bundle, so that all have one location.
    splitting: true,
    chunkNames: join(dirname(entryPoint), '[name]-[hash]'),
    platform: 'node',
    format: 'esm',
    target: 'node24',
    banner: { js: BANNER },
    // What is thrown names its functions.
    minifySyntax: true,
    minifyWhitespace: true,
    plugins: [ownLocations(entryPoint, folders), latePackages],
    logLevel: 'warning',
    metafile: true,
  });
  // esbuild also lists files that packages leave out for Node, with a prefix.
  return Object.keys(metafile.inputs).filter((path) => !path.startsWith('(disabled):'));
}

/** Keeps each module's own location, from which it finds the files beside it. Workers are started from their bundles. */
function ownLocations(entryPoint: string, { root, outdir, usedAt = relative(root, outdir) }: Folders): Plugin {
  const bundles = join(root, usedAt);
  const folder = dirname(join(bundles, entryPoint));
  const toPath = (path: string) => JSON.stringify(encodeURI(relative(folder, path)));
  const workerBundle = (path: string, specifier: string): string => {
    const source = relative(root, fileURLToPath(new URL(specifier, pathToFileURL(path))));
    return toPath(join(bundles, source.replace(/\.ts$/, '.js')));
  };
  return {
    name: 'own-locations',
    setup(bundler) {
      bundler.onLoad({ filter: /\.(?:ts|[cm]?js)$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        if (!/import\.meta\.(?:url|dirname)|__dirname|__filename/.test(text)) return undefined;
        const loader: Loader = path.endsWith('.ts') ? 'ts' : 'js';
        const own = { url: `bundleUrl(${toPath(path)})`, folder: `bundlePath(${toPath(dirname(path))})` };
        const located = text
          .replaceAll(/new URL\('([^']+\/worker\.ts)', import\.meta\.url\)/g, (_, specifier: string) => {
            return `new URL(bundleUrl(${workerBundle(path, specifier)}))`;
          })
          .replaceAll('import.meta.dirname', own.folder)
          .replaceAll('import.meta.url', own.url);
        if (/(?:const|let|var) __(?:dirname|filename)/.test(text)) return { contents: located, loader };
        const contents = located
          .replaceAll('__dirname', own.folder)
          .replaceAll('__filename', `bundlePath(${toPath(path)})`);
        return { contents, loader };
      });
    },
  };
}

/** A package that is imported late may have no names: what esbuild makes of a CommonJS module has only a default export. */
const latePackages: Plugin = {
  name: 'late-packages',
  setup(bundler) {
    bundler.onResolve({ filter: /^[^.]/ }, ({ path, kind, importer }) => {
      if (kind !== 'dynamic-import' || path.startsWith('node:') || importer.includes('/node_modules/'))
        return undefined;
      return { errors: [{ text: `import ${path} in a module of its own, and that one late` }] };
    });
  },
};
