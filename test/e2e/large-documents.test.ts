import test from 'ava';
import { htmlToMarkdown } from '../../gateway/operations/html-to-markdown/operation.ts';
import { GRANT_MICRO_USD } from '../../services/ledger/contract/trial-terms.ts';
import { openBuyers, type SignedCall } from '../kit/buyers.ts';
import { CONVERT, codeOf, headerOf } from '../kit/client.ts';
import { startExtraGateway } from '../kit/extra-gateway.ts';
import { useSharedStack } from '../kit/shared-stack.ts';
import { query } from './faults/quiet.ts';

const MIB = 1024 * 1024;
const stack = await useSharedStack();
// Large calls keep a gateway busy. Those of other tests need not wait for them.
const gateway = await startExtraGateway(stack, {});
test.after.always(async () => {
  await gateway.stop();
  await stack.stop();
});

/**
 * A document of 8 MiB. Its links become about a hundred times as long when they are resolved. An answer may be four
 * times as long as its document, so a comment fills the document up to 8 MiB.
 */
function growingDocument(answerBytes: number) {
  const sourceUrl = `https://example.com/${'p'.repeat(2000)}/`;
  const link = '<a href=a>b</a> ';
  const links = link.repeat(Math.ceil(answerBytes / (sourceUrl.length + '[b](a) '.length)));
  const envelope = JSON.stringify({ html: '<p><!---->', sourceUrl }).length;
  const html = `<p>${links}<!--${'x'.repeat(8 * MIB - envelope - links.length)}-->`;
  return { html, sourceUrl };
}

test.serial('a request of 8 MiB with an answer of 32 MiB is retained and charged', async (t) => {
  const body = growingDocument(32 * MIB);
  t.is(Buffer.byteLength(JSON.stringify(body)), 8 * MIB);
  const answer = await openBuyers(gateway.url).trial().call(CONVERT, body);
  t.is(answer.status, 200, answer.text.slice(0, 200));
  t.true(Buffer.byteLength(answer.text) > 32 * MIB);
  t.is(answer.headers.get('x-trial-status'), 'charged');
  t.is(answer.headers.get('x-trial-accounting-status'), 'confirmed');
  const requestId = headerOf(answer, 'x-request-id');
  const rows = await query(stack, `SELECT operation FROM retained_body WHERE request_id = '${requestId}'`);
  t.deepEqual(rows, [{ operation: htmlToMarkdown.name }]);
});

test.serial('refuses a document whose answer grows beyond the limit', async (t) => {
  const body = { ...growingDocument(32 * MIB), html: `<p>${'<a href=a>b</a> '.repeat(20_000)}` };
  const answer = await openBuyers(gateway.url).trial().call(CONVERT, body);
  t.deepEqual([answer.status, codeOf(answer)], [400, 'DOCUMENT_TOO_LARGE']);
  t.is(answer.headers.get('x-trial-status'), 'released');
  t.is(answer.headers.get('x-trial-balance-atomic'), String(GRANT_MICRO_USD));
});

test.serial('small calls end before large calls that came first', async (t) => {
  const large = { html: `<p>${'<b>a</b> '.repeat(20_000)}`.padEnd(MIB, ' ') };
  const prepare = (body: object, count: number) =>
    Promise.all(Array.from({ length: count }, () => openBuyers(gateway.url).trial().sign(CONVERT, body)));
  const prepared = await prepare(large, 10);
  const preparedSmall = await prepare({ html: '<p>small' }, 5);
  const ended: string[] = [];
  const send = async (kind: string, call: SignedCall) => {
    const { status } = await call.send();
    ended.push(kind);
    return status;
  };
  const calls = prepared.map((call) => send('large', call));
  // By then the others wait for the thread.
  await Promise.race(calls);
  const smallCalls = preparedSmall.map((call) => send('small', call));
  t.deepEqual(new Set(await Promise.all(smallCalls)), new Set([200]));
  // On a busy machine some large calls end while the small ones arrive.
  t.true(ended.filter((kind) => kind === 'large').length <= calls.length - 3, ended.join(' '));
  t.deepEqual(new Set(await Promise.all(calls)), new Set([200]));
});
