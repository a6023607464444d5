import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { buildImage } from '../../../scripts/release/image.ts';
import { createTestFolder } from '../../kit/test-folder.ts';

const { path: folder, remove } = createTestFolder();
test.after.always(remove);

/** Writes what it was asked for into the archive. */
const BUILDER = `#!/bin/sh
[ "$1" = build ] || exit 0
for each; do case $each in --tag=oci-archive:*:tollhouse) archive=\${each#--tag=oci-archive:} && archive=\${archive%:*} ;; esac; done
[ -f deploy/Containerfile ] && [ -f tollhouse-0.1.0.tgz ] && echo "$0 $*" > "$archive"
`;

test('a release has an image if the machine can build one', (t) => {
  const bin = join(folder, 'bin');
  const tarball = join(folder, 'tollhouse-0.1.0.tgz');
  for (const path of [bin, join(folder, 'package/deploy')]) mkdirSync(path, { recursive: true });
  for (const path of [tarball, join(folder, 'package/deploy/Containerfile')]) writeFileSync(path, '');
  const build = () => buildImage(tarball, ['--build-arg=BASE=debian'], { PATH: bin });
  t.is(build(), undefined);
  for (const name of ['podman', 'buildah']) {
    writeFileSync(join(bin, name), BUILDER, { mode: 0o755 });
    const image = join(folder, 'tollhouse-0.1.0-image.tar');
    t.is(build(), image);
    t.regex(readFileSync(image, 'utf8'), new RegExp(`/${name} build .* --build-arg=BASE=debian \\.\\n$`));
  }
  writeFileSync(join(bin, 'buildah'), '#!/bin/sh\n[ "$1" != build ]\n', { mode: 0o755 });
  t.throws(build, { message: /buildah/ });
});
