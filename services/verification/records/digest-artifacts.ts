import { setImmediate } from 'node:timers/promises';
import type { ArtifactText } from '../../../workers/verdict/tasks.ts';
import type { ArtifactDocument } from '../contract/arguments.ts';
import { digestEvidence } from './canonical-evidence.ts';
import { jsonOf } from './evidence-json.ts';
import { type Artifact, readArtifact } from './read-artifacts.ts';

export interface DigestedArtifact extends Artifact {
  readonly sha256: string;
  readonly text: ArtifactText;
  /** Digest of the artifact's JSON value; undefined if it is not JSON. */
  readonly jsonSha256: string | undefined;
}

/**
 * Reads artifacts and computes their digests. Large ones take long, so the event loop runs between them.
 * @throws {ServiceError} EVIDENCE_REJECTED unless the bytes have the given hash
 */
export async function digestArtifacts(documents: readonly ArtifactDocument[]): Promise<readonly DigestedArtifact[]> {
  const artifacts: DigestedArtifact[] = [];
  for (const [index, document] of documents.entries()) {
    const artifact = readArtifact(document, index);
    const text = jsonOf(artifact.content);
    artifacts.push({ ...artifact, text, sha256: document.sha256, jsonSha256: digestEvidence(text) });
    await setImmediate();
  }
  return artifacts;
}

/**
 * The order in which artifacts are inserted into the unique indexes. Artifacts that conflict, by their bytes or by their
 * JSON value, have the same rank.
 */
export function byDigests(one: DigestedArtifact, other: DigestedArtifact): number {
  const [left, right] = [one.jsonSha256 ?? one.sha256, other.jsonSha256 ?? other.sha256];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
