import { ErrorReply } from 'redis';
import { type FunctionLibrary, functionName } from './function-library.ts';
import { explainFormat } from './later-format.ts';
import type { RedisClient } from './redis-client.ts';

/** Loads a library unless Redis has exactly this one. @returns whether it was loaded */
export async function loadLibrary(client: RedisClient, { name, code }: FunctionLibrary): Promise<boolean> {
  const [stored] = await client.functionListWithCode({ LIBRARYNAME: name });
  if (stored?.library_code === code) return false;
  // Another process may load the same code at the same time.
  await client.functionLoad(code, { REPLACE: true });
  return true;
}

export interface FunctionCall {
  readonly name: string;
  readonly keys: readonly string[];
  readonly args: readonly string[];
  /** Whether the function is called as one that writes nothing. */
  readonly isRead?: boolean;
}

/**
 * Calls a function of a library. If Redis lacks the library, this loads it and calls the function again: Redis was
 * restored or flushed, or another process removed the library because it had not been used for long.
 * @throws {LaterFormatError}
 */
export async function callFunction(
  client: RedisClient,
  library: FunctionLibrary,
  { name, keys, args, isRead = false }: FunctionCall,
): Promise<unknown> {
  const call = (): Promise<unknown> => {
    const given = { keys: [...keys], arguments: [...args] };
    const wanted = functionName(library, name);
    return isRead ? client.fCallRo(wanted, given) : client.fCall(wanted, given);
  };
  try {
    return await call().catch(async (error: unknown) => {
      if (!isMissingFunction(error)) throw error;
      await loadLibrary(client, library);
      return call();
    });
  } catch (error) {
    throw explainFormat(error);
  }
}

const isMissingFunction = (error: unknown): boolean =>
  error instanceof ErrorReply && error.message === 'ERR Function not found';
