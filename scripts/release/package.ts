import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Type } from 'typebox';
import { bundle, PROGRAMS } from '../bundles/bundle.ts';
import { createJsonReader } from '../launch/parse/json-reader.ts';

const ENTRY_POINTS = [...PROGRAMS, 'scripts/cli/tollhouse/main.ts'];
/** What is in no bundle and is read from its place: pages, documents, data, messages of gRPC, SQL. */
const SHIPPED = [
  'bin',
  'deploy',
  'docs',
  'gateway',
  'proto',
  'services',
  'workers',
  'openapi.json',
  'CHANGELOG.md',
  'LICENSE',
];
const IS_SOURCE = /\.(?:ts|sol)$|tsconfig\.json$/;

const Manifest = Type.Record(Type.String(), Type.Unknown());
const LockFile = Type.Object({ packages: Type.Record(Type.String(), Manifest) });
const readManifest = createJsonReader(Manifest, 'package.json');
const readLockFile = createJsonReader(LockFile, 'package-lock.json');

/**
 * Makes the package of a checkout: the files that git knows, with bundles in place of the sources, and with the packages of
 * the lock file that run.
 * @param folder is replaced
 * @returns the path of the tarball in it
 */
export async function buildPackage(root: string, folder: string): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  const staged = join(folder, 'package');
  const files = execFileSync('git', ['ls-files', '-z', '--', ...SHIPPED], { cwd: root, encoding: 'utf8' }).split('\0');
  for (const path of files.filter((each) => each !== '' && !IS_SOURCE.test(each))) {
    mkdirSync(join(staged, dirname(path)), { recursive: true });
    // npm packs no links, so what a link points to is copied.
    copyFileSync(join(root, path), join(staged, path));
  }
  await bundle({ root, outdir: join(staged, 'dist'), usedAt: 'dist', entryPoints: ENTRY_POINTS });
  const manifest = manifestOf(root);
  writeFileSync(join(staged, 'package.json'), toText(manifest));
  writeFileSync(join(staged, 'npm-shrinkwrap.json'), toText(shrinkwrapOf(root, manifest)));
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    cwd: staged,
    encoding: 'utf8',
  });
  return join(folder, packed.trim());
}

/** Without the packages and scripts of a checkout. */
function manifestOf(root: string): Readonly<Record<string, unknown>> {
  const { private: _, scripts: __, devDependencies: ___, ...manifest } = readManifest(read(root, 'package.json'));
  return { ...manifest, os: ['linux', 'darwin'], bin: 'bin/tollhouse' };
}

/** The lock file without the packages of tests and checks. A global install does not read a lock file of another name. */
function shrinkwrapOf(root: string, manifest: Readonly<Record<string, unknown>>): unknown {
  const { packages, ...lockFile } = readLockFile(read(root, 'package-lock.json'));
  const running = Object.entries(packages).filter(
    ([path, { dev, devOptional }]) => path !== '' && !(dev ?? devOptional),
  );
  return { ...lockFile, packages: { '': manifest, ...Object.fromEntries(running) } };
}

const toText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const read = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');
