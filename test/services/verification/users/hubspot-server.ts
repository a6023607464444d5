import { defined } from '../../../../workers/exact/defined.ts';
import type { Behaviour } from '../../../kit/upstream-server.ts';

export const TOKEN = 'pat-eu1-that-nobody-may-see';

export interface HubspotOwner {
  readonly id: string;
  readonly type?: string;
  readonly email?: string | null;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly archived: boolean;
}

/** HubSpot's GET /crm/v3/owners as documented. It answers requests with the token with pages of either list. */
export const serving =
  (owners: readonly HubspotOwner[]): Behaviour =>
  (response, request) => {
    const { pathname, searchParams } = new URL(defined(request.url), 'http://hubspot');
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return answer(401, { category: 'INVALID_AUTHENTICATION' });
    if (request.method !== 'GET' || pathname !== '/crm/v3/owners') return answer(404, {});
    const listed = owners.filter(({ archived }) => String(archived) === (searchParams.get('archived') ?? 'false'));
    const after = searchParams.get('after');
    const start = after === null ? 0 : Number(Buffer.from(after, 'base64').toString());
    const end = start + Number(searchParams.get('limit') ?? '100');
    if (!Number.isSafeInteger(start)) return answer(400, { category: 'VALIDATION_ERROR' });
    const next = { after: Buffer.from(String(end)).toString('base64'), link: 'https://api.hubapi.com/…' };
    answer(200, {
      results: listed.slice(start, end).map((owner) => ({ userId: 7, createdAt: '2026-01-01T00:00:00Z', ...owner })),
      ...(end < listed.length ? { paging: { next } } : {}),
    });
  };
