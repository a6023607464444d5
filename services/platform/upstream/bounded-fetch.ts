/** The answer does not have the shape or the size that the provider documents. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

/**
 * A `fetch` for servers of others. It follows no redirect, which would send the request, and any key or payment in it, to
 * another host. A body of more than `maxBytes` fails with `MalformedAnswer`. Bytes are counted after decompression,
 * because a few bytes of gzip may contain gigabytes.
 */
export function createBoundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' });
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(createLimit(maxBytes)), { status, statusText, headers });
  };
}

function createLimit(maxBytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let sizeBytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > maxBytes) throw new MalformedAnswer('too large');
      controller.enqueue(chunk);
    },
  });
}
