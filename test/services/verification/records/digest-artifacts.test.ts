import { createHash } from 'node:crypto';
import test from 'ava';
import { byDigests, digestArtifacts } from '../../../../services/verification/records/digest-artifacts.ts';

function artifactOf(text: string) {
  const bytes = Buffer.from(text);
  return {
    action_id: '019aa5d4-7c00-7000-8000-000000000001',
    kind: 'receipt',
    media_type: 'application/json',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes_base64: bytes.toString('base64'),
  };
}

test('other work runs between the artifacts of a submission', async (t) => {
  const events: string[] = [];
  const documents = ['first', 'second'].map((name) => {
    const { bytes_base64, ...document } = artifactOf(`"${name}"`);
    return {
      ...document,
      get bytes_base64() {
        if (events.at(-1) !== name) events.push(name);
        return bytes_base64;
      },
    };
  });
  setImmediate(() => events.push('other'));
  const digested = await digestArtifacts(documents);
  t.deepEqual(events, ['first', 'other', 'second']);
  t.deepEqual(
    digested.map(({ sha256 }) => sha256),
    documents.map(({ sha256 }) => sha256),
  );
});

test('the order of artifacts does not depend on the spelling of their JSON', async (t) => {
  const orderOf = async (...texts: readonly string[]) =>
    (await digestArtifacts(texts.map(artifactOf))).toSorted(byDigests).map(({ content }) => content.toString().trim());
  const order = await orderOf('[1]', '[2]', '[3]', 'not JSON', '{');
  t.deepEqual(await orderOf('{', 'not JSON', ' [3]', '[2] ', ' [1] '), order);
});
