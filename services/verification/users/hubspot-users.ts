import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { MalformedAnswer } from '../../platform/upstream/bounded-fetch.ts';
import { createUpstream, type ProviderOptions } from '../../platform/upstream/upstream.ts';
import { withoutAddress } from './shown-user.ts';
import { badCursor, fold, type SourceUser, type UserFilter, type UserPage, type UserSource } from './user-source.ts';

const OptionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const MAX_AFTER_CHARACTERS = 512;
/** Limit of one tenant: a hanging HubSpot blocks no more of its callers. */
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

/** HubSpot lists active and archived owners separately. All owners are the first list, then the second. */
const LISTS = ['active', 'archived'] as const;
type List = (typeof LISTS)[number];
const POSITION = new RegExp(`^(active|archived):([!-~]{0,${MAX_AFTER_CHARACTERS}})$`);

export interface HubspotOptions extends ProviderOptions {
  /** Token of a private app with the scope crm.objects.owners.read. */
  readonly token: string;
}

/**
 * The owners of a HubSpot account (CRM API, GET /crm/v3/owners), in HubSpot's order. Each page is one request. HubSpot
 * does not filter, so users are filtered here, and a page may be short. Answers have addresses, so they are not logged.
 */
export function createHubspotUsers({ token, ...options }: HubspotOptions): UserSource {
  const upstream = createUpstream('hubspot', options);
  let underWay = 0;
  return {
    kind: 'hubspot',
    async list({ limit, position, filter }, context) {
      const { list, after } = readPosition(position, filter);
      if (underWay === MAX_UNDER_WAY) throw new ServiceError('OVERLOADED', 'too many lists of users are being read');
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
  const [, name, after] = POSITION.exec(position) ?? [];
  const list = LISTS.find((each) => each === name);
  const isMeant = active === undefined || active === (list === 'active');
  if (list === undefined || !isMeant) throw badCursor();
  return { list, after: after === '' ? undefined : after };
}

function nextPosition(after: string | undefined, list: List, { active }: UserFilter): string | undefined {
  if (after !== undefined) return `${list}:${after}`;
  return list === 'active' && active === undefined ? 'archived:' : undefined;
}

interface OwnersPage {
  readonly owners: readonly Owner[];
  readonly after: string | undefined;
}

/** Refuses a page with too many owners, and a page that leads to itself, which would be read forever. */
function readPage(json: unknown, asked: { readonly limit: number; readonly after: string | undefined }): OwnersPage {
  if (!answer.Check(json)) throw new MalformedAnswer('not the documented shape');
  const after = json.paging?.next?.after;
  if (json.results.length > asked.limit) throw new MalformedAnswer('more owners than were asked for');
  if (after !== undefined && after === asked.after) throw new MalformedAnswer('a page that leads to itself');
  return { owners: json.results, after };
}

/** The users of a page. Owners that are queues are not users. An owner without a type is a person. */
function toUsers(owners: readonly Owner[], list: List, filter: UserFilter): UserPage['users'] {
  return owners
    .filter(({ type, archived }) => (type ?? 'PERSON') === 'PERSON' && archived === (list === 'archived'))
    .map(
      ({ id, firstName, lastName, email, archived }): SourceUser => ({
        id,
        name: textOf([firstName, lastName]),
        email: textOf([email]),
        active: !archived,
      }),
    )
    .filter((user) => isFound(user, filter));
}

/** Joins parts that are set; null for blank text. Lone surrogates are replaced, because JSON must not contain them. */
function textOf(parts: readonly (string | null | undefined)[]): string | null {
  const known = parts.filter((part) => part !== null && part !== undefined);
  const text = known.join(' ').toWellFormed().trim();
  return text === '' ? null : text;
}

function isFound({ name, email }: SourceUser, { query, seesEmail }: UserFilter): boolean {
  if (query === undefined) return true;
  const texts = seesEmail ? [name, email] : [withoutAddress(name)];
  return texts.some((text) => text !== null && fold(text).includes(query));
}
