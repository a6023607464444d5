import { randomBytes } from 'node:crypto';
import test from 'ava';
import { createBodyCipher } from '../../../../services/backoffice/retention/body-cipher.ts';
import { paddedSize } from '../../../../services/platform/process/sealed-bytes.ts';

const KIB = 1024;
const MAX = 200 * KIB;
/** Of the nonce and the tag. */
const SEAL_BYTES = 28;
/** The most that zstd and the padding add to a body of this size that cannot be compressed. */
const FRAME_BYTES = 32;
const secret = randomBytes(32);
const cipher = createBodyCipher([{ id: 'one', secret }]);
const address = { recordId: '01a20397-c016-7174-a5ad-1c1c218c6add', part: 'response' } as const;
/** What no compressor makes smaller. */
const noise = randomBytes(MAX + FRAME_BYTES);
const seal = (size: number) => cipher.seal(noise.subarray(0, size), address);
const open = (sealed: Buffer) => cipher.open(sealed, 'one', address);

const steps: number[] = [];
for (let size = 1; size <= MAX; size = paddedSize(size) + 1) steps.push(paddedSize(size));

test('sizes rise by 1 KiB up to 16 KiB, and then by 6 %', (t) => {
  const even = Array.from({ length: 16 }, (_, index) => (index + 1) * KIB);
  t.deepEqual(steps.slice(0, 16), even);
  t.is(steps.length, 60);
  for (const [index, step] of steps.entries()) {
    t.is(paddedSize(step), step);
    const before = steps[index - 1] ?? 0;
    if (index >= 16) t.is(step, before + Math.ceil(before * 0.06));
  }
});

test('bodies of all sizes are stored in the sizes of the steps, and each is read back to the byte', async (t) => {
  const sizes = new Set<number>();
  for (const step of [0, ...steps]) {
    for (let size = Math.max(0, step - FRAME_BYTES); size <= Math.min(step + 1, MAX); size += 1) {
      const sealed = await seal(size);
      sizes.add(sealed.length - SEAL_BYTES);
      t.true((await open(sealed)).equals(noise.subarray(0, size)), `${size} bytes`);
    }
  }
  t.deepEqual(
    [...sizes].toSorted((a, b) => a - b),
    steps,
  );
});

test('a seal with any other byte, of the body, its padding or their lengths, is refused', async (t) => {
  const sealed = await seal(100);
  t.is(sealed.length, KIB + SEAL_BYTES);
  for (const index of sealed.keys()) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(sealed.readUInt8(index) ^ 1, index);
    await t.throwsAsync(open(changed), { message: /does not decrypt/ }, `byte ${index}`);
  }
  await t.throwsAsync(open(sealed.subarray(0, -1)), { message: /does not decrypt/ });
});
