import { type FunctionLibrary, functionName } from '../../services/platform/redis/function-library.ts';
import type { RedisClient } from '../../services/platform/redis/redis-client.ts';

/** Replaces a library in Redis by one whose functions all give the same reply, a Lua expression of `keys` and `args`. */
export async function stubLibrary(
  client: Pick<RedisClient, 'functionLoad'>,
  library: FunctionLibrary,
  reply: string,
): Promise<void> {
  const names = Array.from(library.code.matchAll(/^register(?:_checked)?\('(\w+)'/gm), ([, name]) => String(name));
  const code = [
    `#!lua name=${library.name}`,
    `local function answer(keys, args) return ${reply} end`,
    ...names.map(
      (name) =>
        `redis.register_function{function_name='${functionName(library, name)}', callback=answer, flags={'no-writes'}}`,
    ),
  ];
  await client.functionLoad(code.join('\n'), { REPLACE: true });
}
