import { type Static, Type } from 'typebox';

const closed = { additionalProperties: false } as const;

const MAX_USERS = 100;
export const MAX_CURSOR_CHARACTERS = 1024;

/** Arguments of listing a tenant's users: a query over HTTP, arguments of a tool. */
export const ListUsersArguments = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_USERS, default: 50, description: 'Most users on a page' }),
    ),
    cursor: Type.Optional(
      Type.String({
        pattern: `^[A-Za-z0-9_-]{1,${MAX_CURSOR_CHARACTERS}}$`,
        description: 'next_cursor of the previous page with the same filter; absent for the first page',
      }),
    ),
    filter: Type.Optional(
      Type.Object(
        {
          query: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 100,
              description:
                'Part of the name, or of the e-mail address if the key has the scope crm.email. Case is ignored',
            }),
          ),
          active: Type.Optional(Type.Boolean({ description: 'Only active users, or only inactive ones' })),
        },
        { ...closed, description: 'Users that match all members' },
      ),
    ),
  },
  closed,
);
export type ListUsersArguments = Static<typeof ListUsersArguments>;

export const User = Type.Object(
  {
    id: Type.String({ description: 'The id in the source' }),
    name: Type.Union([Type.String(), Type.Null()]),
    email: Type.Union([Type.String(), Type.Null()], {
      description: 'Masked, such as a•••@example.com, unless the key has the scope crm.email',
    }),
    email_masked: Type.Boolean({ description: 'Whether the address is masked' }),
    active: Type.Boolean(),
  },
  closed,
);
export type User = Static<typeof User>;

export const ListUsersAnswer = Type.Object(
  {
    source: Type.String({ enum: ['embedded', 'hubspot'], description: 'Where the users are stored' }),
    users: Type.Array(User, {
      maxItems: MAX_USERS,
      description: 'In a fixed order. A page may have fewer users than the limit, or none, although more follow',
    }),
    next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'Null on the last page' }),
  },
  closed,
);
export type ListUsersAnswer = Static<typeof ListUsersAnswer>;
