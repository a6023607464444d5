import { Compile } from 'typebox/schema';
import { Role } from '../../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { requestOf } from '../../../../services/verification/contract/client.ts';
import { ListUsersAnswer, type ListUsersArguments } from '../../../../services/verification/contract/users.ts';
import { listUsers } from '../../../../services/verification/operations/list-users.ts';
import type { UserSources } from '../../../../services/verification/users/user-source.ts';

const answerSchema = Compile(ListUsersAnswer);
const KEY_ID = '01a1ff10-ab22-7009-9a2f-8dff3c2533c4';
/** More pages than any test has users, so that a listing that does not end fails. */
const MAX_PAGES = 500;

export interface Asker {
  readonly tenantId: string;
  readonly scopes?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Reads a page, and checks it with its schema. */
export async function list(users: UserSources, asker: Asker, input: unknown = {}): Promise<ListUsersAnswer> {
  const { tenantId, scopes = [], signal = new AbortController().signal } = asker;
  const { answer } = await listUsers(
    { users } as never,
    requestOf({
      caller: { tenantId, keyId: KEY_ID, role: Role.ROLE_READER, scopes: [...scopes], keyGroup: '' },
      arguments: JSON.stringify(input),
    }),
    { signal, deadlineMs: Number.POSITIVE_INFINITY, requestId: '', authorization: undefined },
  );
  const value: unknown = JSON.parse(answer);
  if (!answerSchema.Check(value)) throw new Error(`the answer does not match its schema: ${answer}`);
  return value;
}

/** Reads all pages from the first to the last. */
export async function listAll(
  users: UserSources,
  asker: Asker,
  input: Omit<ListUsersArguments, 'cursor'> = {},
): Promise<readonly ListUsersAnswer[]> {
  const pages: ListUsersAnswer[] = [];
  for (let cursor: string | null | undefined; cursor !== null && pages.length < MAX_PAGES; ) {
    const page = await list(users, asker, { ...input, ...(cursor === undefined ? {} : { cursor }) });
    pages.push(page);
    cursor = page.next_cursor;
  }
  return pages;
}
