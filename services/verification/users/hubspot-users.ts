import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { MalformedAnswer } from '../../platform/upstream/bounded-fetch.ts';
import { createUpstream, type ProviderOptions } from '../../platform/upstream/upstream.ts';
import { withoutAddress } from './shown-user.ts';
import { badCursor, fold, type SourceUser, type UserFilter, type UserPage, type UserSource } from './user-source.ts';

const OptionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const MAX_AFTER_CHARACTERS = 512;
/** Of one tenant: a HubSpot that hangs holds no more of its callers than these. */
const MAX_UNDER_WAY = 8;

const Owner = Type.Object({
  id: Type.String({ pattern: '^[!-?A-~]{1,64}$' }),
  type: OptionalText,
  email: OptionalText,
  firstName: OptionalText,
  lastName: OptionalText,
  archived: Type.Boolean(),
});
type Owner = Static<typeof Owner>;

const Next = Type.Object({ after: Type.String({ pattern: `^[!-~]{1,${MAX_AFTER_CHARACTERS}}$` }) });
const Answer = Type.Object({
  results: Type.Array(Owner),
  paging: Type.Optional(
    Type.Union([Type.Object({ next: Type.Optional(Type.Union([Next, Type.Null()])) }), Type.Null()]),
  ),
});
const answer = Compile(Answer);

/** HubSpot lists either those who are there or those who are archived: all of them are the one list, then the other. */
type List = 'active' | 'archived';
const POSITION = new RegExp(`^(active|archived):([!-~]{0,${MAX_AFTER_CHARACTERS}})$`);

export interface HubspotOptions extends ProviderOptions {
  /** Of a private app with the scope crm.objects.owners.read. */
  readonly token: string;
}

/**
 * The owners of a HubSpot account (CRM API, GET /crm/v3/owners), in HubSpot's order. One request a page; what HubSpot
 * does not filter is left out here, so that a page may be short. Answers hold addresses: nothing of them is logged.
 */
export function createHubspotUsers({ token, ...options }: HubspotOptions): UserSource {
  const upstream = createUpstream('hubspot', options);
  let underWay = 0;
  return {
    kind: 'hubspot',
    async list({ limit, position, filter }, context) {
      const { list, after } = readPosition(position, filter);
      if (underWay === MAX_UNDER_WAY) throw new ServiceError('OVERLOADED', 'too many lists of users are under way');
      underWay += 1;
      const asked = {
        path: '/crm/v3/owners',
        query: { limit, after, archived: String(list === 'archived') },
        headers: { authorization: `Bearer ${token}` },
        read: (json: unknown) => readPage(json, { limit, after }),
      };
      const page = await upstream.get(asked, context).finally(() => {
        underWay -= 1;
      });
      return { users: toUsers(page.owners, list, filter), next: nextPosition(page.after, list, filter) };
    },
  };
}

interface Place {
  readonly list: List;
  readonly after: string | undefined;
}

function readPosition(position: string | undefined, { active }: UserFilter): Place {
  if (position === undefined) return { list: active === false ? 'archived' : 'active', after: undefined };
  const [, list, after] = POSITION.exec(position) ?? [];
  const isMeant = active === undefined || active === (list === 'active');
  if (list === undefined || !isMeant) throw badCursor();
  return { list: list as List, after: after === '' ? undefined : after };
}

function nextPosition(after: string | undefined, list: List, { active }: UserFilter): string | undefined {
  if (after !== undefined) return `${list}:${after}`;
  return list === 'active' && active === undefined ? 'archived:' : undefined;
}

interface OwnersPage {
  readonly owners: readonly Owner[];
  readonly after: string | undefined;
}

/** More than was asked for cannot be passed on, and a page that leads to itself would be read for ever. */
function readPage(json: unknown, asked: { readonly limit: number; readonly after: string | undefined }): OwnersPage {
  if (!answer.Check(json)) throw new MalformedAnswer('not of the documented shape');
  const after = json.paging?.next?.after;
  if (json.results.length > asked.limit) throw new MalformedAnswer('more owners than were asked for');
  if (after !== undefined && after === asked.after) throw new MalformedAnswer('a page that leads to itself');
  return { owners: json.results, after };
}

/** Queues own records and are nobody. */
function toUsers(owners: readonly Owner[], list: List, filter: UserFilter): UserPage['users'] {
  return owners
    .filter(({ type, archived }) => (type ?? 'PERSON') === 'PERSON' && archived === (list === 'archived'))
    .map(
      ({ id, firstName, lastName, email, archived }): SourceUser => ({
        id,
        name: textOf(`${firstName ?? ''} ${lastName ?? ''}`),
        email: textOf(email ?? ''),
        active: !archived,
      }),
    )
    .filter((user) => isFound(user, filter));
}

/** No JSON that is sent on may hold half a character. */
const textOf = (text: string): string | null => text.toWellFormed().trim() || null;

function isFound({ name, email }: SourceUser, { query, seesEmail }: UserFilter): boolean {
  if (query === undefined) return true;
  const texts = seesEmail ? [name, email] : [withoutAddress(name)];
  return texts.some((text) => text !== null && fold(text).includes(query));
}
