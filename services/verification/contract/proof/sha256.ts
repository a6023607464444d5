export async function sha256(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  // A copy, because a view of shared memory is not accepted.
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)));
}
