import type { ActionDocument } from '../../../workers/exact/action-schema.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { EvidenceDocument, PlanDocument } from '../../../workers/exact/plan-schema.ts';
import { decodeBase64 } from '../../platform/base64.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { type ArtifactDocument, MAX_ARTIFACT_BYTES } from '../contract/arguments.ts';
import { digestBytes } from '../proof/digests.ts';
import { at } from '../tenants/requests.ts';
import { evidenceOf } from './evidence-wanted.ts';
import type { ActionRecord, StoredArtifact } from './execution-records.ts';

/** An artifact with bytes that have the given hash. */
export interface Artifact {
  readonly document: ArtifactDocument;
  readonly content: Buffer;
  readonly path: string;
}

/** @throws {ServiceError} EVIDENCE_REJECTED unless the bytes have the given hash */
export function readArtifact(document: ArtifactDocument, index: number): Artifact {
  const path = `/artifacts/${index}`;
  const content = decodeBase64(document.bytes_base64);
  if (content === undefined) throw rejected(`${path}/bytes_base64`, 'is not canonical base64');
  if (content.length > MAX_ARTIFACT_BYTES) throw rejected(`${path}/bytes_base64`, 'is larger than 2 MiB');
  if (digestBytes(content) !== document.sha256) throw rejected(`${path}/sha256`, 'is not the hash of the bytes');
  return { document, content, path };
}

export function rejected(path: string, message: string): ServiceError {
  return new ServiceError('EVIDENCE_REJECTED', at(path, message));
}

/**
 * Ids of the artifacts that new ones replace.
 * @throws {ServiceError} EVIDENCE_REJECTED unless each is an artifact of the execution that counts, and is replaced once
 */
export function readReplaced(artifacts: readonly Artifact[], before: readonly StoredArtifact[]): ReadonlySet<string> {
  const replaced = new Set<string>();
  for (const { document, path } of artifacts) {
    const { replaces } = document;
    if (replaces === undefined) continue;
    const isKnown = before.some(({ artifact_id }) => artifact_id === replaces);
    if (!isKnown || replaced.has(replaces)) {
      throw rejected(`${path}/replaces`, 'is not an artifact of the execution that counts, or is replaced twice');
    }
    replaced.add(replaces);
  }
  return replaced;
}

export interface Wanted {
  readonly plan: PlanDocument;
  readonly actions: readonly ActionDocument[];
  readonly ids: readonly ActionRecord[];
  readonly before: readonly { readonly action_id: string; readonly kind: string }[];
}

/** @throws {ServiceError} EVIDENCE_REJECTED for an artifact that no action of the execution needs */
export function assertWanted(artifacts: readonly Artifact[], { plan, actions, ids, before }: Wanted): void {
  const given: { readonly action_id: string; readonly kind: string }[] = [...before];
  for (const { document, content, path } of artifacts) {
    const { action_id, kind } = document;
    const id = ids.find((each) => each.action_id === action_id);
    if (id === undefined) throw rejected(`${path}/action_id`, 'is not an action of the execution');
    const wanted = evidenceOf(plan, defined(actions[id.seq])).find((each) => each.kind === kind);
    if (wanted === undefined) throw rejected(`${path}/kind`, 'is not a kind of evidence that the step asks for');
    assertAllowed(wanted, document, content, path);
    given.push({ action_id, kind });
    const count = given.filter((each) => each.action_id === action_id && each.kind === kind).length;
    if (count > wanted.max) {
      throw rejected(path, `is more than the ${wanted.max} that the step allows: name the one that it replaces`);
    }
  }
}

function assertAllowed(wanted: EvidenceDocument, document: ArtifactDocument, content: Buffer, path: string): void {
  if (!wanted.media_types.includes(document.media_type)) {
    throw rejected(`${path}/media_type`, `is not one of ${wanted.media_types.join(', ')}`);
  }
  if (content.length > wanted.max_bytes) {
    throw rejected(`${path}/bytes_base64`, `is larger than the ${wanted.max_bytes} bytes that the step allows`);
  }
}
