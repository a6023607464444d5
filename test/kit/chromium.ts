import { execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { Type } from 'typebox';
import { createJsonReader } from '../../scripts/launch/parse/json-reader.ts';
import { HANG_MS } from './until.ts';

const PACKAGE = new URL('../../node_modules/@sparticuz/chromium/', import.meta.url);
const CACHE = fileURLToPath(new URL('../../.cache/', import.meta.url));
const readManifest = createJsonReader(Type.Object({ version: Type.String() }), 'the manifest of Chromium');

// Chromium must look nothing up: the tests have no network.
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run', '--disable-sync'];

/** Replaces the `fonts.conf` of the package, which names folders of AWS Lambda. XDG_CACHE_HOME has the cache. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/**
 * Starts Chromium: the one that CHROMIUM names, or the one of a package, which needs nothing of the machine.
 * @param more arguments of its command line
 */
export async function startChromium(...more: readonly string[]): Promise<Browser> {
  const args = [...ARGS, ...more];
  const installed = process.env['CHROMIUM'];
  if (installed !== undefined) return chromium.launch({ executablePath: installed, args, timeout: HANG_MS });
  const folder = await unpack();
  const env = {
    LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
    FONTCONFIG_PATH: join(folder, 'fonts'),
    HOME: folder,
    XDG_CACHE_HOME: join(folder, 'cache'),
  };
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    args: [...args, '--headless=shell'],
    env,
    timeout: HANG_MS,
  });
}

/** The folder with the unpacked browser. It is made once, under another name, so that it is complete if it is there. */
async function unpack(): Promise<string> {
  const { version } = readManifest(await readFile(new URL('package.json', PACKAGE), 'utf8'));
  const folder = join(CACHE, `browser-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const fresh = await mkdtemp(join(CACHE, 'browser-new-'));
  const decompress = async (name: string, to: string) =>
    pipeline(
      createReadStream(new URL(`bin/${name}`, PACKAGE)),
      createBrotliDecompress(),
      createWriteStream(join(fresh, to)),
    );
  await decompress('chromium.br', 'chromium');
  await chmod(join(fresh, 'chromium'), 0o755);
  for (const name of ['al2023', 'fonts']) {
    await decompress(`${name}.tar.br`, `${name}.tar`);
    await mkdir(join(fresh, name));
    execFileSync('tar', ['-xf', join(fresh, `${name}.tar`), '-C', join(fresh, name)]);
    await rm(join(fresh, `${name}.tar`));
  }
  await writeFile(join(fresh, 'fonts/fonts.conf'), FONTS_CONF);
  // Another test may have been faster.
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true }));
  return folder;
}
