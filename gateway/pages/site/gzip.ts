import { promisify } from 'node:util';
import { gzip as gzipWithCallback } from 'node:zlib';

const compress = promisify(gzipWithCallback);

/** Compresses on a thread of the process. */
export const gzip = (bytes: Buffer): Promise<Buffer> => compress(bytes, { level: 9 });

/** Whether a client takes gzip (RFC 9110, section 12.5.3). Encodings that it takes by `*` are not used. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const parts = String(header ?? '').split(',');
  return parts.some((part) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0{0,3})?\s*$).*)?$/i.test(part));
}
