import test from 'ava';
import fastify from 'fastify';
import { type Health, registerHealth } from '../../../gateway/http/health.ts';

const WELL: Health = {
  isReady: true,
  status: 'ok',
  services: { content: 'ok', maps: 'ok', payments: 'ok', backoffice: 'ok', verification: 'ok' },
  trials: 'available',
  payments: 'available',
};

const CASES: readonly (readonly [Partial<Health>, number, string])[] = [
  [{}, 200, 'ok'],
  [{ trials: 'the ledger does not answer' }, 200, 'degraded'],
  [{ isReady: false, status: 'starting', trials: 'not connected yet' }, 503, 'starting'],
  [{ isReady: false, status: 'unavailable', trials: 'not connected yet' }, 503, 'unavailable'],
];

test('the status is degraded while trials are not available', async (t) => {
  for (const [changes, code, status] of CASES) {
    const app = fastify();
    const health = { ...WELL, ...changes };
    registerHealth(app, async () => health);
    const response = await app.inject('/health/ready');
    t.is(response.statusCode, code);
    t.like(response.json(), { status, trials: health.trials });
    await app.close();
  }
});
