import { type Static, Type } from 'typebox';
import { decodeBase64 } from '../../platform/base64.ts';
import { ConfigurationError } from '../../platform/process/environment.ts';
import { readSecretUrl } from '../../platform/process/settings.ts';

export const WebhookConfig = Type.Object({
  WEBHOOK_URL: Type.Optional(Type.String({ description: 'https URL that is told events of verified execution' })),
  WEBHOOK_SECRET: Type.Optional(
    Type.String({ description: 'signs these events: whsec_ and base64 of 32 to 64 bytes. Required with WEBHOOK_URL' }),
  ),
});

/** Who is told events. */
export interface Receiver {
  readonly url: URL;
  readonly key: Buffer;
}

/** @returns undefined if nobody is told. @throws {ConfigurationError} with nothing of the URL or the secret */
export function readReceiver({
  WEBHOOK_URL: url,
  WEBHOOK_SECRET: secret,
}: Static<typeof WebhookConfig>): Receiver | undefined {
  if (url === undefined && secret === undefined) return undefined;
  if (url === undefined) throw new ConfigurationError('WEBHOOK_URL: found nothing, beside WEBHOOK_SECRET; set both');
  const key = secret?.startsWith('whsec_') ? decodeBase64(secret.slice('whsec_'.length)) : undefined;
  if (key === undefined || key.length < 32 || key.length > 64) {
    const found = secret === undefined ? 'nothing' : 'a value that is not valid';
    throw new ConfigurationError(`WEBHOOK_SECRET: found ${found}; it must be whsec_ and base64 of 32 to 64 bytes`);
  }
  return { url: readSecretUrl('WEBHOOK_URL', url), key };
}
