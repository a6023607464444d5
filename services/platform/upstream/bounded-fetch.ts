/** The answer is not of the shape or the size that the provider documents. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

/**
 * A `fetch` for servers that are not ours. It follows no redirect: a redirect would take the request, and any key or
 * payment in it, to another host. The body of an answer fails with `MalformedAnswer` beyond `maxBytes`, counted after
 * decompression, since a few bytes of gzip may hold gigabytes.
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
