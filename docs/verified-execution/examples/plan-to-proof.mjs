// One plan, from its proposal to its proof, in the sandbox whose keys are in this folder. Its URL may be an argument.
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const url = process.argv[2] ?? 'http://127.0.0.1:8402';
const { agent, approver } = JSON.parse(readFileSync('.tollhouse/keys/sandbox.json', 'utf8'));

async function send(key, method, path, body) {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const answer = await fetch(`${url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

// The agent proposes a plan with a tool of the catalogue.
const plan_text = `
plan: Pay the plumber
expires: 2099-12-31T00:00:00Z
recorded: 1
steps:
  pay:
    tool: bank.transfer@2
    times: 1
    where: args.invoice == "P-7" && args.payee == "Plumber" && args.amount > 0 && args.amount <= 80.00
    evidence:
      receipt:
        type: application/json
        reads: { id: /id, amount: /amount }
        where: receipt.id == response.id && receipt.amount == args.amount
`;
const { plan_id, plan_hash } = await send(agent, 'POST', '/plans', { plan_text });
console.log(
  'waiting',
  (await send(agent, 'GET', '/plans?state=draft')).plans.map(({ title }) => title),
);

// Another key approves exactly this hash. The page /plans does the same.
await send(approver, 'POST', `/plans/${plan_id}/approve`, { plan_hash });

// The agent asks before it acts. Two checks of the same actions admit one execution.
const action = { step_id: 'pay', tool: 'bank.transfer', tool_version: '2.1.0' };
const args = { invoice: 'P-7', amount: '79.90', payee: 'Plumber' };
const asked = { plan_id, plan_hash, mode: 'complete', actions: [{ ...action, args }] };
const alignment = await send(agent, 'POST', '/verify/plan-alignment', asked);
const constraints = await send(agent, 'POST', '/verify/constraints', asked);
console.log('checks', alignment.result.verdict, constraints.result.verdict);

// It acts. This is where the bank would be called; its answer and its receipt are recorded unchanged.
const started_at = new Date().toISOString();
const response = { id: `transfer-${plan_id}`, status: 'booked' };
const receipt = Buffer.from(JSON.stringify({ id: response.id, amount: 79.9 }));
const ended_at = new Date().toISOString();

const execution = await send(agent, 'POST', '/executions', {
  plan_id,
  plan_hash,
  alignment_check_id: alignment.check_id,
  constraints_check_id: constraints.check_id,
  actions: [{ ...action, args, response, started_at, ended_at }],
});
const { execution_id } = execution;

// `missing` names evidence that the plan asks for and that is not there yet.
const artifact = {
  action_id: execution.actions[0].action_id,
  kind: 'receipt',
  media_type: 'application/json',
  sha256: createHash('sha256').update(receipt).digest('hex'),
  bytes_base64: receipt.toString('base64'),
};
const evidence = await send(agent, 'POST', `/executions/${execution_id}/evidence`, { artifacts: [artifact] });
console.log('missing', evidence.missing);

// The service judges the run. It issues a proof if every verdict is "satisfied".
const { verdicts, proof_id } = await send(agent, 'POST', `/executions/${execution_id}/verify`, {});
for (const [name, { verdict }] of Object.entries(verdicts)) console.log(name, verdict);
const files = {
  'proof.json': `/proofs/${proof_id}`,
  'keys.json': '/log/keys',
  'records.json': `/executions/${execution_id}/records`,
};
for (const [file, path] of Object.entries(files)) writeFileSync(file, JSON.stringify(await send(agent, 'GET', path)));
console.log('proof', proof_id);
