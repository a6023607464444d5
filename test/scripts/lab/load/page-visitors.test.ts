import { once } from 'node:events';
import { createServer } from 'node:http';
import test from 'ava';
import { PAGES, startVisitors } from '../../../../scripts/lab/load/measure/page-visitors.ts';
import { portOf } from '../../../kit/port-of.ts';
import { until } from '../../../kit/until.ts';

test('visitors open every page, and count other answers', async (t) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(String(request.url));
    response.writeHead(request.url === '/' ? 503 : 200).end('page');
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const visitors = startVisitors({ origin: `http://127.0.0.1:${portOf(server)}`, ratePerSecond: 500 });
  await until(() => PAGES.every((page) => asked.includes(page)));
  const visited = await visitors.stop();
  t.is(visited.failed, asked.filter((path) => path === '/').length);
  t.is(visited.answered + visited.failed, asked.length);
  t.true(visited.p50 > 0);
  t.is(await visitors.stop(), visited);
});
