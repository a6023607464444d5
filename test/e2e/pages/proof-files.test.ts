import { readFileSync } from 'node:fs';
import test from 'ava';
import type { Page } from 'playwright-core';
import { canonicalBytes } from '../../../services/verification/proof/digests.ts';
import { generateSigningKey } from '../../../services/verification/proof/ed25519.ts';
import { publishLogKey } from '../../../services/verification/proof/keys.ts';
import { useVerifiedStack } from '../verified/verified-stack.ts';
import { overflowOf, startVisitor, violationsOf } from './browse.ts';
import { ENDED, outcomes, PASSED, proveRun, textOf } from './proven-run.ts';

const stack = await useVerifiedStack();
const run = await proveRun(await stack.addTenant('proof files'));
const visitor = await startVisitor(stack.urls[0]);
test.after.always(async () => {
  await visitor.stop();
  await stack.stop();
});

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/proofs/${name}`, import.meta.url));

async function choose(page: Page, buffer: Buffer, { name = 'proof.json', input = '#proof-file' } = {}): Promise<void> {
  await page.evaluate("document.querySelector('#record').replaceChildren()");
  await page.setInputFiles(input, { name, mimeType: 'application/json', buffer });
  await page.waitForSelector(ENDED);
}

test('a file is verified with the keys of this server, and choosing it sends nothing', async (t) => {
  const { page, faults, close } = await visitor.open('/proofs', { bypassCSP: true });
  await page.waitForLoadState('networkidle');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await choose(page, run.proof);
  t.deepEqual(await outcomes(page), [...PASSED, 'open']);
  t.deepEqual(requests, []);
  t.deepEqual(await violationsOf(page), []);

  await page.click('button:text("Ask the log")');
  await page.waitForSelector('.checks li:last-child .good');
  t.deepEqual(
    requests.map((url) => new URL(url).pathname),
    requests.length === 1 ? ['/api/v1/log/checkpoint'] : ['/api/v1/log/checkpoint', '/api/v1/log/consistency'],
  );
  t.deepEqual(faults, []);
  await close();
});

test('a file that is dropped anywhere on the page is verified', async (t) => {
  const { page, faults, close } = await visitor.open('/proofs');
  await page.waitForLoadState('networkidle');
  await page.evaluate(
    `(() => {
      const files = new DataTransfer();
      files.items.add(new File([${JSON.stringify(run.proof.toString())}], 'dropped.json'));
      for (const kind of ['dragover', 'drop']) {
        const event = new DragEvent(kind, { dataTransfer: files, bubbles: true, cancelable: true });
        document.body.dispatchEvent(event);
        if (!event.defaultPrevented) throw new Error(kind + ' would leave the page');
      }
    })()`,
  );
  await page.waitForSelector(ENDED);
  t.deepEqual(await outcomes(page), [...PASSED, 'open']);
  t.regex(await textOf(page), /^File dropped\.json/);
  t.deepEqual(faults, []);
  await close();
});

for (const engine of ['engine-1.1.0', 'engine-1.2.0']) {
  test(`a proof of ${engine} is verified with its key file, and its log is not remembered`, async (t) => {
    const { page, close } = await visitor.open('/proofs');
    await choose(page, fixture(`${engine}/proof.json`));
    t.regex(await textOf(page, '#record [role=alert]'), /ISSUER_UNKNOWN/);
    t.regex(await textOf(page, '#record [role=alert]'), /keys may be older or newer/);
    await page.click('#verify-file summary');
    await choose(page, fixture(`${engine}/keys.json`), { input: '#key-file', name: 'keys.json' });
    t.deepEqual(await outcomes(page), [...PASSED, 'open']);
    t.true((await textOf(page)).includes(`one-independent-verification-${engine.slice(7)}`));
    t.is(await page.locator('#record a[href^="/plans/"]').count(), 0);
    t.is(await page.evaluate('localStorage.length'), 0);
    await close();
  });
}

test('the sample is verified with its own keys, also when it is asked for on the page', async (t) => {
  const { page, faults, close } = await visitor.open('/proofs#sample');
  await page.waitForSelector(ENDED);
  t.deepEqual(await outcomes(page), [...PASSED, 'open']);
  await page.goto(`${stack.urls[0]}/proofs`);
  await page.click('text=Check a sample');
  await page.waitForSelector(ENDED);
  t.deepEqual(await outcomes(page), [...PASSED, 'open']);
  t.deepEqual(faults, []);
  await close();
});

test('a newer key of the log is named as the reason', async (t) => {
  const { page, close } = await visitor.open('/proofs');
  const keys = JSON.parse(fixture('engine-1.1.0/keys.json').toString()).keys;
  const log = publishLogKey({
    origin: keys.find(({ use }: { use: string }) => use === 'log').origin,
    key: generateSigningKey(),
  });
  const newer = canonicalBytes({ keys: [...keys.filter(({ use }: { use: string }) => use === 'issuer'), log] });
  await page.click('#verify-file summary');
  await page.setInputFiles('#key-file', { name: 'keys.json', mimeType: 'application/json', buffer: newer });
  await choose(page, fixture('engine-1.1.0/proof.json'));
  t.regex(await textOf(page, '#record [role=alert]'), /CHECKPOINT_SIGNATURE_INVALID/);
  t.deepEqual(await outcomes(page), ['passed', 'passed', 'passed', 'failed', 'not done', 'not done']);
  await close();
});

test('the check that a changed file fails is named', async (t) => {
  const { page, faults, close } = await visitor.open('/proofs', { bypassCSP: true });
  const file = JSON.parse(run.proof.toString());
  const [signature] = file.envelope.signatures;
  const sig = Buffer.alloc(64, 1).toString('base64');
  const { log, envelope } = file;
  const changes: readonly (readonly [Buffer, string, number])[] = [
    [Buffer.from(`${run.proof} `), 'PROOF_NOT_CANONICAL', 0],
    [Buffer.alloc(0), 'PROOF_NOT_JSON', 0],
    [
      canonicalBytes({ ...file, envelope: { ...envelope, signatures: [{ ...signature, sig }] } }),
      'SIGNATURE_INVALID',
      1,
    ],
    [canonicalBytes({ ...file, proof_id: 'other' }), 'PROOF_ID_MISMATCH', 2],
    [
      canonicalBytes({ ...file, log: { ...log, checkpoint: log.checkpoint.replace('\n', 'x\n') } }),
      'CHECKPOINT_MALFORMED',
      3,
    ],
    [
      canonicalBytes({ ...file, log: { ...log, inclusion: [...log.inclusion, Buffer.alloc(32).toString('base64')] } }),
      'NOT_INCLUDED',
      4,
    ],
  ];
  for (const [bytes, code, failed] of changes) {
    await choose(page, bytes);
    const expected = ['passed', 'passed', 'passed', 'passed', 'passed', 'not done'].map((outcome, at) =>
      at === failed ? 'failed' : at > failed ? 'not done' : outcome,
    );
    t.deepEqual(await outcomes(page), expected, code);
    t.true((await textOf(page, '#record [role=alert]')).includes(code));
    t.false((await textOf(page)).includes('What was proven'));
  }
  t.deepEqual(await violationsOf(page), []);
  t.deepEqual(faults, []);
  await close();
});

test('a file of 10 MB is not read, and a key file must be one', async (t) => {
  const { page, faults, close } = await visitor.open('/proofs');
  await choose(page, Buffer.alloc(10_000_000, 'a'));
  t.regex(await textOf(page), /proof\.json has 9\.5 MiB. The largest that is read has 4\.0 MiB/);
  await page.click('#verify-file summary');
  await choose(page, Buffer.from('{}'), { input: '#key-file', name: 'keys.json' });
  await choose(page, run.proof);
  t.regex(await textOf(page), /key file cannot be used.*KEY_INVALID/);
  t.deepEqual(faults, []);
  await close();
});

test('markup in the name of a file or in a proof is shown, not run, on a small phone', async (t) => {
  const { page, faults, close } = await visitor.open('/proofs', { viewport: { width: 360, height: 800 } });
  const evil = '<img src=x onerror=alert(1)>'.repeat(4);
  await choose(page, run.proof, { name: `${evil}.json` });
  t.true((await textOf(page)).includes(evil));
  await choose(page, canonicalBytes({ ...JSON.parse(run.proof.toString()), proof_id: '<img src=x onerror=alert(1)>' }));
  await choose(page, canonicalBytes({ [evil]: 1 }));
  t.is(await page.locator('#record img').count(), 0);
  t.true(Number(await overflowOf(page)) <= 0);
  t.deepEqual(faults, []);
  await close();
});

test('several files at once are refused', async (t) => {
  const { page, close } = await visitor.open('/proofs');
  await page.evaluate(
    `(() => {
      const files = new DataTransfer();
      for (const name of ['a.json', 'b.json']) files.items.add(new File(['{}'], name));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
    })()`,
  );
  t.regex(await textOf(page, '#record > .bad'), /one file at a time/);
  await close();
});
