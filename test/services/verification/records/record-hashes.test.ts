import test from 'ava';
import { type HashedRecords, hashRecords } from '../../../../services/verification/records/record-hashes.ts';
import { setAt } from '../../../kit/set-at.ts';

const action = {
  step_id: 'pay',
  tool: 'bank.pay',
  tool_version: '1.0.0',
  args: { amount: '1.00' },
  response: { id: 'T1' },
  started_at: '2026-11-02T10:00:00.000000Z',
  ended_at: '2026-11-02T10:00:01.000000Z',
};
const artifact = {
  artifact_id: 'a1',
  seq: 0,
  kind: 'receipt',
  media_type: 'application/json',
  sha256: '0'.repeat(64),
  size: 9,
};
const RECORDS: HashedRecords = {
  plan: { title: 'a plan', approvals: 1 },
  actions: [action, { ...action, response: { id: 'T2' } }],
  artifacts: [artifact, { ...artifact, artifact_id: 'a2', seq: 1 }],
  approvedAt: '2026-11-02T09:00:00.000000Z',
  receivedAt: '2026-11-02T11:00:00.000000Z',
  proposedIntents: '1'.repeat(64),
  approvals: [{ by: 'key', group: 'finance', at: '2026-11-02T09:00:00.000000Z' }],
};

type Path = readonly (string | number)[];

function* leavesOf(json: unknown, path: Path = []): Generator<Path> {
  if (typeof json !== 'object' || json === null) yield path;
  else {
    const isList = Array.isArray(json);
    for (const [key, value] of Object.entries(json)) yield* leavesOf(value, [...path, isList ? Number(key) : key]);
  }
}

const changedHashes = (change: (records: HashedRecords) => HashedRecords): readonly string[] => {
  const after = new Map(Object.entries(hashRecords(change(structuredClone(RECORDS)))));
  return Object.entries(hashRecords(RECORDS)).flatMap(([name, hash]) => (after.get(name) === hash ? [] : [name]));
};

/** The hashes beside that of all inputs that a change of a part must change. */
const HASHES: Readonly<Record<string, readonly string[]>> = {
  plan: ['plan_hash', 'execution_hash'],
  step_id: ['intents_hash', 'execution_hash'],
  tool: ['intents_hash', 'execution_hash'],
  tool_version: ['intents_hash', 'execution_hash'],
  args: ['intents_hash', 'execution_hash'],
  response: ['execution_hash'],
  started_at: ['execution_hash'],
  ended_at: ['execution_hash'],
  artifacts: ['evidence_hash'],
};

for (const path of leavesOf(RECORDS)) {
  test(`a change of /${path.join('/')} changes the hash of all inputs, and that of its part`, (t) => {
    const part = String(path[0] === 'actions' ? path[2] : path[0]);
    const changed = changedHashes((records) => {
      setAt(records, path, 'other');
      return records;
    });
    t.deepEqual(changed, [...(HASHES[part] ?? []), 'inputs_hash']);
  });
}

test('an act, an artifact or an approval more changes the hash of all inputs', (t) => {
  t.true(changedHashes((of) => ({ ...of, actions: [...of.actions, action] })).includes('inputs_hash'));
  t.true(changedHashes((of) => ({ ...of, artifacts: of.artifacts.slice(1) })).includes('inputs_hash'));
  t.deepEqual(
    changedHashes((of) => ({ ...of, approvals: [] })),
    ['inputs_hash'],
  );
});

test('the order of actions is hashed, and that of artifacts is not', (t) => {
  t.true(changedHashes((of) => ({ ...of, actions: of.actions.toReversed() })).includes('execution_hash'));
  t.deepEqual(
    changedHashes((of) => ({ ...of, artifacts: of.artifacts.toReversed() })),
    [],
  );
});
