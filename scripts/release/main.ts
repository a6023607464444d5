// `npm run release` makes the files of a release from the commit that is checked out: the package, a list of what is in it
// (CycloneDX), the image where buildah or podman is installed, and their checksums. Its arguments are for `buildah build`.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../../services/platform/process/installation.ts';
import { CommandError } from '../cli/terminal/command.ts';
import { runAsMain } from '../cli/terminal/main.ts';
import { buildImage } from './image.ts';
import { buildPackage } from './package.ts';

const FOLDER = join(ROOT, '.cache/release');

const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });

await runAsMain(async () => {
  const changes = run('git', ['status', '--porcelain'], ROOT).trim();
  if (changes !== '') throw new CommandError(`commit or remove these changes first:\n${changes}`);
  const tarball = await buildPackage(ROOT, FOLDER);
  const list = tarball.replace(/\.tgz$/, '.cdx.json');
  const sbom = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
  writeFileSync(list, run('npm', sbom, join(FOLDER, 'package')));
  const image = buildImage(tarball, process.argv.slice(2));
  if (image === undefined) console.log('no image was made: neither buildah nor podman is installed');
  const sums = [tarball, list, ...(image === undefined ? [] : [image])].map(
    (path) => `${createHash('sha256').update(readFileSync(path)).digest('hex')}  ${basename(path)}`,
  );
  writeFileSync(join(FOLDER, 'SHA256SUMS'), `${sums.join('\n')}\n`);
  console.log(`${FOLDER}\n${sums.join('\n')}`);
});
