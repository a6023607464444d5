import { inspect } from 'node:util';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';

const MAX_SHOWN_CHARACTERS = 200;

/** Redis answered, and the reply does not have the form that the command or function documents. */
export class RedisReplyError extends Error {
  override readonly name = 'RedisReplyError';

  /** @param command name of the command or function that was called */
  constructor(command: string, reply: unknown) {
    const shown = inspect(reply, { breakLength: Number.POSITIVE_INFINITY }).slice(0, MAX_SHOWN_CHARACTERS);
    super(`unexpected reply of Redis to ${command}: ${shown}`);
  }
}

/**
 * Creates a reader that checks replies to one command or function of Redis.
 * @param command used in the error message
 * @returns a function that returns the reply, typed. It throws `RedisReplyError` for a short, long or malformed reply.
 */
export function createReplyReader<Schema extends TSchema>(
  command: string,
  schema: Schema,
): (reply: unknown) => Static<Schema> {
  const compiled = Compile(schema);
  return (reply) => {
    if (!compiled.Check(reply)) throw new RedisReplyError(command, reply);
    return reply;
  };
}
