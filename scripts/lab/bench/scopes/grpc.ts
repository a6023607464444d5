import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContentServiceClient } from '../../../../proto/gen/tollhouse/content/v1/content.ts';
import { openChannels } from '../../../../services/platform/grpc/grpc-client.ts';
import { createPool } from '../../../../services/platform/pools/pool.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import type { HtmlBatch, MarkdownBatch } from '../../../../workers/html-to-markdown/worker.ts';
import { keepInFlight } from '../measure/compare.ts';
import type { Scope } from '../measure/scope.ts';
import { untilConnected } from '../measure/until-connected.ts';

const THREADS = 2;
const IN_FLIGHT = THREADS * 2;
const TIMEOUT_MS = 30_000;

/** Compares ConvertHtml over gRPC with the same converter called directly, with the same pages and number of threads. */
export const grpc: Scope = async ({ pages }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollhouse-bench-'));
  const env = { ...process.env, LOG_LEVEL: 'warn' };
  const start = (entry: string, listen: string) =>
    fork(new URL(entry, import.meta.url), { env: { ...env, LISTEN: listen, CONTENT_THREADS: String(THREADS) } });
  const listen = `unix:${folder}/content.sock`;
  const service = start('../../../../services/content/main.ts', listen);
  const echoListen = `unix:${folder}/echo.sock`;
  const echo = start('../measure/bare-grpc.ts', echoListen);
  await once(echo, 'message');

  const channels = openChannels(ContentServiceClient, listen);
  const echoChannels = openChannels(ContentServiceClient, echoListen);
  const pool = createPool<HtmlBatch, MarkdownBatch>({
    worker: new URL('../../../../workers/html-to-markdown/worker.ts', import.meta.url),
    threads: THREADS,
  });
  const pageAt = (index: number) => defined(pages[index % pages.length]);
  const tiny = { html: '<p>x', sourceUrl: undefined };
  const ask = (client: typeof channels, html: string) =>
    client.call((stub) => stub.convertHtml, { html, sourceUrl: undefined }, { timeoutMs: TIMEOUT_MS });
  for (const client of [channels, echoChannels]) await untilConnected(() => ask(client, '<p>ready'));
  return {
    comparisons: [
      {
        title: `ConvertHtml, ${pages.length} pages, ${THREADS} threads`,
        ours: { name: 'over gRPC', run: keepInFlight(IN_FLIGHT, (index) => ask(channels, pageAt(index))) },
        reference: {
          name: 'converter called directly',
          run: keepInFlight(IN_FLIGHT, (index) => pool.run({ documents: [{ html: pageAt(index) }] })),
        },
        target: 0.6,
      },
      {
        title: 'ConvertHtml of a tiny fragment',
        ours: { name: 'over gRPC', run: keepInFlight(32, () => ask(channels, tiny.html)) },
        reference: { name: 'bare grpc-js echo', run: keepInFlight(32, () => ask(echoChannels, tiny.html)) },
      },
    ],
    async stop() {
      channels.close();
      echoChannels.close();
      await pool.close();
      service.kill();
      echo.kill();
      rmSync(folder, { recursive: true });
    },
  };
};
