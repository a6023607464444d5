import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';

const BUILDERS = ['buildah', 'podman'];

/**
 * Builds the image of a package with a builder of PATH, as an archive beside the package:
 * https://github.com/opencontainers/image-spec/blob/main/image-layout.md
 * @param tarball the package, in the folder of `buildPackage`
 * @param args further ones of `buildah build`, such as `--build-arg=BASE=...`
 * @returns the path of the archive, or undefined without a builder
 */
export function buildImage(tarball: string, args: readonly string[], env = process.env): string | undefined {
  const builder = BUILDERS.find((each) => spawnSync(each, ['--version'], { env }).status === 0);
  if (builder === undefined) return undefined;
  const folder = dirname(tarball);
  cpSync(join(folder, 'package/deploy'), join(folder, 'deploy'), { recursive: true });
  const image = tarball.replace(/\.tgz$/, '-image.tar');
  const what = [
    'build',
    '-f=deploy/Containerfile',
    '--disable-compression=false',
    `--tag=oci-archive:${image}:tollhouse`,
  ];
  execFileSync(builder, [...what, ...args, '.'], { cwd: folder, env, stdio: 'inherit' });
  return image;
}
