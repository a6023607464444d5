import type { Behaviour } from '../../../helpers/upstream-server.ts';

export const TOKEN = 'pat-eu1-that-nobody-may-see';

export interface HubspotOwner {
  readonly id: string;
  readonly type?: string;
  readonly email?: string | null;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly archived: boolean;
}

/** GET /crm/v3/owners as HubSpot documents it: either list, page by page, to whoever has the token. */
export const serving =
  (owners: readonly HubspotOwner[]): Behaviour =>
  (response, request) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://hubspot');
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return answer(401, { category: 'INVALID_AUTHENTICATION' });
    if (request.method !== 'GET' || pathname !== '/crm/v3/owners') return answer(404, {});
    const listed = owners.filter(({ archived }) => String(archived) === (searchParams.get('archived') ?? 'false'));
    const start = Number(Buffer.from(searchParams.get('after') ?? '', 'base64').toString() || '0');
    const end = start + Number(searchParams.get('limit') ?? '100');
    if (!Number.isSafeInteger(start)) return answer(400, { category: 'VALIDATION_ERROR' });
    const next = { after: Buffer.from(String(end)).toString('base64'), link: 'https://api.hubapi.com/…' };
    answer(200, {
      results: listed.slice(start, end).map((owner) => ({ userId: 7, createdAt: '2026-01-01T00:00:00Z', ...owner })),
      ...(end < listed.length ? { paging: { next } } : {}),
    });
  };
